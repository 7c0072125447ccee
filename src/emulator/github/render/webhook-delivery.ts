/** Builds webhook deliveries: which App receives an event, the payload, and the signed headers. */
import { createHmac } from 'node:crypto';
import type { App, Delivery, Installation } from '../world/world-model.ts';
import { toInstallation, toOrganization, toUser } from './accounts.ts';
import { toRepository } from './repositories.ts';
import {
  account,
  drawUuid,
  installationCovers,
  nextId,
  nodeId,
  nowIso,
  type Emission,
  type World,
} from '../world/world.ts';

/** Sent to every App of the installation whether it subscribed or not. */
const ALWAYS = new Set([
  'installation',
  'installation_repositories',
  'installation_target',
  'github_app_authorization',
]);

/**
 * The App permissions of which one lets it see an event, whatever it subscribed to; others need only the subscription.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 * @see https://github.com/dcoapp/app/issues/303
 */
const EVENT_PERMISSIONS: Record<string, readonly string[]> = {
  issues: ['issues'],
  issue_comment: ['issues', 'pull_requests'],
  label: ['issues', 'pull_requests'],
  pull_request: ['pull_requests'],
  pull_request_review: ['pull_requests'],
  pull_request_review_comment: ['pull_requests'],
  pull_request_review_thread: ['pull_requests'],
  merge_group: ['merge_queues'],
  push: ['contents'],
  create: ['contents'],
  delete: ['contents'],
  repository_dispatch: ['contents'],
  check_run: ['checks'],
  check_suite: ['checks'],
  status: ['statuses'],
  workflow_run: ['actions'],
  workflow_dispatch: ['contents'],
};

export function findRecipients(world: World, emission: Emission): [App, Installation][] {
  const found: [App, Installation][] = [];
  for (const installation of world.state.installations.values()) {
    const app = world.state.apps.get(installation.appId);
    if (app?.webhookUrl === undefined || !wants(installation, emission)) continue;
    found.push([app, installation]);
  }
  return found;
}

function wants(installation: Installation, emission: Emission): boolean {
  if (ALWAYS.has(emission.event)) return emission.installation === installation;
  if (emission.installation !== undefined && emission.installation !== installation) return false;
  if (installation.suspendedAt !== undefined || !installation.events.includes(emission.event))
    return false;
  if (emission.repository === undefined || !installationCovers(installation, emission.repository))
    return false;
  const any = EVENT_PERMISSIONS[emission.event];
  return any === undefined || any.some((name) => installation.permissions[name] !== undefined);
}

export function toDelivery(
  world: World,
  emission: Emission,
  to: { app: App; installation: Installation },
): Delivery {
  const { app, installation } = to;
  const payload = JSON.stringify(toPayload(world, emission, installation));
  const guid = drawUuid(world.random);
  return {
    id: nextId(world),
    guid,
    appId: app.id,
    event: emission.event,
    action: emission.action ?? null,
    installationId: installation.id,
    repositoryId: emission.repository?.id ?? null,
    deliveredAt: nowIso(world),
    redelivery: false,
    duration: 0,
    status: 'pending',
    statusCode: 0,
    url: app.webhookUrl ?? '',
    requestHeaders: signedHeaders(app, { event: emission.event, guid, payload }),
    payload,
    responseHeaders: {},
    responsePayload: '',
  };
}

function toPayload(
  world: World,
  emission: Emission,
  installation: Installation,
): Record<string, unknown> {
  const { repository } = emission;
  const owner = repository === undefined ? undefined : account(world, repository.ownerId);
  const isMeta = ALWAYS.has(emission.event);
  return {
    ...(emission.action === undefined ? {} : { action: emission.action }),
    ...emission.payload,
    ...(repository === undefined ? {} : { repository: toRepository(world, repository) }),
    ...(owner?.type === 'Organization' ? { organization: toOrganization(world, owner) } : {}),
    sender: toUser(world, emission.sender),
    installation: isMeta
      ? toInstallation(world, installation)
      : { id: installation.id, node_id: nodeId('MDI', installation.id) },
  };
}

function signedHeaders(
  app: App,
  of: { event: string; guid: string; payload: string },
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/emulator',
    'x-github-delivery': of.guid,
    'x-github-event': of.event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
  };
  if (app.webhookSecret === undefined) return headers;
  const sign = (algorithm: string): string =>
    `${algorithm}=${createHmac(algorithm, app.webhookSecret ?? '')
      .update(of.payload)
      .digest('hex')}`;
  headers['x-hub-signature'] = sign('sha1');
  headers['x-hub-signature-256'] = sign('sha256');
  return headers;
}
