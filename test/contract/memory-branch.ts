/** The memory branch: written by many at once and by people, and nothing is lost. */
import { beforeEach, describe, expect, test } from 'vitest';
import { QuorumError } from '../../src/domain/event/errors.ts';
import { findSecrets } from '../../src/domain/secrets/secret-text.ts';
import type {
  MemoryBranch,
  MemoryPlace,
  MemoryUpdate,
} from '../../src/ports/github/memory-branch.ts';
import { verifies } from '../verifies.ts';

/** Undefined deletes. */
export type PersonFiles = Record<string, string | Buffer | undefined>;

export interface MemoryWorld {
  place: MemoryPlace;
  /** A new client, as in another process: it remembers nothing. */
  open(): MemoryBranch;
  /** Runs once before the next write of that kind is sent. */
  before(write: 'create-ref' | 'move-ref', action: () => Promise<void>): void;
  /** What a person does, with every right. */
  person: {
    push(files: PersonFiles): Promise<void>;
    /** The branch without a past. */
    rewrite(files: PersonFiles): Promise<void>;
    deleteBranch(): Promise<void>;
    createBranch(name: string): Promise<void>;
    linkFile(path: string, target: string): Promise<void>;
    protect(from: 'protection' | 'ruleset'): void;
  };
  /** The branch's commits, newest first. */
  history(): Promise<{ sha: string; parents: readonly string[]; message: string }[]>;
  /** Every file of the branch. */
  files(): Promise<Record<string, string>>;
  /** Breaks the n-th request from now; whether it was met is what it returns. */
  breakCall(nth: number, fault: MemoryFault): () => boolean;
  /** Requests that wrote, since the last time it was asked. */
  writes(): string[];
}

export const MEMORY_FAULTS = {
  'lost after its effect': { kind: 'effect-then-fail', reset: true },
  'failed after its effect': { kind: 'effect-then-fail', status: 502 },
  'failed before its effect': { kind: 'fail-without-effect', status: 503 },
  stale: { kind: 'stale' },
  'cut off': { kind: 'truncated' },
} as const;
export type MemoryFault = (typeof MEMORY_FAULTS)[keyof typeof MEMORY_FAULTS];

const INSIGHTS = 'insights.jsonl';

/** Appends a line unless it is there, as entries with an id are. */
export function appending(line: string, path = INSIGHTS): MemoryUpdate {
  return {
    paths: [path],
    message: `memory: ${line}`,
    change: (files) => {
      const text = files.get(path) ?? '';
      return new Map(text.split('\n').includes(line) ? [] : [[path, `${text}${line}\n`]]);
    },
  };
}

function writing(files: Record<string, string | undefined>): MemoryUpdate {
  const change = () => new Map(Object.entries(files));
  return { paths: Object.keys(files), message: 'memory: files', change };
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '');
}

/** As the queue does: again after what may pass. */
async function inQueue<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof QuorumError) || !error.retryable || attempt >= 20) throw error;
    }
  }
}

/** One commit on top of the other. */
async function expectHistory(world: MemoryWorld, commits: number): Promise<void> {
  const history = await world.history();
  const parents = history.map((commit) => commit.parents);
  expect(parents).toEqual([...history.slice(1).map(({ sha }) => [sha]), []]);
  expect(history).toHaveLength(commits);
}

/** Each writer appends its line; all of them are there, each once, and nothing was forced. */
export async function writeAtOnce(
  world: MemoryWorld,
  { processes, writers }: { processes: number; writers: number },
): Promise<void> {
  const clients = Array.from({ length: processes }, () => world.open());
  const lines = Array.from({ length: writers }, (_, at) => `{"id":"session-${at}"}`);
  await Promise.all(
    lines.map((line, at) => {
      const memory = clients[at % processes] ?? world.open();
      return inQueue(() => memory.update(world.place, appending(line)));
    }),
  );
  const { files } = await world.open().read(world.place, { paths: [INSIGHTS] });
  expect(linesOf(files.get(INSIGHTS)).toSorted()).toEqual(lines.toSorted());
  await expectHistory(world, writers);
}

export function describeMemoryBranch(server: string, make: () => Promise<MemoryWorld>): void {
  describe(`the memory branch: ${server}`, () => {
    let world: MemoryWorld;
    beforeEach(async () => {
      world = await make();
    });
    const read = (paths: readonly string[], known?: string) =>
      world.open().read(world.place, { paths, ...(known !== undefined && { known }) });
    const update = (wanted: MemoryUpdate) => world.open().update(world.place, wanted);
    const expectLinear = (commits: number): Promise<void> => expectHistory(world, commits);

    describe('reading and writing', () => {
      test('does not exist before there is something to write', async () => {
        expect(await read([INSIGHTS, 'personas/'])).toEqual({
          head: undefined,
          isKnown: false,
          files: new Map(),
          unread: [],
        });
        const nothing = { paths: [INSIGHTS], message: 'm', change: () => new Map() };
        expect(await update(nothing)).toEqual({ head: undefined, isUnchanged: true, races: 0 });
        const deleting = writing({ [INSIGHTS]: undefined });
        expect(await update(deleting)).toMatchObject({ isUnchanged: true });
        expect(world.writes()).toEqual([]);
      });

      test('begins without a parent, with a README and merge rules beside the first entry', async () => {
        const { head, isUnchanged } = await update(appending('one'));
        expect(isUnchanged).toBe(false);
        await expectLinear(1);
        expect((await world.history())[0]?.sha).toBe(head);
        expect(await world.files()).toEqual({
          'README.md': expect.stringContaining('You may edit or delete every file'),
          '.gitattributes': '*.md merge=union\n*.jsonl merge=union\n',
          [INSIGHTS]: 'one\n',
        });
        await world.person.push({ 'README.md': undefined });
        await update(appending('two'));
        expect(Object.keys(await world.files())).not.toContain('README.md');
      });

      test('with a branch to begin from, it is made on that tip, for the files of roles alone', async () => {
        const from = 'main';
        const pm = { ...writing({ 'memory/pm.md': '- a rule\n' }), from };
        const first = await update(pm);
        expect(first).toMatchObject({ isUnchanged: false });
        const files = await world.files();
        expect(files).toMatchObject({ 'memory/pm.md': '- a rule\n' });
        expect(files['README.md'] ?? '').not.toContain('You may edit or delete every file');
        expect((await world.history()).length).toBeGreaterThan(1);
        expect(await update(pm)).toMatchObject({ head: first.head, isUnchanged: true });
        const refused = { code: 'memory-path-refused' };
        await expect(update({ ...writing({ 'src/a.ts': '' }), from })).rejects.toMatchObject(
          refused,
        );
        await expect(update({ ...appending('one'), from })).rejects.toMatchObject(refused);
        await expect(update(writing({ 'memory/pm.md': 'x' }))).rejects.toMatchObject(refused);
      });

      test('from a branch that is not there, or that says the same already, it is not made', async () => {
        const text = writing({ 'memory/pm.md': undefined });
        expect(await update({ ...text, from: 'main' })).toMatchObject({
          head: undefined,
          isUnchanged: true,
        });
        await expect(update({ ...text, from: 'gone' })).rejects.toMatchObject({
          code: 'memory-refused',
        });
        expect(world.writes()).toEqual([]);
      });

      test('gives files by path and by folder, as they are', async () => {
        const files = {
          'personas/ada/core.md': '- first line\r\n- naïve 🦊\n',
          'personas/ada/working.md': '\ufeff# with a mark\n',
          'personas/.archived/bob/self.md': 'no newline at the end',
          'personas/adam/core.md': 'another\n',
          'state/empty.json': '',
        };
        await update(writing(files));
        const all = await read(['personas/', 'state/empty.json', 'peers.json']);
        expect(Object.fromEntries(all.files)).toEqual(files);
        const some = await read(['personas/ada/', 'personas/ada/core.md', 'journal/']);
        expect([...some.files.keys()].toSorted()).toEqual([
          'personas/ada/core.md',
          'personas/ada/working.md',
        ]);
        expect([all.unread, some.unread]).toEqual([[], []]);
      });

      test('reads folders in any depth', async () => {
        const path = 'state/a/b/c/d/e.json';
        await update(writing({ [path]: '{}' }));
        expect([...(await read(['state/'])).files.keys()]).toEqual([path]);
      });

      test('reads nothing while the head is the one that is known', async () => {
        const { head } = await update(appending('one'));
        expect(await read([INSIGHTS], head)).toEqual({
          head,
          isKnown: true,
          files: new Map(),
          unread: [],
        });
        const second = await update(appending('two'));
        expect(await read([INSIGHTS], head)).toMatchObject({
          head: second.head,
          isKnown: false,
          files: new Map([[INSIGHTS, 'one\ntwo\n']]),
        });
        await world.person.deleteBranch();
        expect(await read([INSIGHTS], head)).toMatchObject({ head: undefined, isKnown: false });
      });

      test('takes the same update twice as one, and writes only what differs', async () => {
        const first = await update(appending('one'));
        world.writes();
        expect(await update(appending('one'))).toEqual({
          head: first.head,
          base: first.head,
          isUnchanged: true,
          races: 0,
        });
        expect(await update(writing({ [INSIGHTS]: 'one\n' }))).toMatchObject({ isUnchanged: true });
        expect(world.writes()).toEqual([]);
      });

      test('moves a folder in one commit; a file that is gone already is no failure', async () => {
        await update(writing({ 'personas/ada/core.md': 'a\n', 'personas/ada/self.md': 's\n' }));
        const move: MemoryUpdate = {
          paths: ['personas/'],
          message: 'memory: ada is archived',
          change: (files) =>
            new Map([
              ...[...files].flatMap(([path, text]): [string, string | undefined][] =>
                path.startsWith('personas/ada/')
                  ? [
                      [path, undefined],
                      [path.replace('personas/', 'personas/.archived/'), text],
                    ]
                  : [],
              ),
              ['personas/ada/never.md', undefined],
            ]),
        };
        await update(move);
        await expectLinear(2);
        const { files } = await read(['personas/']);
        expect(Object.fromEntries(files)).toEqual({
          'personas/.archived/ada/core.md': 'a\n',
          'personas/.archived/ada/self.md': 's\n',
        });
      });
    });

    describe('with others', () => {
      verifies('GIT-08', 'loses no line of 20 who write at once from 4 processes', async () => {
        await writeAtOnce(world, { processes: 4, writers: 20 });
      });

      test('keeps what a person pushed in between, and writes on top of it', async () => {
        await update(appending('one'));
        world.before('move-ref', () =>
          world.person.push({ [INSIGHTS]: 'corrected by hand\n', 'peers.json': '{}\n' }),
        );
        expect(await update(appending('two'))).toMatchObject({ isUnchanged: false, races: 1 });
        expect(await world.files()).toMatchObject({
          [INSIGHTS]: 'corrected by hand\ntwo\n',
          'peers.json': '{}\n',
        });
        await expectLinear(3);
      });

      test('keeps all of two who write while a person pushes', async () => {
        await update(appending('one'));
        world.before('move-ref', async () => {
          await world.person.push({ [INSIGHTS]: 'corrected by hand\n' });
          await update(appending('theirs'));
        });
        expect(await update(appending('ours'))).toMatchObject({ isUnchanged: false, races: 1 });
        expect((await world.files())[INSIGHTS]).toBe('corrected by hand\ntheirs\nours\n');
        await expectLinear(4);
      });

      test('keeps what another made while the branch was to be made', async () => {
        world.before('create-ref', async () => void (await update(appending('theirs'))));
        expect(await update(appending('ours'))).toMatchObject({ races: 1 });
        expect(linesOf((await world.files())[INSIGHTS])).toEqual(['theirs', 'ours']);
        await expectLinear(2);
      });

      test('is made again after it was deleted, also in between', async () => {
        await update(appending('one'));
        await world.person.deleteBranch();
        await update(appending('two'));
        await expectLinear(1);
        world.before('move-ref', () => world.person.deleteBranch());
        await update(appending('three'));
        expect(linesOf((await world.files())[INSIGHTS])).toEqual(['three']);
        await expectLinear(1);
      });

      test('goes on from what a person rewrote by force', async () => {
        const { head } = await update(appending('one'));
        await world.person.rewrite({ [INSIGHTS]: 'rewritten\n' });
        expect(await read([INSIGHTS], head)).toMatchObject({
          isKnown: false,
          files: new Map([[INSIGHTS, 'rewritten\n']]),
        });
        world.before('move-ref', () => world.person.rewrite({ [INSIGHTS]: 'again\n' }));
        await update(appending('two'));
        expect(linesOf((await world.files())[INSIGHTS])).toEqual(['again', 'two']);
        await expectLinear(2);
      });

      test.each(['protection', 'ruleset'] as const)(
        'says what an owner can do when a %s refuses the write',
        async (from) => {
          await update(appending('one'));
          world.person.protect(from);
          const refused = update(appending('two'));
          await expect(refused).rejects.toMatchObject({
            code: 'memory-refused',
            retryable: false,
            message: expect.stringContaining('Changes must be made through a pull request'),
            details: expect.stringContaining('let the App bypass it'),
          });
          await expectLinear(1);
        },
      );

      test('says so when a branch with a part of its name is in the way', async () => {
        await world.person.createBranch('quorum');
        await expect(update(appending('one'))).rejects.toMatchObject({
          code: 'memory-refused',
          details: expect.stringContaining('A branch named `quorum`'),
        });
      });

      test('gives up for now when others are faster each time', async () => {
        await update(appending('one'));
        let pushes = 0;
        const push = async (): Promise<void> => {
          pushes += 1;
          await world.person.push({ 'peers.json': `${pushes}\n` });
          world.before('move-ref', push);
        };
        world.before('move-ref', push);
        await expect(update(appending('two'))).rejects.toMatchObject({
          code: 'memory-contended',
          retryable: true,
        });
        expect(pushes).toBe(10);
      });
    });

    describe('bad input', () => {
      const secret = ['gh', 'p_', 'a1B2c3D4'.repeat(5)].join('');

      verifies(
        ['MEM-04: credential in a file and in a message', 'SEC-05: memory'],
        'writes no credential, neither in a file nor in a message',
        async () => {
          expect(findSecrets(secret)).toHaveLength(1);
          await update(appending('one'));
          world.writes();
          const files = {
            'personas/ada/core.md': 'fine\n',
            'personas/ada/self.md': `x\n- ${secret}\n`,
          };
          await expect(update(writing(files))).rejects.toMatchObject({
            code: 'memory-secret',
            message: expect.stringContaining('personas/ada/self.md, line 2'),
          });
          const told = update({ ...appending('two'), message: `memory: ${secret}` });
          await expect(told).rejects.toMatchObject({ code: 'memory-secret' });
          await expect(told).rejects.not.toMatchObject({
            message: expect.stringContaining(secret),
          });
          expect(world.writes()).toEqual([]);
        },
      );

      test.each([
        'src/main.ts',
        '.github/workflows/ci.yml',
        'personas',
        'personas/../src/main.ts',
        'personas/.git/config',
        'personas//core.md',
        '/personas/ada/core.md',
        'personas/ada\\core.md',
        'personas/ada/core.md\n',
        'README.md/x',
      ])('writes nothing at %j', async (path) => {
        const refused = update(writing({ [path]: 'text\n' }));
        await expect(refused).rejects.toMatchObject({ code: 'memory-path-refused' });
        expect(world.writes()).toEqual([]);
      });

      test('writes over nothing that it did not ask for', async () => {
        const change = () => new Map([['peers.json', '{}\n']]);
        const refused = update({ paths: [INSIGHTS, 'personas/'], message: 'm', change });
        await expect(refused).rejects.toMatchObject({ code: 'memory-path-refused' });
      });

      verifies(
        'MEM-06: file that cannot be read',
        'tells apart what cannot be read, never overwrites it, and uses the rest',
        async () => {
          await update(writing({ 'personas/ada/core.md': 'fine\n' }));
          await world.person.push({
            'personas/ada/self.md': Buffer.from([1, 0, 2, 0]),
            'personas/ada/working.md': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
            'personas/bob/core.md': 'x'.repeat(10_000_000),
            'personas/cyd/core.md': `${'y'.repeat(79)}\n`.repeat(9_000),
            'insights.jsonl/readme.md': 'a folder\n',
            state: 'a file\n',
          });
          await world.person.linkFile('personas/ada/link.md', '../../README.md');
          const { files, unread } = await read(['personas/', INSIGHTS, 'state/']);
          expect([...files.keys()].toSorted()).toEqual([
            'personas/ada/core.md',
            'personas/cyd/core.md',
          ]);
          expect(files.get('personas/cyd/core.md')).toHaveLength(720_000);
          expect(unread.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
            { path: INSIGHTS, reason: 'not-a-file' },
            { path: 'personas/ada/link.md', reason: 'not-a-file' },
            { path: 'personas/ada/self.md', reason: 'binary' },
            { path: 'personas/ada/working.md', reason: 'not-utf-8' },
            { path: 'personas/bob/core.md', reason: 'too-large' },
            { path: 'state', reason: 'not-a-file' },
          ]);
          world.writes();
          const over = [
            INSIGHTS,
            ...['ada/self', 'ada/working', 'bob/core'].map((each) => `personas/${each}.md`),
          ];
          for (const path of over) {
            const refused = update(appending('over', path));
            await expect(refused).rejects.toMatchObject({ code: 'memory-unreadable' });
          }
          const below = update({
            paths: ['state/'],
            message: 'm',
            change: () => new Map([['state/x.json', '{}']]),
          });
          await expect(below).rejects.toMatchObject({ code: 'memory-unreadable' });
          await expect(
            update(writing({ 'personas/bob/core.md': undefined })),
          ).rejects.toMatchObject({
            code: 'memory-unreadable',
          });
          expect(world.writes()).toEqual([]);
          expect(await update(appending('more', 'personas/ada/core.md'))).toMatchObject({
            isUnchanged: false,
          });
        },
      );

      test.each([
        ['over 1 MB', 'z'.repeat(1_000_001)],
        ['with a NUL', 'a\0b'],
      ])('writes no text %s: it could not be read back', async (_why, text) => {
        const refused = update(writing({ 'state/x.json': text }));
        await expect(refused).rejects.toMatchObject({ code: 'memory-unreadable' });
        expect(world.writes()).toEqual([]);
      });

      test('writes half a character as GitHub keeps it, once', async () => {
        const half = writing({ 'state/x.json': 'a\ud83d\n' });
        await update(half);
        expect(await update(half)).toMatchObject({ isUnchanged: true });
        expect((await read(['state/x.json'])).files.get('state/x.json')).toBe('a\ufffd\n');
      });
    });

    describe('with faults', () => {
      for (const [name, fault] of Object.entries(MEMORY_FAULTS))
        verifies('P2', `has each line once when a request is ${name}`, async () => {
          const lines: string[] = [];
          let isMet = true;
          for (let nth = 1; isMet && nth < 20; nth += 1) {
            // With its own client, so that a request of the branch's first use is met as well.
            if (nth % 2 === 0) await world.person.deleteBranch();
            if (nth % 2 === 0) lines.length = 0;
            const line = `line ${nth}`;
            lines.push(line);
            const wasMet = world.breakCall(nth, fault);
            const memory = world.open();
            await inQueue(() => memory.update(world.place, appending(line)));
            isMet = wasMet();
            expect(linesOf((await world.files())[INSIGHTS])).toEqual(lines);
            await expectLinear(lines.length);
          }
          expect(isMet).toBe(false);
        });
    });
  });
}
