/** A repository on the embedded GitHub, and the commands that `quorum init --pr` and its companions are, run by a person. */
import { NAME, REPO, start, type Started } from '../../emulator/github/start.ts';
import { quorum, type Said } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const WORKFLOW = '.github/workflows/quorum.yml';

export interface World extends Started {
  /** Runs a command as `alice`, who is admin. */
  run: (command: string, ...args: string[]) => Promise<Said>;
  alice: ReturnType<Started['as']>;
}

export async function aWorld(scopes = ['repo', 'workflow'], login = 'alice'): Promise<World> {
  const started = await start();
  const { github } = started;
  const env = {
    PATH: '/nonexistent',
    GITHUB_TOKEN: github.createUserToken(login, scopes),
    GITHUB_API_URL: github.apiUrl,
  };
  return {
    ...started,
    alice: started.as(github.createUserToken('alice')),
    run: (command, ...args) =>
      quorum([command, '--pr', '--repo', NAME, ...args], { env, cwd: temporaryFolder() }),
  };
}

export async function openPulls(world: World) {
  const { data } = await world.alice.rest.pulls.list({ ...REPO, state: 'open' });
  return data;
}

export async function textAt(world: World, file: string, ref: string): Promise<string | undefined> {
  try {
    const { data } = await world.alice.rest.repos.getContent({ ...REPO, path: file, ref });
    return 'content' in data ? Buffer.from(data.content, 'base64').toString() : undefined;
  } catch {
    return undefined;
  }
}

export async function mergePull(world: World, number: number): Promise<void> {
  await world.alice.rest.pulls.merge({ ...REPO, pull_number: number });
  await world.github.settled();
}

/** Where the workflow comes from. */
export const SOURCE = ['--source', 'acme/quorum', '--ref', 'v1'];
