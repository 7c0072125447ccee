/** Another GitHub App in the repository beside the workflows, as an App of Quorum is. */
import { renderAppJwt } from '../../src/adapters/github/client/app-jwt.ts';
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
