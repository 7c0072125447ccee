/** What is written to the memory branch, whatever became of the change that taught it. */
import { expect, test } from 'vitest';
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { remember } from '../../../src/act/memory/remember.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { MemoryChange } from '../../../src/domain/memory/file/memory-change.ts';
import type { GitHubSession } from '../../../src/ports/github/github.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import { TEAM } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';

const [persona] = TEAM;
const handle = persona?.handle ?? '';

const LESSON = {
  category: 'PATTERN',
  text: 'The parser counts quoted separators',
  refs: [{ path: 'src/parse.ts', from: 1, to: 2 }],
  words: [],
};
const FREE = { ...LESSON, text: 'Releases are cut on Mondays here', refs: [] };
const CHANGE = {
  kind: 'learn' as const,
  from: {
    run: 'RUN',
    subject: 'change' as const,
    headSha: 'rebased-away',
    trust: 'maintainer' as const,
    cited: [],
  },
  learned: [{ persona: handle, answer: { lessons: [LESSON, FREE] } }],
  paths: ['src/parse.ts'],
};

type Learned = Extract<MemoryChange, { kind: 'learn' }>;
type Read = GitHubSession['read']['files'];

const failing =
  (why: Error): Read =>
  () =>
    Promise.reject(why);

/** Files that are written, and the head's files are read so. */
async function written(
  read: Read,
  taught: Learned = CHANGE,
): Promise<Map<string, string | undefined>> {
  let changes = new Map<string, string | undefined>();
  const session = {
    counts: {},
    survey: { issue: async () => ({ repository: {}, files: [], foreign: undefined }) },
    read: { files: read },
    memory: {
      update: async (
        _: unknown,
        { change }: { change: (files: Map<string, string>) => typeof changes },
      ) => {
        changes = change(new Map());
        return { head: 'h', base: undefined, isUnchanged: false, races: 0 };
      },
    },
  };
  const context = {
    ports: { github: { at: () => session } },
    readSettings: async () => ({ config: defaultConfig(), personas: TEAM, problems: [] }),
    readMemory: Object.assign(async () => undefined, { noteWritten: () => undefined }),
    at: '2026-03-02T09:00:00.000Z',
  } as unknown as EffectContext;
  await remember({ kind: 'remember', thread: THREAD, change: taught }, context);
  return changes;
}

test('where the head was rebased away, a lesson that cites nothing is kept, and one that cites it is not', async () => {
  const gone = new RefusedError({ code: 'github-not-found', message: 'no such commit' });
  const text = (await written(failing(gone))).get(`personas/${handle}/working.md`);
  expect(text).toContain('- [PATTERN] Releases are cut on Mondays here <!-- memory');
  expect(text).not.toContain('quoted separators');
});

test('a read that may work later is tried again', async () => {
  const later = new TransientError({ code: 'github-unavailable', message: 'try again' });
  await expect(written(failing(later))).rejects.toBe(later);
});

/** Lessons that each cite one of so many files. */
function citing(count: number): Learned {
  const paths = Array.from({ length: count }, (_, n) => `src/${n}.ts`);
  const lessons = paths.map((path, n) => ({
    ...LESSON,
    text: `Lesson ${n} of this parser`,
    refs: [{ path, from: 1, to: 1 }],
  }));
  return { ...CHANGE, learned: [{ persona: handle, answer: { lessons } }], paths };
}

test.each([
  [19, 19],
  [20, 20],
  [21, 20],
])('of %d files that lessons cite %d are read, at the head and whole', async (count, most) => {
  const asked: Parameters<Read>[] = [];
  const change = citing(count);
  await written(async (...how) => {
    asked.push(how);
    return [];
  }, change);
  const wanted = { paths: change.paths.slice(0, most), maxBytes: 200_000 };
  expect(asked).toEqual([[THREAD, 'rebased-away', wanted]]);
});

test('only files that were in view and are cited are read', async () => {
  const asked: string[][] = [];
  const read: Read = async (_, __, { paths }) => {
    asked.push([...paths]);
    return [];
  };
  await written(read, { ...CHANGE, paths: ['src/other.ts', 'src/parse.ts'] });
  await written(read, { ...CHANGE, paths: ['src/other.ts'] });
  await written(read, { ...CHANGE, from: { ...CHANGE.from, headSha: '' } });
  expect(asked).toEqual([['src/parse.ts']]);
});

test('a lesson whose file was read is kept with the place that it cites', async () => {
  const text = 'one\ntwo\nthree\n';
  const read: Read = async () => [{ path: 'src/parse.ts', text, isCut: false }];
  const kept = (await written(read)).get(`personas/${handle}/working.md`);
  expect(kept).toContain('- [PATTERN] The parser counts quoted separators');
  expect(kept).toContain('src/parse.ts');
});
