/** Weeks of a repository: the clock is put to the end of one, and what the App writes then is read. */
import { DEFAULT_WEEK, weekAt, type WeekSetting } from '../../src/domain/digest/week.ts';
import type { WeekState } from '../../src/domain/digest/week-view.ts';
import { STATUS_TITLE } from '../../src/domain/digest/weekly-digest.ts';
import { toRepositoryState } from '../../src/domain/repository/repository-state.ts';
import type { JumpClock } from './a-jump-clock.ts';
import { REPO, type TestWorld } from './a-world.ts';
import { waitUntil } from './wait-until.ts';

/** What is kept of the repository's weeks. */
export async function weekOf({ store, emulator }: TestWorld): Promise<WeekState | undefined> {
  const { id } = emulator.repository(REPO);
  return toRepositoryState((await store.load(`repository:${id}`))?.state)?.week;
}

/** Lets the present week end, and waits until nothing of it is under way. */
export async function endWeek(
  world: TestWorld,
  clock: JumpClock,
  setting: WeekSetting = DEFAULT_WEEK,
): Promise<void> {
  await world.idle();
  const before = (await weekOf(world))?.timer;
  clock.jump(weekAt(clock.now(), setting).until - clock.now() + 1_000);
  await waitUntil(async () => {
    const { timer, looking, showing } = (await weekOf(world)) ?? {};
    const isDone = before === undefined || timer !== before;
    return isDone && looking === undefined && showing === undefined;
  });
  await world.idle();
}

export interface StatusIssue {
  number: number;
  state: string;
  body: string;
  user: { login: string };
}

/** All that the App opened under that title, open and closed. */
export async function statusIssues({ emulator }: TestWorld): Promise<StatusIssue[]> {
  const path = `/repos/${REPO}/issues?state=all&per_page=100`;
  const all = (await emulator.as('ana').request('GET', path)) as (StatusIssue & {
    title: string;
  })[];
  return all.filter(({ title }) => title === STATUS_TITLE);
}

/** The only one. */
export async function statusIssue(world: TestWorld): Promise<StatusIssue> {
  const [found, ...others] = await statusIssues(world);
  if (found === undefined || others.length > 0) throw new Error('there is not exactly one');
  return found;
}
