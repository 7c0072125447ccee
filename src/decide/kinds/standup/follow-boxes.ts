/** Boxes of a standup: a ticked one makes the follow-up issue, from what is stored and never from the comment's text. */
import { isTension } from '../../../domain/standup/insight.ts';
import type { FollowUp } from '../../../domain/standup/standup-comment.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { TensionMove, TensionMoved, TicksLook } from '../../../domain/standup/standup-run.ts';
import { isFound } from '../../../domain/tension/follow-up-issue.ts';
import type { Tension } from '../../../domain/tension/tension.ts';
import { threadKey, type Actor } from '../../../domain/run/thread-ref.ts';
import { emitEffect, emitEvent } from '../../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { RunContext } from '../../run/thread-context.ts';
import { readLater, restoreComment, writeStandup } from './show-standup.ts';
import { wantFollowUp } from './want-follow-up.ts';

type Context = RunContext<'standup'>;
type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** Somebody edited the comment; without a name, its time to be read has come. */
export function readBoxes(context: Context, by?: Actor): Outcome {
  const { run, step } = context;
  const { thread, commentId, body, about } = run;
  if (commentId === undefined || body === undefined) return ignore('nothing is shown');
  if (by === undefined) readLater(context);
  emitEffect(
    step,
    {
      kind: 'look-ticks',
      thread,
      commentId,
      body,
      ...(by && { by }),
      ...(about && { standup: about.run }),
    },
    { lane: `ticks:${threadKey(thread)}` },
  );
  return HANDLED;
}

/** What was edited, or ticked by somebody who may not, is written again as it is stored. */
export function onTicksRead(context: Context, look: TicksLook): Outcome {
  const { run, step } = context;
  if (look.kind === 'void') return ignore(look.why);
  if (look.kind === 'edited' || !look.mayChange) {
    restoreComment(context);
    return HANDLED;
  }
  const { shown, thread } = run;
  const known = new Set((shown?.insights ?? []).filter(isTension).map(({ id }) => id));
  const { id, login } = look.by;
  const move =
    (kind: 'accept' | 'withdraw') =>
    (insight: string): TensionMove[] =>
      known.has(insight) ? [{ kind, which: { insight }, by: login }] : [];
  const moves = [
    ...look.ticked.flatMap(move('accept')),
    ...look.unticked.flatMap(move('withdraw')),
  ];
  if (shown === undefined || moves.length === 0) return ignore('the insights are not known here');
  emitEffect(
    step,
    {
      kind: 'move-tensions',
      thread,
      moves,
      authority: { user: { id, login }, needed: 'write' },
    },
    { lane: `tensions:${thread.repositoryId}` },
  );
  return HANDLED;
}

/** Opens a follow-up for each accepted tension that has none, and shows those that are linked. */
export function onTensionsMoved(context: Context, moved: readonly TensionMoved[]): Outcome {
  const { run } = context;
  const { shown } = run;
  if (shown === undefined) return ignore('nothing is shown');
  for (const each of moved) {
    if (!each.isMoved) continue;
    const { tension, insight } = each;
    if (insight !== undefined) tick(context, insight, tension);
    if (tension.state === 'accepted' && tension.issue === undefined) openFollowUp(context, tension);
  }
  writeStandup(context);
  return HANDLED;
}

function tick({ run }: Context, insight: string, tension: Tension): void {
  if (run.shown === undefined) return;
  const others = run.shown.ticked.filter((id) => id !== insight);
  run.shown.ticked = tension.state === 'open' ? others : [...others, insight];
  const followUp = followUpOf(tension);
  if (followUp !== undefined) run.shown.followUps = { ...run.shown.followUps, [insight]: followUp };
}

function followUpOf({ state, issue, by, closedBy }: Tension): FollowUp | undefined {
  if (state === 'closed')
    return {
      kind: 'closed',
      ...(issue === undefined ? {} : { number: issue }),
      ...(closedBy !== undefined && 'sha' in closedBy ? { sha: closedBy.sha } : {}),
      ...(closedBy?.kind === 'commit' && closedBy.pull !== undefined
        ? { pull: closedBy.pull }
        : {}),
    };
  if (state === 'rejected') return { kind: 'rejected', by: by ?? '' };
  return issue === undefined ? undefined : { kind: 'issue', number: issue };
}

/** One for each tension of the repository, however often it is ticked: found again by its marker. */
function openFollowUp({ run, step }: Context, tension: Tension): void {
  const isOpening = Object.values(run.opening ?? {}).some(
    (each) => each.tension === tension.number,
  );
  if (isOpening) return;
  const { thread, shown } = run;
  const effectId = wantFollowUp(step, tension, {
    thread,
    names: shown?.names ?? {},
    headSha: shown?.headSha ?? '',
  });
  run.opening = {
    ...run.opening,
    [effectId]: { tension: tension.number, insights: tension.insights },
  };
}

/** The issue is there: the tension knows it, the comment shows it, and its own thread knows what it is for. */
export function onIssueOpened(context: Context, { effectId, result }: Done<'issue'>): Outcome {
  const { run, step } = context;
  const opened = run.opening?.[effectId];
  if (opened === undefined || !isFound(result)) return ignore('no follow-up of this standup');
  const { [effectId]: _, ...others } = run.opening ?? {};
  run.opening = others;
  const { tension } = opened;
  emitEffect(
    step,
    {
      kind: 'move-tensions',
      thread: run.thread,
      moves: [{ kind: 'link', number: tension, issue: result.number }],
    },
    { lane: `tensions:${run.thread.repositoryId}` },
  );
  for (const insight of opened.insights)
    note(context, insight, { kind: 'issue', number: result.number });
  const issue = { ...run.thread, number: result.number };
  emitEvent(
    step,
    { kind: 'followed-up', run: run.id, tension, standup: run.thread },
    { key: threadKey(issue), suffix: `follows-${tension}` },
  );
  writeStandup(context);
  return HANDLED;
}

/** A follow-up that GitHub refuses is reported below its box. Ticking the box again retries it. */
export function onBoxFailure(
  context: Context,
  { effectId, failure }: Pick<Extract<EventData, { kind: 'failed' }>, 'effectId' | 'failure'>,
): Outcome {
  const { run } = context;
  const opened = run.opening?.[effectId];
  if (opened === undefined) return ignore(`it was over: ${failure.code}`);
  const { [effectId]: _, ...others } = run.opening ?? {};
  run.opening = others;
  const why = `GitHub refused the issue (${failure.code})`;
  for (const insight of opened.insights) note(context, insight, { kind: 'waits', why });
  writeStandup(context);
  return HANDLED;
}

function note({ run }: Context, insight: string, followUp: FollowUp): void {
  const { shown } = run;
  if (shown === undefined || !shown.insights.some(({ id }) => id === insight)) return;
  shown.followUps = { ...shown.followUps, [insight]: followUp };
}

/** A follow-up ended: the comment that it came from says how. */
export function showEnd(context: Context, tension: Tension): Outcome {
  const followUp = followUpOf(tension);
  if (followUp === undefined) return ignore('the tension is open');
  for (const insight of tension.insights) note(context, insight, followUp);
  writeStandup(context);
  return HANDLED;
}
