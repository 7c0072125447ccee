/** What every GitHub must do for Quorum, whichever server is behind the port. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CheckWanted } from '../../src/domain/event/effect-values.ts';
import { QuorumError, RefusedError, TransientError } from '../../src/domain/event/errors.ts';
import type { Permission, RepositoryRef, ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { GitHub, GitHubSession } from '../../src/ports/github/github.ts';
import { verifies } from '../verifies.ts';

/** What goes wrong with the n-th call. */
export interface ContractFault {
  title: string;
  fault:
    | { kind: 'status'; status: number; headers?: Record<string, string> }
    | { kind: 'effect-then-fail'; status?: number; reset?: boolean }
    | { kind: 'fail-without-effect'; status?: number }
    | { kind: 'reset' }
    | { kind: 'truncated' };
}

/** A server with one repository of some files, seen from outside the adapter. */
export interface GitHubWorld {
  repository: RepositoryRef;
  /** A new adapter, as after a restart: it remembers nothing. */
  open(): GitHub;
  openIssue(issue: { title: string; body?: string; labels?: string[] }): Promise<ThreadRef>;
  /** Comments as people see them, oldest first. */
  comments(ref: ThreadRef): { id: number; body: string }[];
  labels(ref: ThreadRef): string[];
  reactions(ref: ThreadRef): string[];
  /** Colour of a label of the repository. */
  colour(label: string): string | undefined;
  state(ref: ThreadRef): { state: string; reason: string | null };
  /** Every issue of the repository. */
  issues(): { number: number; title: string; body: string }[];
  /** A person closes it. */
  closeAsPerson(ref: ThreadRef): Promise<void>;
  checks(): { name: string; conclusion: string | null; title: string | null }[];
  /** A person writes; returns the comment's id. */
  comment(ref: ThreadRef, body: string): Promise<number>;
  deleteComment(id: number): Promise<void>;
  lock(ref: ThreadRef): Promise<void>;
  /** Makes a person with this permission. */
  person(login: string, permission: Permission): { id: number; login: string };
  headSha(): Promise<string>;
  /** The n-th call from now goes wrong, once. */
  breakCall(nth: number, fault: ContractFault['fault']): void;
  /** Whether the armed fault was met; disarms it. */
  mend(): boolean;
  /** Time passes for both sides. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export const FAULTS: ContractFault[] = [
  ...[401, 403, 404, 409, 422, 500, 503].map((status): ContractFault => ({
    title: `${status}`,
    fault: { kind: 'status', status },
  })),
  { title: '429 without retry-after', fault: { kind: 'status', status: 429 } },
  {
    title: '429 with retry-after',
    fault: { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
  },
  {
    title: '403 with retry-after',
    fault: { kind: 'status', status: 403, headers: { 'retry-after': '7' } },
  },
  { title: '502 after the effect', fault: { kind: 'effect-then-fail', status: 502 } },
  { title: '500 after the effect', fault: { kind: 'effect-then-fail', status: 500 } },
  { title: 'a reset after the effect', fault: { kind: 'effect-then-fail', reset: true } },
  { title: '502 without effect', fault: { kind: 'fail-without-effect' } },
  { title: 'a reset before anything', fault: { kind: 'reset' } },
  { title: 'a truncated body', fault: { kind: 'truncated' } },
];

/** The kinds that leave an effect behind, or come from a limit: enough where each call takes its time. */
export const HARD_FAULTS = FAULTS.filter(({ title }) =>
  [
    '429 with retry-after',
    '502 after the effect',
    'a reset after the effect',
    'a truncated body',
  ].includes(title),
);

const BODY = 'Our view.\n\nReady.';
const MARKER = { kind: 'run', run: 'run-1', key: 'live' } as const;
const RED = { name: 'ready', color: 'ff0000', description: 'Ready to be worked on' };

export function describeGitHub(server: string, make: () => Promise<GitHubWorld>): void {
  describe(`GitHub contract: ${server}`, () => {
    let world: GitHubWorld;
    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    // Each test starts with fresh windows of the server's limits.
    beforeEach(() => world.advance(2 * 3_600_000));
    const session = (): GitHubSession => world.open().at(world.repository);

    describe('comments', () => {
      test('are created once, edited when the text differs and left alone otherwise', async () => {
        const issue = await world.openIssue({ title: 'One comment' });
        const github = world.open();
        const ensure = (body: string) =>
          github.at(issue).write.ensureComment(issue, { marker: MARKER, body });
        const outcomes = [await ensure('a'), await ensure('a'), await ensure('b')];
        expect(outcomes.map((one) => one.outcome)).toEqual(['created', 'unchanged', 'edited']);
        expect(new Set(outcomes.map((one) => one.id)).size).toBe(1);
        expect(world.comments(issue).map((one) => one.body.split('\n')[0])).toEqual(['b']);
      });

      verifies('DUR-02', 'are found again after a restart by their marker', async () => {
        const issue = await world.openIssue({ title: 'Restart' });
        await session().write.ensureComment(issue, { marker: MARKER, body: 'a' });
        const again = await session().write.ensureComment(issue, { marker: MARKER, body: 'b' });
        expect([again.outcome, world.comments(issue).length]).toEqual(['edited', 1]);
      });

      test('with other keys are other comments', async () => {
        const issue = await world.openIssue({ title: 'Two' });
        const { write } = session();
        await write.ensureComment(issue, { marker: MARKER, body: 'a' });
        await write.ensureComment(issue, { marker: { ...MARKER, key: 'report' }, body: 'a' });
        expect(world.comments(issue).length).toBe(2);
      });

      test('asked for several times at once are one', async () => {
        const issue = await world.openIssue({ title: 'At once' });
        const github = world.open();
        const ensure = () =>
          github.at(issue).write.ensureComment(issue, { marker: MARKER, body: BODY });
        await Promise.all([ensure(), ensure(), ensure(), ensure()]);
        expect(world.comments(issue).length).toBe(1);
      });

      test('copied by a person with the marker are not taken for ours', async () => {
        const [from, to] = [
          await world.openIssue({ title: 'From' }),
          await world.openIssue({ title: 'To' }),
        ];
        await session().write.ensureComment(from, { marker: MARKER, body: BODY });
        const stolen = world.comments(from)[0]?.body ?? '';
        await world.comment(from, stolen);
        await world.comment(to, stolen);
        const edited = await session().write.ensureComment(from, { marker: MARKER, body: 'new' });
        await session().write.ensureComment(to, { marker: MARKER, body: 'new' });
        expect(world.comments(from).map((one) => one.id === edited.id)).toEqual([true, false]);
        expect(world.comments(to).map((one) => one.body.startsWith('new'))).toEqual([false, true]);
        const seen = await session().read.comments(from, 10);
        expect(seen.map((one) => one.isOurs)).toEqual([true, false]);
      });

      test('of a person with our marker are let be when ours is gone', async () => {
        const issue = await world.openIssue({ title: 'Only the copy' });
        const ours = await session().write.ensureComment(issue, { marker: MARKER, body: 'a' });
        const copy = world.comments(issue)[0]?.body ?? '';
        await world.comment(issue, copy);
        await world.deleteComment(ours.id);
        await session().write.ensureComment(issue, { marker: MARKER, body: 'b' });
        expect(world.comments(issue).map((one) => one.body.split('\n')[0])).toEqual(['a', 'b']);
      });

      test('deleted by a person are written again', async () => {
        const issue = await world.openIssue({ title: 'Deleted' });
        const github = world.open();
        const first = await github
          .at(issue)
          .write.ensureComment(issue, { marker: MARKER, body: 'a' });
        await world.deleteComment(first.id);
        const second = await github
          .at(issue)
          .write.ensureComment(issue, { marker: MARKER, body: 'b' });
        expect([second.outcome, world.comments(issue).length]).toEqual(['created', 1]);
      });

      test('are found behind more than two hundred of others', async () => {
        const issue = await world.openIssue({ title: 'Busy' });
        await session().write.ensureComment(issue, { marker: MARKER, body: 'a' });
        for (let n = 0; n < 230; n += 1) {
          if (n % 60 === 0) world.advance(3_600_000);
          await world.comment(issue, `word ${n}`);
        }
        const again = await session().write.ensureComment(issue, { marker: MARKER, body: 'b' });
        expect([again.outcome, world.comments(issue).length]).toEqual(['edited', 231]);
        const newest = await session().read.comments(issue, 120);
        expect([newest.length, newest[0]?.body, newest.at(-1)?.body]).toEqual([
          120,
          'word 110',
          'word 229',
        ]);
      });
    });

    describe('one comment, whatever call goes wrong', () => {
      verifies(['DUR-02', 'P2'], 'creating', async () => {
        await tryEveryCall(world, async (github, issue) => {
          await github.at(issue).write.ensureComment(issue, { marker: MARKER, body: BODY });
        });
      });

      verifies(['DUR-02', 'P2'], 'creating without looking for one at the first time', async () => {
        await tryEveryCall(world, async (github, issue, isNew) => {
          await github.at(issue).write.ensureComment(issue, { marker: MARKER, body: BODY, isNew });
        });
      });

      verifies(['DUR-02', 'P2'], 'creating, then editing', async () => {
        await tryEveryCall(world, async (github, issue) => {
          await github.at(issue).write.ensureComment(issue, { marker: MARKER, body: 'first' });
          await github.at(issue).write.ensureComment(issue, { marker: MARKER, body: BODY });
        });
      });
    });

    describe('the same end, whatever call goes wrong', () => {
      verifies(['DUR-02', 'P2'], 'labels and reactions', async () => {
        await tryEveryCall(
          world,
          async (github, issue) => {
            const { write } = github.at(issue);
            await write.ensureLabels(issue, { add: [RED], remove: ['bug'] });
            await write.ensureReaction(issue, { add: 'eyes' });
            await write.ensureReaction(issue, { add: 'rocket', remove: 'eyes' });
            await write.ensureComment(issue, { marker: MARKER, body: BODY });
          },
          HARD_FAULTS,
        );
        const issue = await world.openIssue({ title: 'After all', labels: ['bug'] });
        const { write } = session();
        await write.ensureLabels(issue, { add: [RED], remove: ['bug'] });
        expect(world.labels(issue)).toEqual(['ready']);
      });

      verifies(['DUR-02', 'P2'], 'check runs', async () => {
        const headSha = await world.headSha();
        const names = new Set<string>();
        await tryEveryCall(
          world,
          async (github, issue) => {
            const name = `quorum / gate / ${issue.number}`;
            names.add(name).add(`${name} / more`);
            const check = { name, summary: '', title: 'Done', conclusion: 'success' } as const;
            const more = { ...check, name: `${name} / more` };
            const change = { repository: issue, headSha, checks: [check, more] };
            await github.at(issue).write.ensureChecks(change);
            await github.at(issue).write.ensureComment(issue, { marker: MARKER, body: BODY });
          },
          HARD_FAULTS,
        );
        const ours = world.checks().filter((run) => names.has(run.name));
        expect(ours.map((run) => run.name).toSorted()).toEqual([...names].toSorted());
      });
    });

    describe('labels', () => {
      test('are created with colour on first use, never recoloured, added and removed', async () => {
        const issue = await world.openIssue({ title: 'Labels', labels: ['bug'] });
        const github = world.open();
        await github
          .at(issue)
          .write.ensureLabels(issue, { add: [RED], remove: ['bug', 'never-there'] });
        await world
          .open()
          .at(issue)
          .write.ensureLabels(issue, {
            add: [{ ...RED, name: 'Ready', color: '00ff00' }],
            remove: [],
          });
        expect([world.labels(issue), world.colour('ready')]).toEqual([['ready'], 'ff0000']);
      });

      test('of the repository are not created again', async () => {
        const issue = await world.openIssue({ title: 'Known label' });
        const at = session();
        await at.write.ensureLabels(issue, { add: [{ ...RED, name: 'bug' }], remove: [] });
        expect(world.labels(issue)).toEqual(['bug']);
        expect(Object.keys(at.counts)).not.toContain('POST /repos/{owner}/{repo}/labels');
      });

      test('that are there already cost no write', async () => {
        const issue = await world.openIssue({ title: 'Labels again', labels: ['bug'] });
        const at = session();
        await at.write.ensureLabels(issue, { add: [{ ...RED, name: 'bug' }], remove: ['ready'] });
        expect(
          Object.keys(at.counts).filter((route) => /\b(POST|DELETE|PATCH) \/repos/.test(route)),
        ).toEqual([]);
      });
    });

    describe('reactions', () => {
      test('are one of a kind, and the old one goes', async () => {
        const issue = await world.openIssue({ title: 'Reactions' });
        await session().write.ensureReaction(issue, { add: 'eyes' });
        await session().write.ensureReaction(issue, { add: 'eyes' });
        expect(world.reactions(issue)).toEqual(['eyes']);
        await session().write.ensureReaction(issue, { add: 'rocket', remove: 'eyes' });
        await session().write.ensureReaction(issue, { add: 'rocket', remove: 'eyes' });
        expect(world.reactions(issue)).toEqual(['rocket']);
      });
    });

    describe('closing', () => {
      test('closes with the reason, once', async () => {
        const issue = await world.openIssue({ title: 'Close me' });
        expect(await session().write.ensureClosed(issue, 'duplicate')).toBe('closed');
        expect(await session().write.ensureClosed(issue, 'completed')).toBe('was-closed');
        expect(world.state(issue)).toEqual({ state: 'closed', reason: 'duplicate' });
      });
    });

    describe('check runs', () => {
      test('are one for each name and commit', async () => {
        const headSha = await world.headSha();
        const check = { name: 'quorum / config', summary: 'All good.' };
        const ensure = (one: Pick<CheckWanted, 'conclusion' | 'title'>) => {
          const checks = [{ ...check, ...one }];
          return session().write.ensureChecks({ repository: world.repository, headSha, checks });
        };
        await ensure({ conclusion: 'failure', title: 'Wrong' });
        await ensure({ conclusion: 'success', title: 'Right' });
        await ensure({ conclusion: 'success', title: 'Right' });
        const ours = world.checks().filter((run) => run.name === 'quorum / config');
        expect(ours).toEqual([{ name: 'quorum / config', conclusion: 'success', title: 'Right' }]);
      });
    });

    describeReads(() => world);
  });
}

function describeReads(current: () => GitHubWorld): void {
  const session = (): GitHubSession => current().open().at(current().repository);

  describe('reads', () => {
    test('tell the repository, its paths and its files', async () => {
      const world = current();
      const { read } = session();
      const facts = await read.repository(world.repository);
      expect(facts).toMatchObject({
        defaultBranch: 'main',
        isArchived: false,
        headSha: await world.headSha(),
      });
      const { paths, isCut } = await read.paths(world.repository, facts.headSha, 1000);
      expect([paths.toSorted(), isCut]).toEqual([
        ['README.md', 'logo.bin', 'src/a.ts', 'src/deep/b.ts'],
        false,
      ]);
      expect(await read.paths(world.repository, facts.headSha, 2)).toMatchObject({ isCut: true });
      const want = {
        paths: ['src/deep/b.ts', 'missing.ts', 'logo.bin', 'README.md'],
        maxBytes: 12,
      };
      const files = await read.files(world.repository, facts.headSha, want);
      expect(files).toEqual([
        { path: 'src/deep/b.ts', text: 'b()\n', isCut: false },
        { path: 'README.md', text: '# Widgets\n\n', isCut: true },
      ]);
    });

    test('texts of many files come in the order asked for, as far as the bytes go', async () => {
      const world = current();
      const { read, code } = session();
      const facts = await read.repository(world.repository);
      const paths = ['src/deep/b.ts', 'missing.ts', 'logo.bin', 'README.md', 'src/a.ts'];
      const want = { paths, maxBytes: 1_000, totalBytes: 1_000_000 };
      const all = await code.texts(world.repository, facts.headSha, want);
      expect(all).toEqual([
        { path: 'src/deep/b.ts', text: 'b()\n', isCut: false },
        { path: 'README.md', text: '# Widgets\n\nSmall things.\n', isCut: false },
        { path: 'src/a.ts', text: 'a()\n', isCut: false },
      ]);
      // The picture counts as well: what it is, only its bytes tell.
      const few = { ...want, totalBytes: 12 };
      const some = await code.texts(world.repository, facts.headSha, few);
      expect(some.map(({ path }) => path)).toEqual(['src/deep/b.ts', 'src/a.ts']);
    });

    test('tell an issue with the permission of its author', async () => {
      const world = current();
      const issue = await world.openIssue({ title: 'Read me', body: 'Text', labels: ['bug'] });
      const seen = await session().read.issue(issue);
      expect(seen).toMatchObject({
        number: issue.number,
        title: 'Read me',
        body: 'Text',
        state: 'open',
        isPull: false,
        labels: ['bug'],
      });
      expect(seen.authorPermission).toBe('write');
    });

    test('tell past issues, newest activity first', async () => {
      const world = current();
      world.advance(60_000);
      const older = await world.openIssue({ title: 'Older' });
      world.advance(60_000);
      const newer = await world.openIssue({ title: 'Newer' });
      const past = await session().read.pastIssues(world.repository, 2);
      expect(past.map((one) => one.number)).toEqual([newer.number, older.number]);
    });

    verifies('ING-12', 'refuse an issue and a repository that are not there', async () => {
      const world = current();
      const read = (github: GitHub): Promise<unknown> =>
        github.at(world.repository).read.issue({ ...world.repository, number: 999_999 });
      // GitHub's copies lag behind each other, so the first answers may be older than the issue.
      await expect(repeat(world, false, read)).rejects.toMatchObject({ code: 'github-not-found' });
      const other = { ...world.repository, repositoryId: 123_456_789 };
      const unknown = session().read.repository(other);
      await expect(unknown).rejects.toMatchObject({ code: 'github-not-found' });
      const write = session().write.ensureComment(
        { ...other, number: 1 },
        { marker: MARKER, body: BODY },
      );
      await expect(write).rejects.toBeInstanceOf(RefusedError);
    });

    test.each<Permission>(['read', 'triage', 'write', 'maintain', 'admin'])(
      'tell the permission %s',
      async (permission) => {
        const world = current();
        const person = world.person(`with-${permission}`, permission);
        const { read, survey } = session();
        expect(await survey.person(world.repository, person.login)).toEqual({
          ...person,
          permission,
        });
        expect(await survey.person(world.repository, 'nobody-of-that-name')).toBeUndefined();
        expect(await read.permission(world.repository, person)).toBe(permission);
        expect(await read.permission(world.repository, { ...person, id: person.id + 1 })).toBe(
          'none',
        );
      },
    );

    verifies(
      'LIM-05',
      'of what has not changed cost nothing: the second time is a 304',
      async () => {
        const world = current();
        const github = world.open();
        await github.at(world.repository).read.pastIssues(world.repository, 5);
        const second = github.at(world.repository);
        await second.read.pastIssues(world.repository, 5);
        expect(second.counts).toEqual({ '304 GET /repos/{owner}/{repo}/issues': 1 });
      },
    );

    test('list where the App is and what carries a label', async () => {
      const world = current();
      const issue = await world.openIssue({ title: 'Wanted', labels: ['bug', 'question'] });
      const { app } = world.open();
      const [installation] = await app.installations();
      expect(installation).toMatchObject({
        installationId: world.repository.installationId,
        isSuspended: false,
      });
      expect(await app.repositories(world.repository.installationId)).toContainEqual(
        world.repository,
      );
      const labelled = await app.labelled(world.repository, ['bug', 'question']);
      const ours = labelled.filter((one) => one.thread.number === issue.number);
      expect(ours).toMatchObject([{ labels: ['bug', 'question'], labelledBy: { isBot: false } }]);
      expect(await app.self()).toMatchObject({ isBot: true });
    });
  });

  describe('refusals', () => {
    test('a locked thread is reported as such, or written to where the App may', async () => {
      const world = current();
      const issue = await world.openIssue({ title: 'Locked' });
      await world.lock(issue);
      const outcome = await session()
        .write.ensureComment(issue, { marker: MARKER, body: BODY })
        .then(
          (one) => one.outcome,
          (error: unknown) => (error as QuorumError).code,
        );
      expect(['created', 'github-locked']).toContain(outcome);
    });

    test('an aborted session sends nothing more', async () => {
      const world = current();
      const issue = await world.openIssue({ title: 'Aborted' });
      const stop = new AbortController();
      const at = world.open().at(world.repository, stop.signal);
      stop.abort(new Error('stopped'));
      await expect(at.write.ensureComment(issue, { marker: MARKER, body: BODY })).rejects.toThrow(
        'stopped',
      );
      expect(world.comments(issue)).toEqual([]);
    });
  });
}

/** `isNew` at the first attempt: after a failure nobody knows what is there. */
type Work = (github: GitHub, issue: ThreadRef, isNew: boolean) => Promise<void>;

/**
 * For every kind of fault: the first call goes wrong, then the second, until no call is left to go wrong. Each time
 * the work is repeated as a queue would, with the same adapter and with a new one.
 */
export async function tryEveryCall(world: GitHubWorld, work: Work, faults = FAULTS): Promise<void> {
  let met = 0;
  for (const one of faults) {
    for (const isRestarted of [false, true])
      met += await tryCalls(world, { ...one, isRestarted, work });
  }
  expect(met).toBeGreaterThan(faults.length * 2);
}

/** A guard against hangs only. */
const MOST_CALLS = 200;

/** How many calls there were to go wrong. */
async function tryCalls(
  world: GitHubWorld,
  plan: ContractFault & {
    isRestarted: boolean;
    work: Work;
  },
): Promise<number> {
  for (let nth = 1; nth < MOST_CALLS; nth += 1) {
    world.advance(2 * 3_600_000);
    const name = `${plan.title} at call ${nth}, restarted: ${plan.isRestarted}`;
    const issue = await world.openIssue({ title: name });
    world.breakCall(nth, plan.fault);
    await repeat(world, plan.isRestarted, (github, isNew) => plan.work(github, issue, isNew));
    const isMet = world.mend();
    const bodies = world.comments(issue).map((one) => one.body.split('\n\n<!--')[0]);
    expect({ name, bodies }).toEqual({ name, bodies: [BODY] });
    if (!isMet) return nth - 1;
  }
  throw new Error(`${plan.title}: each of ${MOST_CALLS} calls was met`);
}

async function repeat(
  world: GitHubWorld,
  isRestarted: boolean,
  work: (github: GitHub, isNew: boolean) => Promise<unknown>,
): Promise<void> {
  let github = world.open();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work(github, attempt === 1);
      return;
    } catch (error) {
      if (!(error instanceof QuorumError) || attempt > 5) throw error;
      const waitMs = error instanceof TransientError ? error.retryAfterMs : undefined;
      world.advance(waitMs ?? 1000);
      if (isRestarted) github = world.open();
    }
  }
}
