/** Planning, step by step: the thread was read, the PM has thought, the plan is there or written anew. */
import { pmCaps } from '../../domain/caps.ts';
import { requiredPermission } from '../../domain/config.ts';
import type { EventData } from '../../domain/event.ts';
import type { OfflineBrief } from '../../domain/evidence.ts';
import { DEFAULT_LABELS } from '../../domain/labels.ts';
import { sumCost } from '../../domain/ledger.ts';
import { wishFor } from '../../domain/model-pool.ts';
import { toPlanBody, type PlanDraft, type PmProposal } from '../../domain/plan/draft.ts';
import { SCENARIOS } from '../../domain/plan/docs-tasks.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { planDigest } from '../../domain/plan/plan-digest.ts';
import type { Made, Planning } from '../../domain/plan/planning.ts';
import { redactSecrets } from '../../domain/secret-text.ts';
import type { LookResult, ProposeResult } from '../../domain/result.ts';
import { hasPermission } from '../../domain/thread.ts';
import type { IssueView } from '../../domain/view.ts';
import { visibleText } from '../../domain/visible-text.ts';
import { createStep, want, type Decision } from '../decision.ts';
import { planPrompt } from '../prompts/plan.ts';
import type { Occasion, ResultData } from '../scene.ts';
import { wishedEvidence } from '../scanned.ts';
import { ask, end, leave, refuse } from './end.ts';
import { openPlan, rewritePlan, takeOpened, takeRewritten } from './open.ts';
import { prose } from './render.ts';
import { look, type PlanningScene } from './start.ts';

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** Something that planning waited for came back. */
export function takePlanning(
  { state, event, now }: Occasion,
  planning: Planning,
  data: ResultData,
): Decision {
  const step = createStep(event.key, planning, now);
  const reason = takeResult({ state, planning, step }, data);
  const { effects, events } = step;
  return { state, effects, events, ...(reason === undefined ? {} : { ignored: reason }) };
}

function takeResult(scene: PlanningScene, data: ResultData): string | undefined {
  const { planning } = scene;
  if (data.kind === 'timer') return 'no timer was set';
  const { phase } = planning;
  if (phase.kind === 'waiting') return takeQuestions(planning, data);
  if (phase.effectId !== data.effectId) return 'nothing waits for it';
  return data.kind === 'failed' ? takeFailure(scene, data) : takeDone(scene, data);
}

function takeDone(
  scene: PlanningScene,
  data: Extract<ResultData, { kind: 'done' }>,
): string | undefined {
  if (data.effectKind === 'look-plan') return takeEarlier(scene, data);
  if (data.effectKind === 'look') return takeLook(scene, data.result);
  if (data.effectKind === 'propose') return takeProposal(scene, data);
  if (data.effectKind === 'issue') return takeOpened(scene, data.result);
  return data.effectKind === 'plan-edit'
    ? takeRewritten(scene, data.result.outcome)
    : 'nothing waits for it';
}

/** What is said below them may be the answer. */
function takeQuestions(planning: Planning, data: ResultData): string | undefined {
  if (data.kind !== 'done' || data.effectKind !== 'comment') return 'nothing waits for it';
  planning.questionsId = data.result.id;
  return undefined;
}

function takeFailure(
  scene: PlanningScene,
  { failure }: Extract<EventData, { kind: 'failed' }>,
): string | undefined {
  const { planning, state } = scene;
  if (planning.phase.kind !== 'checking') return refuse(scene, wordsFor(failure.code));
  // What was deleted is no plan any more.
  delete state.proposed;
  look(scene);
  return undefined;
}

function wordsFor(code: string): string {
  if (code === 'budget-thread') return 'The budget for the PM in this thread is used up.';
  if (code.startsWith('budget-')) return 'The budget for the PM is used up for today.';
  return `No plan came of it (\`${code}\`). Ask again, or write one from the form.`;
}

function takeEarlier(scene: PlanningScene, { result }: Done<'look-plan'>): string | undefined {
  const { state } = scene;
  const { issue, config } = result;
  const labels = { ...DEFAULT_LABELS, ...config.labels };
  const isOpen =
    issue.state === 'open' &&
    issue.labels.includes(labels.plan) &&
    !issue.labels.includes(labels['plan:superseded']);
  if (isOpen)
    return refuse(
      scene,
      `Plan #${issue.number} grew from this thread and is open: \`/pm revise …\` there has it made again, \`/pm reject\` there makes room for another one.`,
    );
  delete state.proposed;
  look(scene);
  return undefined;
}

/** The thread was read: the PM thinks, unless something forbids it. */
function takeLook(scene: PlanningScene, looked: LookResult): string | undefined {
  const { planning, step } = scene;
  const { view, nonce } = looked;
  const why = whyNot(planning, looked);
  if (why !== undefined) return refuse(scene, why);
  if (planning.rounds > 0 && !hasAnswer(planning, view)) {
    planning.phase = { kind: 'waiting' };
    return 'nobody who may write has answered yet';
  }
  planning.planLabel = { ...DEFAULT_LABELS, ...view.config.labels }.plan;
  const evidence = wishedEvidence(looked, planning.wish);
  const { model, tier } = wishFor(
    { model: 'cheap', tier: 'cheap' },
    { aliases: view.config.models.aliases, thread: scene.state.switches?.[0]?.model },
  );
  const effectId = want(step, {
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
    }),
    brief: toBrief(planning, view, evidence),
    caps: pmCaps(view.config),
  });
  planning.phase = { kind: 'thinking', effectId };
  return undefined;
}

/** Then it takes what is likely. */
const MAX_ROUNDS = 2;

function hasAnswer({ questionsId = 0 }: Planning, { comments }: IssueView): boolean {
  return comments.some(
    ({ id, author, permission, body }) =>
      id > questionsId &&
      !author.isBot &&
      hasPermission(permission, 'write') &&
      !/^ {0,3}\/pm\b/.test(body),
  );
}

/** The first thing that forbids it, read now: a role can be taken away in between (CMD-02). */
function whyNot(planning: Planning, { view, stopped }: LookResult): string | undefined {
  const { issue, config, repository, actorPermission } = view;
  const needed = requiredPermission(config.access, planning.revises ? 'revise' : 'plan', 'change');
  const labels = { ...DEFAULT_LABELS, ...config.labels };
  const checks: [boolean, string][] = [
    [
      !planning.actor.isBot && !hasPermission(actorPermission, needed),
      `A plan needs somebody with the \`${needed}\` role.`,
    ],
    [stopped !== undefined, stopped ?? ''],
    [!config.enabled || repository.isArchived, 'The team is switched off here.'],
    [issue.isLocked, 'The conversation is locked.'],
    [issue.state === 'closed' && planning.followsUp !== true, 'The thread was closed meanwhile.'],
    [planning.followsUp === true && !view.paths.includes(SCENARIOS), `There is no ${SCENARIOS}.`],
    [issue.labels.includes(labels.hold), 'It is on hold: nothing new begins here.'],
    [isMoved(planning, view), 'The plan was changed meanwhile: ask again.'],
  ];
  return checks.find(([applies]) => applies)?.[1];
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

function takeProposal(scene: PlanningScene, { result }: Done<'propose'>): string | undefined {
  const { planning } = scene;
  const { word } = result;
  planning.made = toMade(result);
  // Rules cannot hold words against code.
  if (planning.followsUp === true && (planning.made.isOffline || word.kind === 'questions'))
    return leave(scene);
  if (word.kind === 'questions') return ask(scene);
  if (word.kind === 'answer')
    return end(scene, { text: prose(word.answer, planning.thread), isDone: true });
  return planFrom(scene, word);
}

function toMade({ word, looked, calls }: ProposeResult): Made {
  const last = calls.at(-1);
  return {
    word: { risks: word.risks, questions: word.questions },
    title: word.plan?.title ?? '',
    tasks: word.plan?.tasks.length ?? 0,
    looked,
    model: last?.model ?? 'unknown',
    isOffline: last?.provider === 'offline',
    cost: sumCost(calls),
  };
}

function planFrom(scene: PlanningScene, { plan: draft }: PmProposal): string | undefined {
  const { planning } = scene;
  const { owner, repo } = planning.thread;
  const repository = `${owner}/${repo}`;
  const unreadable = wordsFor('model-invalid-output');
  if (draft === undefined || draft === null) return refuse(scene, unreadable);
  const made = toPlanBody(planning.followsUp === true ? fewOf(draft) : draft, {
    repository,
    context: contextOf(planning),
  });
  if (made.problems.length > 0) return refuse(scene, unreadable);
  if (planning.made !== undefined) planning.made.tasks = made.plan.tasks.length;
  return planning.revises === undefined
    ? openPlan(scene, made)
    : rewritePlan(scene, planning.revises, made.plan);
}

/** A loop that finds ever more to do is none that ends. */
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
function contextOf({ thread, actor, revises, followsUp }: Planning): string {
  if (revises !== undefined) return '';
  if (followsUp === true)
    return `Proposed by the PM when #${thread.number} was complete: what ${SCENARIOS} says and the code does not do.`;
  return `Proposed by the PM from #${thread.number}, asked for by ${actor.login}.`;
}
