/** Where a repository's settings come from, and what holds where a file cannot be read. */
import { describe, expect, test } from 'vitest';
import type { ActPorts } from '../../../src/act/ports.ts';
import { createSettings } from '../../../src/act/settings/read-settings.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { GitHubSession } from '../../../src/ports/github/github.ts';

const REF = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const FILE = '.github/quorum.yml';
const MINUTE_MS = 60_000;

interface Repository {
  /** What it is called when it is read; else as it was asked for. */
  fullName?: string;
  headSha?: string;
  files?: Record<string, string | { text: string; isCut: boolean }>;
  isListCut?: boolean;
  /** Thrown when it is read. */
  failure?: Error;
}

/** Repositories by name; what was asked of them, in order. */
function aWorld(repositories: Record<string, Repository>) {
  const clock = { at: 0 };
  const calls: string[] = [];
  const forget: ((installationId: number) => void)[] = [];
  const nameOf = ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`;
  const find = (ref: { owner: string; repo: string }): Repository => {
    const found = repositories[nameOf(ref)];
    if (found?.failure !== undefined) throw found.failure;
    if (found === undefined)
      throw new RefusedError({ code: 'github-not-found', message: 'not there' });
    return found;
  };
  const read = {
    repository: async (ref: typeof REF) => {
      calls.push(nameOf(ref));
      const { fullName = nameOf(ref), headSha = 'tip' } = find(ref);
      return { fullName, headSha };
    },
    paths: async (ref: typeof REF) => {
      const { files = {}, isListCut = false } = find(ref);
      return { paths: isListCut ? [] : Object.keys(files), isCut: isListCut };
    },
    files: async (ref: typeof REF, _: string, { paths }: { paths: string[] }) => {
      const { files = {} } = find(ref);
      return paths.flatMap((path) => {
        const file = files[path];
        if (file === undefined) return [];
        return [{ path, ...(typeof file === 'string' ? { text: file, isCut: false } : file) }];
      });
    },
  };
  const session = { read } as unknown as GitHubSession;
  const ports = {
    clock: { now: () => clock.at },
    caches: { onForget: (each: (typeof forget)[number]) => void forget.push(each) },
    personas: [],
  } as unknown as ActPorts;
  const readSettings = createSettings(ports);
  const settings = async (ref = REF) => {
    calls.length = 0;
    const facts = await read.repository(ref);
    const { paths } = await read.paths(ref);
    calls.length = 0;
    return readSettings(ref, { session, facts: facts as never, paths });
  };
  return { settings, calls, clock, forget: (id: number) => forget.forEach((each) => each(id)) };
}

const own = (text: string): Record<string, Repository> => ({
  'acme/tidy': { files: { [FILE]: text } },
});

describe('layers', () => {
  test('the own file is above its base, which is above the organisation’s', async () => {
    const { settings, calls } = aWorld({
      'acme/tidy': { files: { [FILE]: '_extends: base\ncouncil:\n  maxRounds: 1\n' } },
      'acme/base': { files: { [FILE]: 'council:\n  maxRounds: 2\nstandup:\n  enabled: false\n' } },
      'acme/.github': {
        files: { [FILE]: 'council:\n  maxRounds: 2\nstandup:\n  enabled: true\nenabled: false\n' },
      },
    });
    const { config, problems } = await settings();
    expect(problems).toEqual([]);
    expect([config.council.maxRounds, config.standup.enabled, config.enabled]).toEqual([
      1,
      false,
      false,
    ]);
    expect(calls.toSorted()).toEqual(['acme/.github', 'acme/base']);
  });

  test('a repository without files, and an organisation without settings, have the defaults', async () => {
    for (const github of [undefined, { headSha: '' }, { files: {} }]) {
      const { settings } = aWorld({ 'acme/tidy': {}, ...(github && { 'acme/.github': github }) });
      expect(await settings()).toMatchObject({ config: { enabled: true }, problems: [] });
    }
  });

  test('the organisation’s own settings repository has no layer below it', async () => {
    const ref = { ...REF, repo: '.github' };
    const { settings, calls } = aWorld({
      'acme/.github': { files: { [FILE]: 'enabled: false\n' } },
    });
    expect((await settings(ref)).config.enabled).toBe(false);
    expect(calls).toEqual([]);
  });

  test('the organisation is that of the name that GitHub tells now, not of the one that we know', async () => {
    const { settings, calls } = aWorld({ 'acme/tidy': { fullName: 'newco/tidy' } });
    await settings();
    expect(calls).toEqual(['newco/.github']);
  });

  test('a settings repository that was transferred to another account gives no layer', async () => {
    const moved = { fullName: 'mallory/.github', files: { [FILE]: 'enabled: false\n' } };
    const { settings } = aWorld({ 'acme/tidy': {}, 'acme/.github': moved });
    expect((await settings()).config.enabled).toBe(true);
  });

  test('a list of files that GitHub cuts is no proof that the file is missing', async () => {
    const github = { isListCut: true, files: { [FILE]: 'enabled: false\n' } };
    const { settings } = aWorld({ 'acme/tidy': {}, 'acme/.github': github });
    expect((await settings()).config.enabled).toBe(false);
  });
});

describe('what cannot be read', () => {
  const LOCKED = {
    merge: { mode: 'never' },
    coder: { runner: 'off' },
    gates: { tests: 'required' },
  };
  const cut = { text: 'merge:\n', isCut: true };
  const forbidden = new RefusedError({ code: 'github-forbidden', message: 'no' });

  test.each<[string, Record<string, Repository>, object]>([
    [
      'the own file is too large',
      { 'acme/tidy': { files: { [FILE]: cut } } },
      { code: 'too-large', file: FILE },
    ],
    [
      'the organisation’s file is too large',
      { 'acme/tidy': {}, 'acme/.github': { files: { [FILE]: cut } } },
      { code: 'too-large' },
    ],
    [
      'the organisation’s file is forbidden',
      { 'acme/tidy': {}, 'acme/.github': { failure: forbidden } },
      { code: 'config-unreadable', message: 'of acme/.github cannot be read: no' },
    ],
    [
      'two files are there',
      { 'acme/tidy': { files: { [FILE]: '', '.github/quorum.yaml': '' } } },
      { code: 'ambiguous-config' },
    ],
    [
      'the base is not there',
      own('enabled: true\n_extends: base\n'),
      {
        code: 'config-unreadable',
        line: 2,
        key: '_extends',
        message: expect.stringContaining('names `base`'),
      },
    ],
    [
      'the base is too large',
      { ...own('_extends: base\n'), 'acme/base': { files: { [FILE]: cut } } },
      { code: 'too-large', file: FILE, key: '_extends' },
    ],
    [
      'a persona is set that nobody knows',
      own('personas:\n  nobody: { active: false }\n'),
      { file: FILE, key: 'personas.nobody' },
    ],
  ])('%s: the safest settings hold, with the reason as a problem', async (_, world, problem) => {
    const { config, problems } = await aWorld(world).settings();
    expect(config).toMatchObject(LOCKED);
    expect(problems).toMatchObject([problem]);
  });

  test('where GitHub is away, or where our own code fails, there are no settings', async () => {
    for (const failure of [
      new TransientError({ code: 'github-unavailable', message: 'away' }),
      new Error('a bug'),
    ])
      await expect(
        aWorld({ 'acme/tidy': {}, 'acme/.github': { failure } }).settings(),
      ).rejects.toBe(failure);
  });
});

describe('other repositories are asked', () => {
  const github: Repository = { files: { [FILE]: 'enabled: false\n' } };

  test('once in five minutes, and again once the installation is forgotten', async () => {
    const { settings, calls, clock, forget } = aWorld({ 'acme/tidy': {}, 'acme/.github': github });
    await settings();
    clock.at = 5 * MINUTE_MS - 1;
    await settings();
    expect(calls).toEqual([]);
    forget(2);
    await settings();
    expect(calls).toEqual([]);
    forget(1);
    await settings();
    expect(calls).toEqual(['acme/.github']);
    clock.at += 5 * MINUTE_MS + 1;
    await settings();
    expect(calls).toEqual(['acme/.github']);
  });

  test('at each look while they cannot be read', async () => {
    const failure = new RefusedError({ code: 'github-forbidden', message: 'no' });
    const { settings, calls } = aWorld({ 'acme/tidy': {}, 'acme/.github': { failure } });
    await settings();
    await settings();
    expect(calls).toEqual(['acme/.github']);
  });
});

describe('what a file says of personas', () => {
  test('is kept as a digest, of a configuration only its personas and its base', async () => {
    const digestsOf = async (text: string) => (await aWorld(own(text)).settings()).personaSources;
    const plain = await digestsOf('enabled: true\n');
    const muted = await digestsOf('personas:\n  dev: { active: false }\n');
    expect(plain).toEqual({});
    expect(Object.keys(muted)).toEqual([FILE]);
    expect(await digestsOf('enabled: false\npersonas:\n  dev: { active: false }\n')).toEqual(muted);
    expect(await digestsOf('personas:\n  dev: { active: true }\n')).not.toEqual(muted);
    expect(await digestsOf('_extends: base\n')).not.toEqual({});
  });

  test('at another commit is read from there', async () => {
    const { settings } = aWorld(own('personas:\n  dev: { active: false }\n'));
    const found = await settings();
    expect(await found.personaSourceAt(FILE, 'earlier')).toBe(found.personaSources[FILE]);
    expect(
      await found.personaSourceAt('.github/quorum/personas/none.md', 'earlier'),
    ).toBeUndefined();
  });
});
