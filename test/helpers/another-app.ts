/** Another GitHub App in the repository beside the workflows, as an App of Quorum is. */
import { renderAppJwt } from '../../src/adapters/github/client/app-jwt.ts';
import { renderMarker } from '../../src/domain/github/marker.ts';
import { REVIEW_CHECK } from '../../src/domain/task/check-names.ts';
import { REPO } from './a-world.ts';
import type { ActionsWorld } from './a-workflow-run.ts';

/** Returns the headers of a request that the installed App makes. */
export async function anotherApp(
  { emulator }: ActionsWorld,
  permissions: Record<string, 'read' | 'write'>,
): Promise<{ authorization: string }> {
  const app = await emulator.createApp({
    name: 'our-quorum',
    owner: 'acme',
    permissions,
    events: [],
  });
  const id = emulator.installApp(app.appId, 'acme');
  const jwt = await renderAppJwt(app.appId, app.privateKey, Date.now());
  const minted = await fetch(`${emulator.apiUrl}/app/installations/${id}/access_tokens`, {
    method: 'POST',
    headers: { authorization: `bearer ${jwt}` },
  });
  const { token } = (await minted.json()) as { token: string };
  return { authorization: `token ${token}` };
}

/** The App writes in a thread, as it does where it acts. */
export async function commentAsApp(world: ActionsWorld, number: number): Promise<void> {
  const data = { kind: 'run', run: 'r1', key: 'live' } as const;
  const marker = renderMarker(data, 'the secret of the App', `thread:1/${number}`);
  await postAsApp(world, `issues/${number}/comments`, {
    permissions: { issues: 'write' },
    body: { body: `The team works on it.\n\n${marker}` },
  });
}

/** The App reviews this head. */
export async function reviewAsApp(world: ActionsWorld, headSha: string): Promise<void> {
  await postAsApp(world, 'check-runs', {
    permissions: { checks: 'write' },
    body: { name: REVIEW_CHECK, head_sha: headSha, status: 'in_progress' },
  });
}

async function postAsApp(
  world: ActionsWorld,
  path: string,
  { permissions, body }: { permissions: Record<string, 'read' | 'write'>; body: object },
): Promise<void> {
  const answer = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/${path}`, {
    method: 'POST',
    headers: await anotherApp(world, permissions),
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`The App could not write: ${answer.status}`);
}
