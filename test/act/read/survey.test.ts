/** A thread with what surrounds it: told in one call where the server can, read one by one where it cannot. */
import { describe, expect, test } from 'vitest';
import { settingsNow, surveyIssue, surveyPull } from '../../../src/act/read/survey.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { RefusedError } from '../../../src/domain/event/errors.ts';
import type { PullSession } from '../../../src/ports/github/pulls.ts';
import { ANA, THREAD } from '../../helpers/play.ts';

const FACTS = { headSha: 'tip' };
const COMMENTS = [{ id: 1 }];
const PAST = [{ number: 3 }];
const PATHS = ['a.ts', '.gitattributes'];
const ISSUE = { author: ANA, body: 'Words of the thread.' };
const FILE = { path: '.gitattributes', text: '* text', isCut: false };
const PEOPLE = [{ id: 5, login: 'tom' }];

interface Setup {
  told?: object | undefined;
  headSha?: string;
  paths?: string[];
  files?: object[];
  permission?: string;
}

function createSession(context: Setup = {}) {
  const calls: unknown[][] = [];
  const log =
    <T>(name: string, answer: T) =>
    async (...asked: unknown[]): Promise<T> => {
      calls.push([name, ...asked]);
      return answer;
    };
  const session = {
    read: {
      repository: log('repository', { ...FACTS, headSha: context.headSha ?? 'tip' }),
      issue: log('issue', { ...ISSUE, authorPermission: 'triage' }),
      paths: log('paths', { paths: context.paths ?? PATHS, isCut: true }),
      comments: log('comments', COMMENTS),
      pastIssues: log('past', PAST),
      files: log('files', context.files ?? [FILE]),
      permission: log('permission', context.permission ?? 'write'),
    },
    survey: { issue: log('survey', context.told) },
    pulls: {
      survey: log('survey', context.told),
      pull: log('pull', { headSha: 'h' }),
      feedback: log('feedback', { threads: [] }),
    },
  } as unknown as PullSession;
  return { session, calls, names: () => calls.map(([name]) => String(name)).toSorted() };
}

const TOLD = {
  repository: FACTS,
  issue: ISSUE,
  permissions: new Map([[5, 'write']]),
  comments: COMMENTS,
  pastIssues: PAST,
  pull: { headSha: 'h' },
  feedback: { threads: [] },
  checks: [{ id: 9 }],
  files: [
    { path: 'x', file: undefined },
    { path: FILE.path, file: FILE },
  ],
  foreign: undefined,
};

describe('an issue', () => {
  const want = { people: PEOPLE, comments: 7, pastIssues: 4 };
  const plain = { facts: FACTS, issue: ISSUE, comments: COMMENTS, pastIssues: PAST };

  test('is read in one call', async () => {
    const { session, calls } = createSession({ told: TOLD });
    const files = ['x', FILE.path];
    expect(await surveyIssue(session, THREAD, { ...want, files })).toEqual({
      ...plain,
      permissions: TOLD.permissions,
      settingsFrom: TOLD,
      texts: [FILE],
    });
    expect(calls).toEqual([
      [
        'survey',
        THREAD,
        expect.objectContaining({
          ...want,
          folder: '.github/quorum/personas',
          files: expect.arrayContaining(['.github/quorum.yml', ...files]),
        }),
      ],
    ]);
  });

  test('is read one by one, with the permission of its author', async () => {
    const { session, names, calls } = createSession();
    expect(await surveyIssue(session, THREAD, want)).toEqual({
      ...plain,
      permissions: new Map([[ANA.id, 'triage']]),
      settingsFrom: PATHS,
      tree: { paths: PATHS, isCut: true },
    });
    expect(names()).toEqual(['comments', 'issue', 'past', 'paths', 'repository', 'survey']);
    expect(calls).toContainEqual(['comments', THREAD, 7]);
    expect(calls).toContainEqual(['past', THREAD, 4]);
    expect(calls).toContainEqual(['paths', THREAD, 'tip', 20_000]);
  });

  test('is read without what nobody wants, and without files where there is no commit', async () => {
    const { session, names } = createSession({ headSha: '' });
    const told = await surveyIssue(session, THREAD, { people: [], comments: 0, pastIssues: 0 });
    expect(told).toMatchObject({ comments: [], pastIssues: [], tree: { paths: [], isCut: false } });
    expect(names()).toEqual(['issue', 'repository', 'survey']);
    const one = createSession();
    await surveyIssue(one.session, THREAD, { people: [], comments: 1, pastIssues: 1 });
    expect(one.names()).toEqual(['comments', 'issue', 'past', 'paths', 'repository', 'survey']);
  });
});

describe('a pull request', () => {
  const want = { people: PEOPLE, comments: 7 };
  const plain = {
    facts: FACTS,
    comments: COMMENTS,
    pull: { headSha: 'h' },
    feedback: { threads: [] },
  };

  test('is read in one call, with the attributes of its files', async () => {
    const { session, calls } = createSession({ told: TOLD });
    expect(await surveyPull(session, THREAD, want)).toEqual({
      ...plain,
      permissions: TOLD.permissions,
      settingsFrom: TOLD,
      checks: TOLD.checks,
      attributes: '* text',
    });
    const files = ['.github/quorum.yml', '.github/quorum.yaml', '.gitattributes'];
    const asked = expect.objectContaining({ ...want, files, pastIssues: 0 });
    expect(calls).toEqual([['survey', THREAD, asked]]);
    const bare = createSession({ told: { ...TOLD, files: [] } });
    expect(await surveyPull(bare.session, THREAD, want)).not.toHaveProperty('attributes');
  });

  test('is read one by one, without its checks', async () => {
    const { session, calls, names } = createSession();
    expect(await surveyPull(session, THREAD, want)).toEqual({
      ...plain,
      permissions: new Map(),
      settingsFrom: PATHS,
      attributes: '* text',
    });
    expect(names()).toEqual([
      'comments',
      'feedback',
      'files',
      'paths',
      'pull',
      'repository',
      'survey',
    ]);
    const wanted = { paths: ['.gitattributes'], maxBytes: 65_536 };
    expect(calls).toContainEqual(['files', THREAD, 'tip', wanted]);
    expect(calls).toContainEqual(['comments', THREAD, 7]);
  });

  test('has no attributes where there is no such file, or it is empty of text', async () => {
    const without = createSession({ paths: ['a.ts'] });
    const told = await surveyPull(without.session, THREAD, { people: [], comments: 0 });
    expect(told).not.toHaveProperty('attributes');
    expect(told.comments).toEqual([]);
    expect(without.names()).not.toContain('files');
    expect(without.names()).not.toContain('comments');
    const binary = createSession({ files: [] });
    expect(await surveyPull(binary.session, THREAD, want)).not.toHaveProperty('attributes');
    const one = createSession();
    expect((await surveyPull(one.session, THREAD, { people: [], comments: 1 })).comments).toBe(
      COMMENTS,
    );
  });
});

describe('settings as they are now', () => {
  const read = (context: Setup, over: Partial<Parameters<typeof settingsNow>[2]> = {}) => {
    const { session, calls, names } = createSession(context);
    const readSettings = (async (...asked: unknown[]) => {
      calls.push(['settings', ...asked]);
      return { config: 'settings' };
    }) as unknown as ReadSettings;
    return { calls, names, now: settingsNow(THREAD, session, { readSettings, ...over }) };
  };

  test('are read in one call, with the texts and people that were asked for', async () => {
    const files = ['.gitattributes', 'x', 'gone'];
    const { calls, now } = read({ told: TOLD }, { files, people: PEOPLE });
    const { body, permission, ...rest } = await now;
    expect(rest).toEqual({ config: 'settings', facts: FACTS, texts: [FILE] });
    expect(await body()).toBe(ISSUE.body);
    expect(await permission({ id: 5, login: 'tom' })).toBe('write');
    expect(calls).toEqual([
      [
        'survey',
        THREAD,
        expect.objectContaining({
          files: ['.github/quorum.yml', '.github/quorum.yaml', ...files],
          people: PEOPLE,
          comments: 0,
          pastIssues: 0,
        }),
      ],
      ['settings', THREAD, { session: expect.anything(), facts: FACTS, paths: TOLD }],
    ]);
    const { texts } = await read({ told: TOLD }).now;
    expect(texts).toEqual([]);
  });

  test('are read one by one, the text of the thread only when it is wanted', async () => {
    const { names, calls, now } = read({}, { files: ['.gitattributes'] });
    const { body, texts } = await now;
    expect(texts).toEqual([FILE]);
    expect(names()).toEqual(['files', 'paths', 'repository', 'settings', 'survey']);
    const wanted = { paths: ['.gitattributes'], maxBytes: 65_536 };
    expect(calls).toContainEqual(['files', THREAD, 'tip', wanted]);
    expect(await body()).toBe(ISSUE.body);
    expect(names()).toContain('issue');
    const bare = read({});
    expect((await bare.now).texts).toEqual([]);
    expect(bare.names()).not.toContain('files');
  });

  test.each<[string, Setup, string]>([
    [
      'is nobody for the survey, and asked about',
      { told: { ...TOLD, permissions: new Map([[5, 'none']]) } },
      'write',
    ],
    [
      'is not in the survey, and asked about',
      { told: { ...TOLD, permissions: new Map() } },
      'write',
    ],
    ['is asked about where nothing was told', { permission: 'admin' }, 'admin'],
  ])('know what somebody may do who %s', async (_, ...[context, held]) => {
    const { now, names } = read(context);
    expect(await (await now).permission({ id: 5, login: 'tom' })).toBe(held);
    expect(names()).toContain('permission');
  });

  test('take a role that cannot be read for none', async () => {
    const { session } = createSession();
    const away = new RefusedError({ code: 'github-forbidden', message: 'no' });
    session.read.permission = () => Promise.reject(away);
    const readSettings = (async () => ({})) as unknown as ReadSettings;
    const { permission } = await settingsNow(THREAD, session, { readSettings });
    expect(await permission({ id: 5, login: 'tom' })).toBe('none');
  });
});
