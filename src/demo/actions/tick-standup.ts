/** The standup of the demonstration's plan by workflows: the last merge holds it, a person ticks a box, and its issue opens. */
import { z } from 'zod';
import { KEPT_STANDUPS_PATH, parseKeptStandups } from '../../domain/actions/kept/kept-standups.ts';
import { ofKind } from '../../domain/run/state/run-record.ts';
import { isTension } from '../../domain/standup/insight.ts';
import type { DemoStandupSeen } from '../../hosts/cli/demo/actions-result.ts';
import { MAINTAINER, REPOSITORY } from '../project/people.ts';
import { failuresIn, type ActionsWorld } from './open-actions-world.ts';

const NOBODY: DemoStandupSeen = { insights: [], noTension: 0, followUp: undefined, problems: [] };

/** What the jobs of the last merge kept and showed, and the follow-up issue of its first box. */
export async function tickStandup(world: ActionsWorld, plan: number): Promise<DemoStandupSeen> {
  const held = await readStandup(world);
  if (held === undefined) return { ...NOBODY, problems: ['no standup was held'] };
  const { insights, noTension } = held;
  const jobs = await tickBox(world, { plan, commentId: held.commentId });
  const followUp = (await readStandup(world))?.followUp;
  const issue = followUp === undefined ? undefined : threadOf(world, followUp);
  return {
    insights,
    noTension,
    followUp,
    problems: [
      ...failuresIn(jobs),
      ...(insights.length === 0 ? ['nobody had a tension'] : []),
      ...(issue === undefined ? ['the ticked box opened no follow-up issue'] : []),
    ],
  };
}

interface Held extends Pick<DemoStandupSeen, 'insights' | 'noTension' | 'followUp'> {
  commentId: number;
}

const File = z.object({ content: z.string() });

/** From the signed record, as the next job reads it; undefined where none was held and shown. */
async function readStandup({ emulator, signer }: ActionsWorld): Promise<Held | undefined> {
  const at = `/repos/${REPOSITORY}/contents/${KEPT_STANDUPS_PATH}?ref=quorum/memory`;
  const found = await emulator
    .as(MAINTAINER)
    .request('GET', at)
    .catch(() => undefined);
  if (found === undefined) return undefined;
  const text = Buffer.from(File.parse(found).content, 'base64').toString();
  const kept = parseKeptStandups(text, signer);
  const runs = Object.values(kept?.runs ?? {}).flatMap((run) => ofKind(run, 'standup') ?? []);
  const run = runs.find(({ commentId }) => commentId !== undefined);
  if (run?.commentId === undefined) return undefined;
  const said = run.shown?.insights ?? [];
  return {
    commentId: run.commentId,
    insights: said.filter(isTension).map(({ from, message }) => ({ from, message })),
    noTension: said.filter((insight) => !isTension(insight)).length,
    followUp: kept?.values.tensions?.tensions.find(({ issue }) => issue !== undefined)?.issue,
  };
}

/** A person edits the comment on GitHub, which starts the workflow for comments. */
async function tickBox(
  world: ActionsWorld,
  { plan, commentId }: { plan: number; commentId: number },
) {
  const person = world.emulator.as(MAINTAINER);
  const shown = threadOf(world, plan)?.comments.find(({ id }) => id === commentId)?.body ?? '';
  const body = shown.replace('- [ ] Make', '- [x] Make');
  const at = `/repos/${REPOSITORY}/issues/comments/${commentId}`;
  const comment = await person.request('PATCH', at, { body });
  const issue = await person.request('GET', `/repos/${REPOSITORY}/issues/${plan}`);
  const payload = { action: 'edited', issue, comment, changes: { body: { from: shown } } };
  return world.play({ workflow: 'quorum.yml', name: 'issue_comment', payload, by: MAINTAINER });
}

function threadOf({ emulator }: ActionsWorld, number: number) {
  return emulator.repository(REPOSITORY).threads.get(number);
}
