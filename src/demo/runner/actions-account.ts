/** The account of all workflows on the embedded GitHub, and the tokens of their jobs. */
import { z } from 'zod';
import { renderAppJwt } from '../../adapters/github/client/app-jwt.ts';
import type { GitHubEmulator } from '../../emulator/github/emulator-interface.ts';
import type { JobPermissions } from './read-workflow.ts';

export interface ActionsAccount {
  appId: number;
  installationId: number;
  /** A token of a job, with these permissions and no others; names as workflows or as the API write them. */
  mint: (permissions: JobPermissions) => Promise<string>;
}

const Minted = z.object({ token: z.string() });

export async function openActionsAccount(
  emulator: GitHubEmulator,
  owner: string,
): Promise<ActionsAccount> {
  const app = await emulator.createApp({
    name: 'github-actions',
    owner,
    permissions: {
      actions: 'write',
      checks: 'write',
      contents: 'write',
      issues: 'write',
      pull_requests: 'write',
      statuses: 'read',
    },
    events: [],
  });
  const installationId = emulator.installApp(app.appId, owner);
  const address = `${emulator.apiUrl}/app/installations/${installationId}/access_tokens`;
  const mint = async (asked: JobPermissions): Promise<string> => {
    const permissions = Object.fromEntries(
      Object.entries(asked).map(([name, level]) => [name.replaceAll('-', '_'), level]),
    );
    const jwt = await renderAppJwt(app.appId, app.privateKey, Date.now());
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: `bearer ${jwt}` },
      body: JSON.stringify({ permissions }),
    });
    return Minted.parse(await answer.json()).token;
  };
  return { appId: app.appId, installationId, mint };
}
