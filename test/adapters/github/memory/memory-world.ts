/** A repository on the embedded GitHub with a memory branch, and people who work on it through the API. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import { createGitHubEmulator } from '../../../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../../../src/emulator/github/emulator-interface.ts';
import { gitOutput } from '../../../../src/emulator/github/git/git-process.ts';
import type { GitHubMemory } from '../../../../src/ports/github/memory-branch.ts';
import type { MemoryWorld, PersonFiles } from '../../../contract/memory-branch.ts';
import { withOpenApiCheck } from '../../../emulator/github/openapi.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';

const NAME = 'acme/widgets';
const GIT = `/repos/${NAME}/git`;
const BRANCH = 'quorum/memory';

const Named = z.object({ sha: z.string() });
const Ref = z.object({ object: Named });

export interface EmulatedMemory extends MemoryWorld {
  emulator: GitHubEmulator;
  /** Requests since the last time it was asked, as `METHOD route`, those for a token left out. */
  calls(): string[];
}

export interface MemoryWorldOptions {
  hasGraphql: boolean;
  /** Whether the repository has a commit. */
  isEmpty?: boolean;
  commitsInOneCall?: boolean;
}

export async function openMemoryWorld({
  hasGraphql,
  isEmpty = false,
  commitsInOneCall = false,
}: MemoryWorldOptions): Promise<EmulatedMemory> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-memory-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock, limits: { enforced: false } });
  const watch = withOpenApiCheck(emulator);
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
    expect(watch.violations).toEqual([]);
    expect(watch.checked()).toBeGreaterThan(0);
  });
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'admin' });
  // The App may not touch workflows: the branch must bring in none.
  const files = { 'README.md': '# Widgets\n', '.github/workflows/ci.yml': 'on: push\n' };
  const seed = { owner: 'acme', name: 'widgets', ...(!isEmpty && { files }) };
  const { id } = await emulator.createRepository(seed);
  const permissions = { contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(appId, 'acme');
  const repository = { installationId, repositoryId: id, owner: 'acme', repo: 'widgets' };
  const place = { repository, branch: BRANCH };
  const refuseGraphql = (): void => {
    if (hasGraphql) return;
    const fault = { kind: 'status', status: 404, body: { message: 'Not Found' } } as const;
    emulator.faults.add({ path: '/graphql', times: Infinity, fault });
  };
  refuseGraphql();
  const hooks = createHooks();
  let seen = 0;
  const calls = (): string[] => {
    const fresh = emulator.requests.slice(seen);
    seen = emulator.requests.length;
    return fresh
      .map(({ method, route }) => `${method} ${route}`)
      .filter((call) => !call.endsWith('/access_tokens'));
  };
  return {
    emulator,
    place,
    calls,
    writes: () => calls().filter((call) => /^(?:POST|PATCH|PUT|DELETE) .*\/git\//.test(call)),
    before: hooks.add,
    open: () => {
      const github: GitHubMemory = createGitHub({
        auth: { kind: 'app', appId, privateKey },
        baseUrl: emulator.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
        budgets: 'off',
        isJobToken: commitsInOneCall,
        fetch: hooks.fetch,
      });
      return github.at(repository).memory;
    },
    person: createPerson(emulator),
    breakCall: (nth, fault) => {
      const disarm = emulator.faults.add({ nth, fault });
      const at = emulator.faults.hits().length - 1;
      return () => {
        const isMet = (emulator.faults.hits()[at] ?? 0) > 0;
        disarm();
        return isMet;
      };
    },
    ...reading(emulator),
  };
}

function createHooks(): { add: MemoryWorld['before']; fetch: typeof fetch } {
  const armed = new Map<string, () => Promise<void>>();
  const add: MemoryWorld['before'] = (write, action) => {
    armed.set(write === 'create-ref' ? 'POST /refs' : 'PATCH /refs/heads', action);
  };
  return {
    add,
    fetch: async (input, init) => {
      const path =
        /\/git(\/refs(?:\/heads)?)/.exec(
          input instanceof Request ? input.url : input.toString(),
        )?.[1] ?? '';
      const isCommit = typeof init?.body === 'string' && init.body.includes('createCommitOnBranch');
      const key = isCommit ? 'PATCH /refs/heads' : `${init?.method ?? 'GET'} ${path}`;
      const action = armed.get(key);
      armed.delete(key);
      await action?.();
      return fetch(input, init);
    },
  };
}

function createPerson(emulator: GitHubEmulator): MemoryWorld['person'] {
  const as = emulator.as('alice');
  const head = async (): Promise<string> =>
    Ref.parse(await as.request('GET', `${GIT}/ref/heads/${BRANCH}`)).object.sha;
  const commit = async (tree: object, parents: string[]): Promise<string> => {
    const { sha } = Named.parse(await as.request('POST', `${GIT}/trees`, tree));
    const change = { message: 'by hand', tree: sha, parents };
    return Named.parse(await as.request('POST', `${GIT}/commits`, change)).sha;
  };
  const move = async (sha: string, force: boolean): Promise<void> =>
    void (await as.request('PATCH', `${GIT}/refs/heads/${BRANCH}`, { sha, force }));
  const toTree = (files: PersonFiles) =>
    Promise.all(
      Object.entries(files).map(async ([path, content]) => {
        const entry = { path, mode: '100644', type: 'blob' };
        if (content === undefined) return { ...entry, sha: null };
        const blob = { content: Buffer.from(content).toString('base64'), encoding: 'base64' };
        const { sha } = Named.parse(await as.request('POST', `${GIT}/blobs`, blob));
        return { ...entry, sha };
      }),
    );
  const onTop = async (tree: object[]): Promise<void> => {
    const base = await head();
    await move(await commit({ base_tree: base, tree }, [base]), false);
  };
  return {
    push: async (files) => onTop(await toTree(files)),
    linkFile: (path, content) => onTop([{ path, mode: '120000', type: 'blob', content }]),
    rewrite: async (files) => move(await commit({ tree: await toTree(files) }, []), true),
    deleteBranch: async () => void (await as.request('DELETE', `${GIT}/refs/heads/${BRANCH}`)),
    createBranch: async (name) => {
      const main = Ref.parse(await as.request('GET', `${GIT}/ref/heads/main`)).object.sha;
      await as.request('POST', `${GIT}/refs`, { ref: `refs/heads/${name}`, sha: main });
    },
    protect: (from) => {
      const rules = { from, checks: [], isStrict: false, hasQueue: false, mustPull: true };
      emulator.repository(NAME).rules = new Map([[BRANCH, rules]]);
    },
  };
}

/** With git itself. */
function reading(emulator: GitHubEmulator): Pick<MemoryWorld, 'history' | 'files'> {
  const run = (args: string[]): Promise<string> =>
    gitOutput(emulator.repository(NAME).gitDir, args);
  const ref = `refs/heads/${BRANCH}`;
  return {
    history: async () => {
      const out = await run(['log', '--topo-order', '--format=%H %P%x00%s', ref]);
      return out.split('\n').map((line) => {
        const [hashes = '', message = ''] = line.split('\0');
        const [sha = '', ...parents] = hashes.trim().split(' ');
        return { sha, parents, message };
      });
    },
    files: async () => {
      const paths = (await run(['ls-tree', '-r', '--name-only', ref])).split('\n');
      const texts = paths.map(async (path) => {
        const text = await run(['cat-file', 'blob', `${ref}:${path}`]);
        return [path, text === '' ? '' : `${text}\n`] as const;
      });
      return Object.fromEntries(await Promise.all(texts));
    },
  };
}
