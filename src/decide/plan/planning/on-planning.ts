/** Planning, step by step: the thread was read, the PM has answered, the plan is opened or rewritten. */
import { isBudgetCode } from '../../../domain/event/budget-codes.ts';
import { permitUnless, type Permit } from '../../../domain/run/permit/permit.ts';
import { withoutCommands } from '../../../domain/commands/command-line.ts';
import { HANDLED, ignore, toIgnored, type Outcome } from '../../run/outcome.ts';
import { pmCaps } from '../../../domain/run/caps.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { Failure } from '../../../domain/event/errors.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { OfflineBrief } from '../../../domain/run/evidence.ts';
import { capWords } from '../../../domain/config/host-caps.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import { wishFor } from '../../../domain/run/model-pool.ts';
import { toPlanBody, type PlanDraft, type PmProposal } from '../../../domain/plan/draft.ts';
import { SCENARIOS } from '../../../domain/plan/docs-tasks.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../domain/plan/plan-digest.ts';
import type { Planning } from '../../../domain/plan/planning.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import type { LookResult } from '../../../domain/event/result.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { IssueView } from '../../../domain/run/view.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { createStep, emitEffect, type Decision } from '../../run/decision.ts';
import { countUse, usedLine } from '../../run/used-notes.ts';
import { planPrompt } from './plan-prompt.ts';
import { keepNotes, toMade } from './to-made.ts';
import type { ThreadContext, ResultData } from '../../run/thread-context.ts';
import { wishedEvidence } from '../../run/scanned.ts';
import { askQuestions, end, dropPlanning, refuse } from './end.ts';
import { openPlan, rewritePlan, onOpened, onRewritten } from './open-plan.ts';
import { renderMissedPlanning, sayAsPm } from './render-planning.ts';
import { look, type PlanningContext } from './start-planning.ts';

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** A result that planning waited for. */
export function onPlanning(
  { state, event, now }: ThreadContext,
  planning: Planning,
  data: ResultData,
): Decision {
  const step = createStep(event.key, planning, now);
  const outcome = onResult({ state, planning, step }, data);
  const { effects, events } = step;
  return { state, effects, events, ...toIgnored(outcome) };
}

function onResult(planningContext: PlanningContext, data: ResultData): Outcome {
  const { planning } = planningContext;
  if (data.kind === 'timer') return ignore('no timer was set');
  const { phase } = planning;
  if (phase.kind === 'waiting') return onQuestions(planning, data);
  if (phase.effectId !== data.effectId) return ignore('nothing waits for it');
  return data.kind === 'failed' ? onFailure(planningContext, data) : onDone(planningContext, data);
}

function onDone(
  planningContext: PlanningContext,
  data: Extract<ResultData, { kind: 'done' }>,
): Outcome {
  if (data.effectKind === 'look-plan') return onEarlierView(planningContext, data);
  if (data.effectKind === 'look') return onLook(planningContext, data.result);
  if (data.effectKind === 'propose') return onProposal(planningContext, data);
  if (data.effectKind === 'issue') return onOpened(planningContext, data.result);
  return data.effectKind === 'plan-edit'
    ? onRewritten(planningContext, data.result.outcome)
    : ignore('nothing waits for it');
}

/** What is said below them may be the answer. */
function onQuestions(planning: Planning, data: ResultData): Outcome {
  if (data.kind !== 'done' || data.effectKind !== 'comment') return ignore('nothing waits for it');
  planning.questionsId = data.result.id;
  return HANDLED;
}

function onFailure(
  planningContext: PlanningContext,
  { failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { planning, state } = planningContext;
  if (planning.phase.kind !== 'checking') return refuse(planningContext, wordsFor(failure));
  // What was deleted is no plan any more.
  delete state.proposed;
  look(planningContext);
  return HANDLED;
}

function wordsFor(failure: Pick<Failure, 'code' | 'message'>): string {
  const { code } = failure;
  const hostCap = capWords(failure);
  if (hostCap !== undefined) return hostCap;
  if (code === 'budget-thread') return 'The budget for the PM in this thread is used up.';
  if (isBudgetCode(code)) return 'The budget for the PM is used up for today.';
  return `The PM made no plan (\`${code}\`). Ask again, or write a plan with the issue form.`;
}

function onEarlierView(planningContext: PlanningContext, { result }: Done<'look-plan'>): Outcome {
  const { state } = planningContext;
  const { issue, config } = result;
  const labels = { ...DEFAULT_LABELS, ...config.labels };
  const isOpen =
    issue.state === 'open' &&
    issue.labels.includes(labels.plan) &&
    !issue.labels.includes(labels['plan:superseded']);
  if (isOpen)
    return refuse(
      planningContext,
      `Plan #${issue.number} was made from this thread and is open. \`/pm revise …\` there revises it; \`/pm reject\` there makes room for another plan.`,
    );
  delete state.proposed;
  look(planningContext);
  return HANDLED;
}

/** The thread was read: the PM thinks, unless something forbids it. */
function onLook(planningContext: PlanningContext, looked: LookResult): Outcome {
  const { planning, step } = planningContext;
  const { view, nonce, memory } = looked;
  if (view.repository.host !== undefined) planning.host = view.repository.host;
  const permit = mayPlan(planning, looked);
  if (permit.kind === 'refused') return refuse(planningContext, permit.reason);
  if (planning.rounds > 0 && !hasAnswer(planning, view)) {
    planning.phase = { kind: 'waiting' };
    return ignore('nobody who may write has answered yet');
  }
  planning.planLabel = { ...DEFAULT_LABELS, ...view.config.labels }.plan;
  keepNotes(planning, memory);
  const evidence = wishedEvidence(looked, planning.wish);
  const { model, tier } = wishFor(
    { model: 'cheap', tier: 'cheap' },
    { aliases: view.config.models.aliases, thread: planningContext.state.switches?.[0]?.model },
  );
  const effectId = emitEffect(step, {
    kind: 'propose',
    thread: planning.thread,
    sha: view.repository.headSha,
    model,
    tier,
    nonce,
    prompt: planPrompt({
      view,
      nonce,
      evidence,
      actor: planning.actor,
      wish: planning.wish,
      revises: planning.revises !== undefined,
      completed: planning.revises?.completed ?? [],
      followsUp: planning.followsUp === true,
      mayAsk: planning.rounds < MAX_ROUNDS && planning.followsUp !== true,
      memory,
    }),
    brief: toBrief(planning, view, evidence),
    caps: pmCaps(view.config, planning.actor),
  });
  planning.phase = { kind: 'thinking', effectId };
  return HANDLED;
}

/** Then it takes what is likely. */
const MAX_ROUNDS = 2;

function hasAnswer({ questionsId = 0 }: Planning, { comments }: IssueView): boolean {
  return comments.some(
    ({ id, author, permission, body }) =>
      id > questionsId &&
      !author.isBot &&
      hasPermission(permission, 'write') &&
      withoutCommands(body) !== '',
  );
}

/** The first thing that forbids it, read now: a role can be taken away in between (CMD-02). */
function mayPlan(planning: Planning, { view, stopped }: LookResult): Permit {
  const { issue, config, repository, actorPermission } = view;
  const needed = requiredPermission(config.access, planning.revises ? 'revise' : 'plan', 'change');
  const labels = { ...DEFAULT_LABELS, ...config.labels };
  return permitUnless([
    [
      !planning.actor.isBot && !hasPermission(actorPermission, needed),
      `A plan needs somebody with the \`${needed}\` role.`,
    ],
    [stopped !== undefined, stopped ?? ''],
    [!config.enabled || repository.isArchived, 'Quorum is switched off here.'],
    [issue.isLocked, 'The conversation is locked.'],
    [
      issue.state === 'closed' && planning.followsUp !== true,
      'The thread was closed in the meantime.',
    ],
    [planning.followsUp === true && !view.paths.includes(SCENARIOS), `There is no ${SCENARIOS}.`],
    [issue.labels.includes(labels.hold), 'This thread is on hold: no new work starts here.'],
    [isMoved(planning, view), 'The plan changed in the meantime. Ask again.'],
  ]);
}

function isMoved({ revises }: Planning, { issue }: IssueView): boolean {
  return revises !== undefined && planDigest(parsePlan(issue.body)) !== revises.digest;
}

/** For the model that needs no key: the words themselves, without what nobody sees. */
function toBrief(
  planning: Planning,
  { issue }: IssueView,
  evidence: OfflineBrief['evidence'],
): OfflineBrief {
  return {
    evidence,
    purpose: 'plan',
    persona: { handle: 'pm', name: 'PM', role: 'PM', lens: '', domains: [] },
    verdicts: ['HUMAN'],
    round: 1,
    mode: 'single',
    plan: {
      title: plain(issue.title),
      body: plain(issue.body),
      wish: plain(planning.wish),
      isRevision: planning.revises !== undefined || planning.followsUp === true,
      hasAnswers: planning.rounds > 0,
    },
  };
}

const MAX_WORDS = 16_000;

function plain(text: string): string {
  return redactSecrets(visibleText(text, MAX_WORDS).text);
}

function onProposal(planningContext: PlanningContext, { result }: Done<'propose'>): Outcome {
  const { planning, step } = planningContext;
  const { word, made } = toMade(result, planning.notes ?? []);
  planning.made = made;
  countUse(step, planning.thread, made.used ?? []);
  // Rules cannot hold words against code.
  if (planning.followsUp === true && (planning.made.isOffline || word.kind === 'questions'))
    return dropPlanning(planningContext);
  if (word.kind === 'questions') return askQuestions(planningContext);
  if (word.kind === 'answer')
    return end(planningContext, { text: sayAsPm(word.answer, planning), isDone: true });
  return planFrom(planningContext, word);
}

function planFrom(planningContext: PlanningContext, { plan: draft }: PmProposal): Outcome {
  const { planning } = planningContext;
  const { owner, repo } = planning.thread;
  const repository = `${owner}/${repo}`;
  const unreadable = wordsFor({ code: 'model-invalid-output', message: '' });
  if (draft === undefined || draft === null) return refuse(planningContext, unreadable);
  const made = toPlanBody(planning.followsUp === true ? fewOf(draft) : draft, {
    repository,
    host: planning.host,
    context: contextOf(planning),
  });
  if (made.problems.length > 0) return refuse(planningContext, unreadable);
  if (planning.made !== undefined) planning.made.tasks = made.plan.tasks.length;
  return planning.revises === undefined
    ? openPlan(planningContext, made)
    : rewritePlan(planningContext, planning.revises, made.plan);
}

/** A loop that always finds more to do would never end. */
const MAX_FOLLOW_UPS = 3;

function fewOf(draft: PlanDraft): PlanDraft {
  const tasks = draft.tasks.slice(0, MAX_FOLLOW_UPS);
  const left = new Set(tasks.map(({ number }) => number));
  const within = (each: number): boolean => left.has(each);
  return {
    ...draft,
    tasks: tasks.map((task) => ({ ...task, dependencies: task.dependencies.filter(within) })),
  };
}

/** Where it comes from; the plan that is made again says so already. */
function contextOf(planning: Planning): string {
  const { thread, actor, revises, followsUp } = planning;
  if (revises !== undefined) return '';
  if (followsUp === true)
    return `Proposed by the PM when #${thread.number} was complete: what ${SCENARIOS} says and the code does not do.`;
  const from = `Proposed by the PM from #${thread.number}, asked for by ${actor.login}.`;
  const used = (planning.made?.used ?? []).map((note) => `- ${usedLine(note)}`).join('\n');
  return [renderMissedPlanning(planning), from, used].filter((part) => part !== '').join('\n\n');
}
