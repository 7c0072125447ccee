/** Which persona's memory a pass of a sweep takes, and when a later pass looks again. */
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import {
  parseActionsState,
  renderActionsState,
  type ActionsState,
} from '../../src/domain/actions/actions-state.ts';
import { recordDone } from '../../src/domain/actions/spending/settle-claim.ts';
import { bookSpending } from '../../src/domain/actions/spending/book-spending.ts';
import { workingPath } from '../../src/domain/memory/file/apply-change.ts';
import { addEntries } from '../../src/domain/memory/file/edit-memory-file.ts';
import { renderMemoryFile } from '../../src/domain/memory/file/memory-file.ts';
import { reserveFirst } from '../../src/hosts/action/sweep/memory/reserve-memory.ts';
import { aMemoryWorld, AT, type MemoryBranches } from '../act/memory/a-memory-world.ts';
import { anEntry } from '../domain/memory/some-memory.ts';
import { THREAD } from '../helpers/play.ts';

const BRANCH = 'quorum/memory';
const STATE = 'state/actions.json';
const NOW = Date.parse(AT);
const HOUR_MS = 3_600_000;
const EMPTY = parseActionsState(undefined) as ActionsState;

const entries = ['2026-02-01', '2026-02-08', '2026-02-15'].map((createdAt, at) =>
  anEntry({
    id: `000000000${at}`,
    createdAt,
    text: `Webhook retries must check the delivery id, case ${at}`,
  }),
);
const REPEATED = renderMemoryFile(addEntries({ parts: [], problems: [] }, entries));

/** Lessons of maya and carlos that repeat. */
function remembering(state: ActionsState = EMPTY): MemoryBranches {
  const world = aMemoryWorld();
  world.branches[BRANCH] = {
    [workingPath('maya')]: REPEATED,
    [workingPath('carlos')]: REPEATED,
    [STATE]: renderActionsState(state),
  };
  return world;
}

const stateOf = ({ branches }: MemoryBranches): ActionsState =>
  parseActionsState(branches[BRANCH]?.[STATE]) as ActionsState;

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };

function reserve(
  world: MemoryBranches,
  { run = '77', now = NOW, due = ['maya', 'carlos'] } = {},
): ReturnType<typeof reserveFirst> {
  const { ports, readSettings } = world.context();
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  return reserveFirst(due, {
    sweeping: {
      basics: { env: {}, log, clock, random: systemRandom },
      context: { repository: THREAD, workflowRun: run, attempt: 1 } as never,
      sweep: { ports, readSettings },
      state: stateOf(world),
      isDry: false,
      lifeMs: HOUR_MS,
    },
    place: { github: ports.github as never, repository: THREAD, branch: BRANCH },
    config: world.config,
    at: new Date(now).toISOString(),
    files: new Map(Object.entries(world.branches[BRANCH] ?? {})),
  });
}

describe('a pass', () => {
  test('takes the first persona, and names those that a later pass looks at', async () => {
    const world = remembering();
    const { lines, ticket } = await reserve(world);
    expect(ticket).toMatchObject({ persona: 'maya' });
    expect(lines.at(-1)).toBe('A later pass looks at `carlos`.');
    expect(Object.keys(stateOf(world).claims)).toEqual([ticket?.claim]);
  });

  test('claims nothing while models have used up what a day allows, and looks again in the next one', async () => {
    const spent = bookSpending(EMPTY, new Date(NOW - HOUR_MS).toISOString(), { usd: 5, tokens: 0 });
    const world = remembering(spent);
    expect(world.config.budget.council.perDayUsd).toBe(5);
    const { lines, ticket, isUnsettled } = await reserve(world);
    expect([ticket, isUnsettled, stateOf(world).claims]).toEqual([undefined, true, {}]);
    expect(lines).toEqual([expect.stringContaining('`budget`')]);
    expect((await reserve(world, { now: NOW + 24 * HOUR_MS })).ticket).toBeDefined();
  });

  test('asks again after 14 days about what no workflow proposed in the end', async () => {
    const world = remembering();
    const { ticket } = await reserve(world);
    const event = ticket?.claim ?? '';
    const done = recordDone(stateOf(world), { event, usd: 0, now: NOW });
    const later = { now: NOW + 14 * 24 * HOUR_MS, due: ['maya'] };
    const early = { ...later, now: later.now - 1 };
    expect((await reserve(remembering(done), early)).ticket).toBeUndefined();
    expect((await reserve(remembering(done), later)).ticket?.claim).toBe(event);
  });

  test('takes the next persona while another workflow has the first', async () => {
    const world = remembering();
    await reserve(world);
    const second = await reserve(world, { run: '78' });
    expect(second.ticket?.persona).toBe('carlos');
    expect(second.lines[0]).toBe('`maya`: another workflow has it.');
    const third = await reserve(world, { run: '79' });
    expect([third.ticket, third.isUnsettled]).toEqual([undefined, true]);
  });

  test('tries once more where the files of this persona changed, not where those of another one did', async () => {
    const world = remembering();
    const claim = (await reserve(world)).ticket?.claim;
    const change = (handle: string) =>
      Object.assign(world.branches[BRANCH] ?? {}, { [workingPath(handle)]: `${REPEATED}\n` });
    change('carlos');
    expect((await reserve(world)).ticket?.claim).toBe(claim);
    change('maya');
    expect((await reserve(world)).ticket?.claim).not.toBe(claim);
  });

  test('looks again in the next pass where GitHub cannot say yet who pushed', async () => {
    const world = remembering();
    world.doubtful = 'all';
    expect(await reserve(world)).toEqual({
      lines: ['maya', 'carlos'].map(
        (handle) => `\`${handle}\`: GitHub does not say who pushed this memory.`,
      ),
      isUnsettled: true,
    });
    world.doubtful = 'untold';
    expect(await reserve(world)).not.toHaveProperty('isUnsettled');
  });
});
