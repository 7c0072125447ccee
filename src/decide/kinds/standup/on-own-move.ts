/** What came of a tension that a command moved: an accepted one gets its follow-up issue. */
import type { EventData } from '../../../domain/event/event.ts';
import type { IssueOutcome } from '../../../domain/github/issue-outcome.ts';
import type { TensionMoved } from '../../../domain/standup/standup-run.ts';
import { renderPhrase } from '../../../domain/persona/phrases.ts';
import { followUpTitle, isFound } from '../../../domain/tension/follow-up-issue.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import { asCode } from '../../run/command-context.ts';
import {
  createStep,
  emitEffect,
  emitEvent,
  ignored,
  type Decision,
  type Step,
} from '../../run/decision.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import {
  writeLane,
  type ResultData,
  type TensionMoveWanted,
  type ThreadContext,
} from '../../run/thread-context.ts';
import { wantFollowUp } from './want-follow-up.ts';

type Failed = Extract<EventData, { kind: 'failed' }>;
type Kept = TensionMoveWanted;

/** Undefined for what no command asked for. */
export function onOwnMove(context: ThreadContext, data: ResultData): Decision | undefined {
  const { state, event, now } = context;
  if (data.kind === 'timer') return undefined;
  const kept = state.tensionMoves?.[data.effectId];
  if (kept === undefined) return undefined;
  const { [data.effectId]: _, ...others } = state.tensionMoves ?? {};
  state.tensionMoves = others;
  if (data.kind === 'failed') return tellFailure(context, data, kept);
  const step = createStep(event.key, { id: `tension:${data.effectId}`, step: 0 }, now);
  if (data.effectKind === 'issue') onOpened(step, kept, data.result);
  if (data.effectKind === 'move-tensions') openFollowUps(context, step, { kept, ...data.result });
  return step.effects.length === 0
    ? ignored(state, 'the tensions are as the command wanted them')
    : { state, effects: step.effects, events: step.events };
}

/** The issue is there: the tension knows it, and its own thread knows what it is for. */
function onOpened(step: Step, kept: Kept, outcome: IssueOutcome): void {
  if (kept.tension === undefined || !isFound(outcome)) return;
  linkFollowUp(step, kept, outcome.number);
  tellOpened(step, kept, outcome.number);
}

/** The persona that raised the tension tells the person who asked, in its own sentence (TG-19). */
function tellOpened(step: Step, { thread, tension = 0, told }: Kept, issue: number): void {
  if (told === undefined) return;
  const { login, by, phrase, title = '' } = told;
  const sentence = renderPhrase(
    phrase === undefined ? {} : { issueCreated: phrase },
    'issueCreated',
    { username: login, url: `#${issue}`, number: String(issue), title },
  );
  const text = by === undefined ? sentence : `**${by}**: ${sentence}`;
  const { text: body } = cleanOutput(text, { repository: `${thread.owner}/${thread.repo}` });
  const marker = { kind: 'notice' as const, run: step.run.id, key: `follow-up-${tension}` };
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, isNew: true },
    { lane: writeLane(thread), isUnheard: true },
  );
}

/** Opens a follow-up for each accepted tension that has none. */
function openFollowUps(
  { state }: ThreadContext,
  step: Step,
  { kept: { thread, told }, moved }: { kept: Kept; moved: readonly TensionMoved[] },
): void {
  for (const each of moved) {
    if (!each.isMoved) continue;
    const { tension } = each;
    if (tension.state !== 'accepted' || tension.issue !== undefined) continue;
    const effectId = wantFollowUp(step, tension, { thread, names: {}, headSha: '' });
    const about = told && { told: { ...told, title: followUpTitle(tension.message) } };
    const kept = { thread, tension: tension.number, ...about };
    state.tensionMoves = { ...state.tensionMoves, [effectId]: kept };
  }
}

function linkFollowUp(step: Step, { thread, tension = 0 }: Kept, issue: number): void {
  emitEffect(
    step,
    { kind: 'move-tensions', thread, moves: [{ kind: 'link', number: tension, issue }] },
    { lane: `tensions:${thread.repositoryId}`, isUnheard: true },
  );
  emitEvent(
    step,
    { kind: 'followed-up', run: step.run.id, tension, standup: thread },
    { key: threadKey({ ...thread, number: issue }), suffix: `follows-${tension}` },
  );
}

/** The command was answered already, so a failure needs a comment. */
function tellFailure(
  { state, event, now }: ThreadContext,
  { effectId, run, failure }: Failed,
  { thread }: Kept,
): Decision {
  const step = createStep(event.key, { id: `tension:${effectId}`, step: 0 }, now);
  const marker = { kind: 'notice' as const, run, key: `tension-${effectId}` };
  const body = `The tension was not changed (${asCode(failure.code)}): ${asCode(failure.message, 400)}`;
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, isNew: true },
    { lane: writeLane(thread), isUnheard: true },
  );
  return { state, effects: step.effects, events: step.events };
}
