/** Starts an emulator with one organisation, one repository, one App and a listener for its webhooks. */
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { ProbotOctokit } from 'probot';
import { onTestFinished } from 'vitest';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import {
  type GitHubEmulator,
  type EmulatorOptions,
} from '../../../src/emulator/github/emulator-interface.ts';
import { generatePem, type AppCredentials } from '../../../src/emulator/github/world/seed-apps.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { withOpenApiCheck, type OpenApiWatch } from './openapi.ts';

export interface Received {
  event: string;
  id: string;
  signature: string;
  raw: string;
  payload: Record<string, unknown>;
}

export interface Started {
  github: GitHubEmulator;
  app: AppCredentials;
  installationId: number;
  /** As the App's installation. */
  octokit: ProbotOctokit;
  /** As the App itself. */
  appOctokit: ProbotOctokit;
  received: Received[];
  clock: Clock & { advance(ms: number): void };
  openApi: OpenApiWatch;
  as: (token: string) => ProbotOctokit;
  installationToken(): Promise<string>;
}

export const REPO = { owner: 'acme', repo: 'widgets' };
export const NAME = 'acme/widgets';

const PERMISSIONS = {
  issues: 'write',
  pull_requests: 'write',
  contents: 'write',
  checks: 'write',
  statuses: 'write',
  actions: 'write',
} as const;
const EVENTS = [
  'issues',
  'issue_comment',
  'label',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'create',
  'delete',
  'check_run',
  'check_suite',
  'status',
  'repository_dispatch',
  'workflow_dispatch',
  'repository',
];

/** Time that moves only when told; sleeping ends at once and moves it. */
export function manualClock(startedAt = Date.parse('2026-11-20T09:00:00Z')): Started['clock'] {
  let at = startedAt;
  return {
    now: () => at,
    advance(ms) {
      at += ms;
    },
    async sleep(ms) {
      at += ms;
      await Promise.resolve();
    },
  };
}

let sharedKey: Promise<string> | undefined;

/** One key for all tests of a file: making one takes about 100 ms. */
function privateKey(): Promise<string> {
  sharedKey ??= generatePem();
  return sharedKey;
}

export function octokitOf(options: Record<string, unknown>): ProbotOctokit {
  return new ProbotOctokit({
    throttle: { enabled: false },
    retry: { enabled: false },
    log: { debug: noop, info: noop, warn: noop, error: noop },
    ...options,
  });
}

function noop(): void {
  // Expected refusals are not news.
}

async function listenForHooks(received: Received[]): Promise<{ url: string; close: () => void }> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      received.push({
        event: String(req.headers['x-github-event']),
        id: String(req.headers['x-github-delivery']),
        signature: String(req.headers['x-hub-signature-256']),
        raw,
        payload: JSON.parse(raw) as Record<string, unknown>,
      });
      res.writeHead(202).end('accepted');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/github/webhooks`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function start(
  options: Partial<EmulatorOptions> = {},
  isPrivate = true,
): Promise<Started> {
  const dir = await mkdtemp(`${tmpdir()}/emulator-github-`);
  const clock = manualClock();
  const received: Received[] = [];
  const hooks = await listenForHooks(received);
  const github = await createGitHubEmulator({ dir, clock, ...options });
  const openApi = withOpenApiCheck(github);
  for (const login of ['alice', 'bob', 'carol', 'stranger']) github.createUser(login, login);
  github.createOrg('acme', { alice: 'admin' });
  // Its repository is private by default, and is to have every feature.
  github.setPlan('acme', 'team');
  await github.createRepository({
    owner: 'acme',
    name: 'widgets',
    private: isPrivate,
    files: { 'README.md': '# Widgets\n', 'src/a.ts': 'export const a = 1;\n' },
    history: [
      {
        message: 'Add b',
        author: 'alice',
        date: '2026-11-01T10:00:00Z',
        files: { 'src/b.ts': 'export const b = 2;\n' },
      },
    ],
  });
  github.addCollaborator(NAME, 'bob', 'write');
  github.addCollaborator(NAME, 'carol', 'triage');
  const app = await github.createApp({
    name: 'Quorum',
    slug: 'quorum',
    permissions: PERMISSIONS,
    events: EVENTS,
    webhookUrl: hooks.url,
    webhookSecret: 'not-a-secret',
    privateKey: await privateKey(),
  });
  const installationId = github.installApp(app.appId, 'acme', [NAME]);
  await github.settled();
  received.length = 0;
  onTestFinished(async () => {
    await github.close();
    hooks.close();
    await rm(dir, { recursive: true, force: true });
  });
  // GitHub's JWT checks use the emulator's time, so the client must sign with it.
  const timeDifference = Math.floor((clock.now() - Date.now()) / 1000);
  const auth = { appId: app.appId, privateKey: app.privateKey, timeDifference };
  const common = { baseUrl: github.apiUrl };
  const octokit = octokitOf({ ...common, auth: { ...auth, installationId } });
  return {
    github,
    app,
    installationId,
    octokit,
    appOctokit: octokitOf({ ...common, auth }),
    received,
    clock,
    openApi,
    as: (token) => octokitOf({ baseUrl: github.apiUrl, auth: { token } }),
    async installationToken() {
      const { token } = (await octokit.auth({ type: 'installation' })) as { token: string };
      return token;
    },
  };
}

/** The status and message of a refused call. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; message: string }> {
  try {
    await call;
  } catch (error) {
    const { status = 0, message = '' } = error as { status?: number; message?: string };
    return { status, message };
  }
  throw new Error('the call was not refused');
}
