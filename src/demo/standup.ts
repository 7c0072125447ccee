/** The act of the standup: what the team noticed, a ticked box, and the change that closes the tension. */
import { until } from '../hosts/follow-runs.ts';
import { ofKind, type Run } from '../domain/run/state/run-record.ts';
import { threadState } from '../hosts/follow-runs.ts';
import { isTension } from '../domain/standup/insight.ts';
import type { Tension } from '../domain/tension/tension.ts';
import type { DemoStandupSeen } from '../hosts/cli/demo/actions-result.ts';
import type { Clock } from '../ports/clock.ts';
import { pushBranch } from './push-commits.ts';
import { FOLLOW_UP_PULL } from './project/follow-up-pull.ts';
import { MAINTAINER, REPOSITORY } from './project/people.ts';
import type { Story } from './story.ts';
import type { World } from './open-world.ts';

export interface DemoStandup extends DemoStandupSeen {
  /** The pull request and commit that closed the tension. */
  closedBy: { pull: number | undefined; sha: string } | undefined;
}

export interface StandupTelling {
  clock: Clock;
  timeoutMs: number;
  onAct: (says: string) => void;
}

/** Ticks the box and merges what does it; how that ends is read at the end of the story. */
export async function tickAndMerge(
  world: World,
  { key, number }: Story,
  { clock, timeoutMs, onAct }: StandupTelling,
): Promise<void> {
  const wait = <T>(waitsFor: string, look: () => Promise<T | undefined>): Promise<T> =>
    until({ clock, timeoutMs, waitsFor }, look);
  const run = await wait('the standup', () => shownStandup(world, key));
  onAct(
    `The team holds its standup on #${number}; @${MAINTAINER} ticks a box, and @${FOLLOW_UP_PULL.author} does what it asks for`,
  );
  const maintainer = world.emulator.as(MAINTAINER);
  const body = ownComment(world, number, run.commentId ?? 0).replace('- [ ] Make', '- [x] Make');
  const at = `/repos/${REPOSITORY}/issues/comments/${run.commentId ?? 0}`;
  await maintainer.request('PATCH', at, { body });
  const issue = await wait('the follow-up issue', async () => (await tensions(world))[0]?.issue);
  const { author, branch, title, commits } = FOLLOW_UP_PULL;
  const person = world.emulator.as(author);
  await pushBranch({ person }, branch, commits);
  const text = `Fixes #${issue}`;
  const pull = await person.openPull(REPOSITORY, { title, body: text, head: branch });
  await maintainer.request('PUT', `/repos/${REPOSITORY}/pulls/${pull.number}/merge`, {});
}

/** The standup of the plan's end, once its comment is there. */
async function shownStandup({ store }: World, key: string): Promise<Run<'standup'> | undefined> {
  const { runs } = await threadState(store, key);
  const held = Object.values(runs).flatMap((run) => ofKind(run, 'standup') ?? []);
  return held.find(({ commentId }) => commentId !== undefined);
}

function ownComment({ emulator }: World, number: number, id: number): string {
  const { comments = [] } = emulator.repository(REPOSITORY).threads.get(number) ?? {};
  return comments.find((each) => each.id === id)?.body ?? '';
}

async function tensions({ store, emulator }: World): Promise<Tension[]> {
  const { id } = emulator.repository(REPOSITORY);
  return (await store.standups.load(id, 'tensions'))?.value.tensions ?? [];
}

/** Waits for the end of the tension, and says what is not as it should be. */
export async function concludeStandup(
  world: World,
  { clock, timeoutMs }: Pick<StandupTelling, 'clock' | 'timeoutMs'>,
): Promise<DemoStandup> {
  const waiting = { clock, timeoutMs, waitsFor: 'the end of the tension' };
  const tension = await until(waiting, async () =>
    (await tensions(world)).find(({ state }) => state === 'closed'),
  );
  const { id } = world.emulator.repository(REPOSITORY);
  const kept = await world.store.standups.insights({ repositories: [id], limit: 100 });
  const insights = kept.insights.filter(isTension).map(({ from, message }) => ({ from, message }));
  const { closedBy } = tension;
  const commit =
    closedBy?.kind === 'commit' ? { pull: closedBy.pull, sha: closedBy.sha } : undefined;
  return {
    insights,
    noTension: kept.noTension,
    followUp: tension.issue,
    closedBy: commit,
    problems: [
      ...(insights.length === 0 ? ['nobody had a tension'] : []),
      ...(commit?.pull === undefined ? ['no merged pull request closed the tension'] : []),
    ],
  };
}
