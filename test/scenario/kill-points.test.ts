/** kill -9 around each effect of a deliberation: the App starts again on its data and the world ends the same. */
import { describe, expect } from 'vitest';
import { aKilledApp, POINTS, type KillAt } from '../helpers/a-killed-app.ts';
import { READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { shareOfToday } from '../helpers/share-of-today.ts';
import { verifies } from '../verifies.ts';

const EFFECTS: Omit<KillAt, 'point'>[] = [
  { kind: 'look', nth: 1 },
  { kind: 'look', nth: 2 },
  { kind: 'ask', nth: 2 },
  { kind: 'react', nth: 1 },
  { kind: 'comment', nth: 1 },
  { kind: 'comment', nth: 2 },
  { kind: 'labels', nth: 1 },
  { kind: 'react', nth: 2 },
  { kind: 'close', nth: 1 },
  { kind: 'check', nth: 1 },
];
const CASES = EFFECTS.flatMap((effect) => POINTS.map((point) => ({ ...effect, point })));
const FILES = {
  '.github/quorum/personas/robin.md': '---\nhandle: robin\nname: Robin\nrole: Reviewer\n---\n',
};

const DUPLICATE = { title: READY_ISSUE.title, body: READY_ISSUE.body };

describe(`kill -9, in ${CASES.length} places of a deliberation`, () => {
  for (const at of shareOfToday(CASES)) {
    verifies(
      ['P1', 'P2'],
      `${at.point} of ${at.kind} ${at.nth}: the same end, nothing twice`,
      async () => {
        const app = await aKilledApp(FILES);
        const number = await anIssueFor(at.kind, app.world);
        await app.startUntil(at);
        await app.world.emulator.as('ana').label(REPO, number, ['deliberate']);
        await app.killed();
        await app.runToRest();
        await expectOneEnd(app.world, number, at.kind);
      },
    );
  }
});

async function anIssueFor(kind: string, world: TestWorld): Promise<number> {
  if (kind === 'close') await world.emulator.as('ana').openIssue(REPO, DUPLICATE);
  const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
  await world.emulator.settled();
  return number;
}

async function expectOneEnd(world: TestWorld, number: number, kind: string): Promise<void> {
  const told = await world.tell(number);
  expect(told.comments).toHaveLength(1);
  const isClosed = kind === 'close';
  expect(told.state).toBe(isClosed ? 'closed' : 'open');
  expect(told.labels).toEqual(isClosed ? [] : ['ready']);
  expect(told.reactions).toEqual([isClosed ? '+1' : 'rocket']);
  const { check_runs: runs } = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/commits/main/check-runs`)) as { check_runs: unknown[] };
  expect(runs).toHaveLength(1);
}
