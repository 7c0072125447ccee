/** Issues that Quorum opens itself: one for each marker, whichever server is behind the port. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueWanted } from '../../src/domain/event/effect-values.ts';
import type { IssueOutcome } from '../../src/domain/github/issue-outcome.ts';
import type { GitHub } from '../../src/ports/github/github.ts';
import { verifies } from '../verifies.ts';
import { HARD_FAULTS, tryEveryCall, type GitHubWorld } from './github.ts';

const LABEL = { name: 'code-watch', color: '1f6feb', description: 'Found in the code' };

function wanted(key: string, more: Partial<IssueWanted> = {}): IssueWanted {
  return {
    marker: { kind: 'report', run: 'run-1', key },
    title: `About ${key}`,
    body: 'What was found.',
    labels: [LABEL],
    ...more,
  };
}

function numberOf(outcome: IssueOutcome): number {
  return outcome.outcome === 'full' ? 0 : outcome.number;
}

export function describeIssues(server: string, make: () => Promise<GitHubWorld>): void {
  describe(`issues of our own: ${server}`, () => {
    let world: GitHubWorld;
    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    beforeEach(() => world.advance(2 * 3_600_000));
    const ensure = (issue: IssueWanted, github: GitHub = world.open()) =>
      github.at(world.repository).write.ensureIssue(world.repository, issue);
    const titles = (start: string) =>
      world
        .issues()
        .map((issue) => issue.title)
        .filter((title) => title.startsWith(start));
    const at = (number: number) => ({ ...world.repository, number });

    test('are opened once with their labels, and edited when the text differs', async () => {
      const first = await ensure(wanted('once'));
      const again = await ensure(wanted('once'));
      const later = { kind: 'report', run: 'run-2', key: 'once' } as const;
      const changed = await ensure(wanted('once', { marker: later, body: 'More was found.' }));
      expect([first, again, changed].map((one) => one.outcome)).toEqual([
        'created',
        'unchanged',
        'edited',
      ]);
      const number = numberOf(first);
      expect([numberOf(again), numberOf(changed)]).toEqual([number, number]);
      expect(world.labels(at(number))).toEqual(['code-watch']);
      expect(world.colour('code-watch')).toBe('1f6feb');
      expect(titles('About once')).toHaveLength(1);
      expect(world.issues().find((issue) => issue.number === number)?.body).toMatch(/^More was/);
    });

    test('asked for several times at once are one', async () => {
      const github = world.open();
      await Promise.all(['a', 'b', 'c'].map((body) => ensure(wanted('at once', { body }), github)));
      expect(titles('About at once')).toHaveLength(1);
    });

    verifies(['DUR-02', 'P2'], 'are one, whatever call goes wrong', async () => {
      const keys = new Set<string>();
      await tryEveryCall(
        world,
        async (github, issue) => {
          const key = `fault ${issue.number}`;
          keys.add(key);
          await ensure(wanted(key), github);
          const marker = { kind: 'run', run: 'run-1', key: 'live' } as const;
          const body = 'Our view.\n\nReady.';
          await github.at(issue).write.ensureComment(issue, { marker, body });
        },
        HARD_FAULTS,
      );
      expect(titles('About fault').toSorted()).toEqual(
        [...keys].map((key) => `About ${key}`).toSorted(),
      );
    });

    test('that we closed are opened again; what a person closed stays closed', async () => {
      const ours = numberOf(await ensure(wanted('reopened')));
      const session = world.open().at(world.repository);
      await session.write.ensureClosed(at(ours), 'completed');
      expect(await ensure(wanted('reopened'))).toMatchObject({ outcome: 'reopened', number: ours });
      expect(world.state(at(ours)).state).toBe('open');

      const theirs = numberOf(await ensure(wanted('settled')));
      await world.closeAsPerson(at(theirs));
      expect(await ensure(wanted('settled', { body: 'Again.' }))).toMatchObject({
        outcome: 'closed',
        number: theirs,
      });
      expect(world.state(at(theirs)).state).toBe('closed');
    });

    test('about a later matter are new ones', async () => {
      const first = numberOf(await ensure(wanted('matter')));
      await world.closeAsPerson(at(first));
      const { updatedAt } = await world.open().at(at(first)).read.issue(at(first));
      const before = new Date(Date.parse(updatedAt) - 60_000).toISOString();
      const after = new Date(Date.parse(updatedAt) + 60_000).toISOString();
      expect((await ensure(wanted('matter', { since: before }))).outcome).toBe('closed');
      const second = await ensure(wanted('matter', { since: after }));
      expect(second.outcome).toBe('created');
      expect((await ensure(wanted('matter', { since: after }))).outcome).toBe('unchanged');
    });

    test('are not opened beyond their number, and those that are open go on being edited', async () => {
      const limit = { label: 'Few', count: 2 };
      const few = (key: string, body = 'Text.') =>
        ensure(wanted(key, { body, maxOpen: limit, labels: [{ ...LABEL, name: 'few' }] }));
      const asked = (key: string) => ensure(wanted(key, { labels: [] }));
      // Those that people asked for take no room, and are opened where no room is left.
      const opened = [await asked('asked 1'), await few('few 1'), await few('few 2')];
      expect(opened.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
      expect(await few('few 3')).toEqual({ outcome: 'full' });
      expect((await asked('asked 2')).outcome).toBe('created');
      expect((await few('few 1', 'New text.')).outcome).toBe('edited');
      expect(titles('About few')).toHaveLength(2);
    });

    test('are listed with their markers, open and closed, without issues of others', async () => {
      const ours = numberOf(await ensure(wanted('told')));
      const settled = numberOf(await ensure(wanted('told and closed')));
      await world.closeAsPerson(at(settled));
      const { body = '' } = world.issues().find((issue) => issue.number === ours) ?? {};
      const copy = await world.openIssue({ title: 'Copied', body });
      const told = await world.open().at(world.repository).code.ownIssues(world.repository);
      const of = (number: number) => told.find((issue) => issue.number === number);
      expect(of(ours)).toMatchObject({
        title: 'About told',
        state: 'open',
        labels: ['code-watch'],
        marker: { kind: 'report', key: 'told' },
      });
      expect(of(settled)).toMatchObject({ state: 'closed', marker: { key: 'told and closed' } });
      expect(of(copy.number)).toBeUndefined();
    });

    test('copied by a person with the marker are not taken for ours', async () => {
      const ours = numberOf(await ensure(wanted('copied')));
      const { body } = world.issues().find((issue) => issue.number === ours) ?? { body: '' };
      const copy = await world.openIssue({ title: 'Mine', body });
      await world.open().at(at(ours)).write.ensureClosed(at(ours), 'completed');
      const again = await ensure(wanted('copied', { body: 'New.' }));
      expect(again).toMatchObject({ outcome: 'reopened', number: ours });
      expect(world.issues().find((issue) => issue.number === copy.number)?.body).toBe(body);
    });
  });
}
