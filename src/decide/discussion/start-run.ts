/** Starting a council run: who asked, whether one is going on already, and a first look. */
import { ALLOWED, forbid, type Permit } from '../../domain/run/permit/permit.ts';
import type { BuildState } from '../../domain/build/build-view.ts';
import type {
  BuildRunState,
  ReviewRunState,
  WatchRunState,
} from '../../domain/run/state/kind-state.ts';
import type { ConsolidationRunState } from '../../domain/memory/consolidation/consolidation.ts';
import type { ReflectionMaterial, ReflectionRunState } from '../../domain/memory/reflection.ts';
import type { RoleRunState, RoleSource } from '../../domain/memory/role/role-run.ts';
import type { StandupRunState, StandupSource } from '../../domain/standup/standup-run.ts';
import { isPosting, runKey, type Run } from '../../domain/run/state/run-record.ts';
import type { CouncilTrigger } from '../../domain/run/run-trigger.ts';
import type { LookFor, RunBase } from '../../domain/run/state/run-base.ts';
import { defaultConfig } from '../../domain/config/config.ts';
import type { Event } from '../../domain/event/event.ts';
import { derivedId } from '../../domain/run/ids.ts';
import type { CommentRef } from '../../domain/run/talk.ts';
import type { Trigger } from '../../domain/event/trigger.ts';
import { createStep, emitEffect, type Decision } from '../run/decision.ts';
import {
  isOpen,
  writeLane,
  type RunContext,
  type RunKind,
  type ThreadState,
} from '../run/thread-context.ts';
import { readSettings } from '../run/run-settings.ts';
import type { DiscussionState } from '../../domain/run/state/discussion-state.ts';
import type { TeamState } from '../../domain/run/state/team-state.ts';

export interface StartRequest {
  event: Event;
  trigger: Extract<Trigger, { kind: 'labeled' | 'requested' | 'opened' | 'pull' | 'built' }>;
  kind: CouncilTrigger;
  runKind: RunKind;
  /** What it is about, where a thread may hold several runs of the kind: part of its key. */
  about?: string;
  /** Of a reflection: what is looked back on. */
  material?: ReflectionMaterial;
  /** Of role memory: where the work was. */
  source?: RoleSource;
  /** Of a consolidation: whose memory it is about. */
  handle?: string;
  /** Of a standup: what is looked back on. */
  standup?: StandupSource;
  label: string;
  now: number;
  /** Of a command: its comment, the personas it named, and the question to discuss. */
  askedIn?: CommentRef;
  named?: string[];
  question?: string;
  /** Of the code watch: the file or folder to search. */
  path?: string;
}

/** Starts a run, unless one is open (the start joins it) or has just ended (NW-6). */
export function startRun(state: ThreadState, request: StartRequest): Decision {
  const { event, now, runKind: kind } = request;
  const key = runKey(request.kind, request.about);
  const last = state.runs[key];
  const permit = last === undefined ? ALLOWED : mayStart(last, request);
  if (last !== undefined && isLostAnswer(last, request)) {
    const step = createStep(event.key, last, now);
    lookFor({ state, run: last, step, kind }, 'answer');
    return { state, effects: step.effects, events: step.events };
  }
  if (permit.kind === 'refused') return { state, effects: [], events: [], ignored: permit.reason };
  const { guidance, ledger } = state;
  const run: Run = {
    ...createRun(request, last),
    reviewedSha: ledger?.reviewedSha,
    ...(guidance === undefined ? {} : { guidance }),
  };
  state.runs[key] = run;
  if (request.about !== undefined) forgetOldest(state, request.kind);
  const step = createStep(event.key, run, now);
  lookFor({ state, run, step, kind }, 'start');
  return { state, effects: step.effects, events: step.events };
}

/** So many ended runs of a kind that may have several in a thread are kept. */
const KEPT = 20;

function forgetOldest({ runs }: ThreadState, kind: CouncilTrigger): void {
  const ended = Object.entries(runs)
    .filter(([key, run]) => key !== kind && run.trigger === kind && !isOpen(run))
    .toSorted(([, a], [, b]) => b.startedAt.localeCompare(a.startedAt));
  for (const [key] of ended.slice(KEPT)) delete runs[key];
}

/** Reads the world before the next move; events are hints, GitHub has the truth. */
export function lookFor({ run, step, kind }: RunContext, next: LookFor): void {
  const order = kind.waitsForWrites === true ? { lane: writeLane(run.thread) } : {};
  const effectId = emitEffect(step, kind.look(run), order);
  run.phase = { kind: 'looking', next, effectId };
}

/**
 * Each new head of a pull request is reviewed (NW-6), regardless of who pushed it and how soon. For builds, that was
 * decided before.
 */
const ALWAYS_ANEW: ReadonlySet<string> = new Set<Trigger['kind']>(['pull', 'built']);

/** The clock asks for a search no sooner than the interval of the code watch allows. */
function isAlwaysAnew({ trigger, kind }: StartRequest): boolean {
  return ALWAYS_ANEW.has(trigger.kind) || (kind === 'code_watch' && isByClock(trigger));
}

function mayStart(last: Run, request: StartRequest): Permit {
  const { trigger, event, now } = request;
  if (isOpen(last) || isPosting(last)) return forbid(`joined run ${last.id}, which is going on`);
  if (isAlwaysAnew(request)) return ALLOWED;
  if (last.endedAt === undefined || last.status === 'closed') return ALLOWED;
  // GitHub says `opened` and `labeled` for one act: what happened before the end was answered by it.
  if (trigger.kind !== 'requested' && event.at <= last.endedAt)
    return forbid(`run ${last.id} ended after this had happened`);
  const asksAgain = !trigger.actor.isBot && !isByClock(trigger);
  const isCooling = now - Date.parse(last.endedAt) < last.settings.cooldownMs;
  return isCooling && !asksAgain ? forbid(`run ${last.id} ended a moment ago`) : ALLOWED;
}

/** The reconcile pass saw a blocked thread that changed: somebody may have answered while we were away. */
function isLostAnswer(last: Run, { trigger }: StartRequest): boolean {
  return last.status === 'blocked' && isByClock(trigger);
}

function isByClock(trigger: StartRequest['trigger']): boolean {
  return trigger.kind === 'requested' && trigger.by === 'reconcile';
}

function reasonOf(last: Run | undefined): Pick<Run, 'lastReason'> {
  if (last?.status !== 'closed' || last.endReason === undefined) return {};
  return { lastReason: last.endReason };
}

function newBuild({ where }: Extract<Trigger, { kind: 'built' }>): BuildState {
  return { where, runs: [], green: undefined, times: 1 };
}

/** What only some triggers bring. */
function ofTrigger(
  trigger: StartRequest['trigger'],
): Pick<ReviewRunState, 'isRetargeted'> & BuildRunState & Pick<RunBase, 'authority'> {
  if (trigger.kind === 'built') return { build: newBuild(trigger) };
  if (trigger.kind !== 'pull' && trigger.kind !== 'requested') return {};
  const isRetargeted = trigger.kind === 'pull' && trigger.action === 'retargeted';
  const { authority } = trigger;
  return { ...(isRetargeted && { isRetargeted }), ...(authority && { authority }) };
}

/** What every new run is stored with; its type shows each kind only what it uses. */
type NewRun = RunBase &
  TeamState &
  DiscussionState &
  ReviewRunState &
  BuildRunState &
  WatchRunState &
  Pick<ReflectionRunState, 'material'> &
  Pick<RoleRunState, 'source'> &
  Pick<ConsolidationRunState, 'handle'> &
  Pick<StandupRunState, 'about'>;

type Wished = Pick<
  StartRequest,
  'askedIn' | 'named' | 'question' | 'path' | 'material' | 'source' | 'handle'
>;

/** What only some requests say. */
function wished(request: StartRequest): Wished & Pick<StandupRunState, 'about'> {
  const { askedIn, named, question, path, material, source, handle, standup } = request;
  return {
    ...(askedIn === undefined ? {} : { askedIn }),
    ...(named === undefined ? {} : { named }),
    ...(question === undefined ? {} : { question }),
    ...(path === undefined ? {} : { path }),
    ...(material && { material }),
    ...(source && { source }),
    ...(handle !== undefined && { handle }),
    ...(standup && { about: standup }),
  };
}

function createRun(
  request: StartRequest,
  last: Run | undefined,
): NewRun & { trigger: CouncilTrigger } {
  const { event, trigger, kind, label, now } = request;
  const { thread, actor } = trigger;
  return {
    ...wished(request),
    ...ofTrigger(trigger),
    id: derivedId(event.id, now),
    trigger: kind,
    thread,
    label,
    actor,
    isRequested: trigger.kind === 'requested' && trigger.by !== 'reconcile',
    step: 0,
    status: 'active',
    // Until the look that follows at once.
    phase: { kind: 'ended' },
    queue: [],
    settings: readSettings(defaultConfig(), { owner: actor.login, asker: actor, unchangedRuns: 0 }),
    round: 1,
    lead: undefined,
    participants: [],
    contributions: [],
    inFlight: [],
    posted: 0,
    relatedIssues: [],
    ruleIds: [],
    isFound: trigger.kind === 'requested' && trigger.by === 'reconcile',
    ...reasonOf(last),
    isBudgetExhausted: false,
    wasBlocked: false,
    hasSettled: trigger.kind === 'pull' && trigger.action !== 'pushed',
    reviewedSha: undefined,
    sittingOut: [],
    unchangedRuns: last !== undefined && 'unchangedRuns' in last ? last.unchangedRuns : 0,
    calls: [],
    githubCalls: 0,
    startedAt: new Date(now).toISOString(),
    heardCommentId: 0,
    lookedAt: { files: [], pastIssues: [], notRead: [], hidden: 0 },
    headSha: 'headSha' in trigger ? trigger.headSha : '',
    isOffline: false,
  };
}
