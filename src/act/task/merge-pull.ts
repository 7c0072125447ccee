/** Reads what a merge depends on, and merges exactly one head. */
import type { EffectData } from '../../domain/event/effect.ts';
import { judgeProof } from '../../policy/gates/judge-proof.ts';
import type { Proof } from '../../domain/task/task-effects.ts';
import { isQueueUnheard } from '../../domain/github/queue-unheard.ts';
import type {
  MergeStanding,
  MergeView,
  Proved,
  RequiredCheck,
} from '../../domain/task/merge-view.ts';
import type {
  CheckReport,
  MergeFacts,
  MergeSurvey,
  RequiredCheck as Required,
  WorkSession,
} from '../../ports/github/work.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { readPermissions } from '../settings/read-permissions.ts';
import { settingsAsk, type ReadSettings } from '../settings/read-settings.ts';
import { surveyIssue, type SurveyWanted } from '../read/survey.ts';
import { signingOf } from './gates.ts';
import { haveWorkflowsChanged } from './workflow-changes.ts';
import { workAt, requireCodingRuntime } from './coder/coding-runtime.ts';

type LookMerge = Extract<EffectData, { kind: 'look-merge' }>;

export async function lookAtMerge(
  { thread, people, proof, builtOn }: LookMerge,
  { ports, readSettings }: { ports: ActPorts; readSettings: ReadSettings },
): Promise<Performed<'look-merge'>> {
  const session = workAt(ports, thread);
  const asked = { people, comments: 0, pastIssues: 0 };
  const facts = await session.tasks.mergeFacts(thread, { ...settingsAsk(thread), ...asked });
  const { known, ...at } = await readAround(facts, { session, thread, asked });
  const { config } = await readSettings(thread, { session, ...at });
  const permissions = await readPermissions(thread, session, { people, known });
  const events = facts.hasQueue ? await ports.github.app.events(thread) : undefined;
  const result: MergeView = {
    ...toView(facts),
    ...((await areWorkflowsOld(thread, { facts, builtOn, ports })) && { areWorkflowsOld: true }),
    ...(proof && { proved: prove(proof, { ...facts, baseSha: facts.baseTip }, ports) }),
    permissions: Object.fromEntries(permissions.byId),
    ...(isQueueUnheard(events) && { isQueueUnheard: true }),
    config,
  };
  return { effectKind: 'look-merge', result, githubCalls: session.counts };
}

async function areWorkflowsOld(
  thread: ThreadRef,
  of: { facts: MergeSurvey; builtOn: string | undefined; ports: ActPorts },
): Promise<boolean> {
  const { facts, builtOn, ports } = of;
  const { git } = ports.codingRuntime ?? {};
  if (git === undefined || builtOn === undefined || facts.state !== 'open') return false;
  if (facts.isUpToDate || facts.baseTip === '') return false;
  const range = { git, from: builtOn, to: facts.baseTip };
  return haveWorkflowsChanged(toRepositoryRef(thread), range);
}

function prove(
  { task: ref, ...receipts }: Proof,
  { headSha, baseSha }: { headSha: string; baseSha: string },
  ports: ActPorts,
): Proved {
  const signing = signingOf(ports, { thread: ref.plan, task: ref.task });
  return judgeProof(receipts, { headSha, baseSha, signing });
}

interface Asking {
  session: WorkSession;
  thread: ThreadRef;
  asked: SurveyWanted & { pastIssues: number };
}

/** Reads the sources of the settings and people's permissions, unless the survey has them already. */
async function readAround({ around }: MergeSurvey, { session, thread, asked }: Asking) {
  if (around !== undefined)
    return { facts: around.repository, paths: around, known: around.permissions };
  const seen = await surveyIssue(session, thread, asked);
  return { facts: seen.facts, paths: seen.settingsFrom, known: seen.permissions };
}

/** The merge state of any pull request, for people who ask what it lacks. */
export async function readMergeStanding(
  thread: ThreadRef,
  session: WorkSession,
): Promise<MergeStanding> {
  const { pull, reviews, required } = toView(await session.tasks.mergeFacts(thread));
  return { pull, reviews, required };
}

function toView(facts: MergeFacts): Omit<MergeView, 'permissions' | 'config'> {
  return {
    pull: {
      state: facts.state,
      isDraft: facts.isDraft,
      isMerged: facts.isMerged,
      ...(facts.mergeSha === undefined ? {} : { mergeSha: facts.mergeSha }),
      headSha: facts.headSha,
      baseRef: facts.baseRef,
      labels: facts.labels,
      authorId: facts.author.id,
      ...(facts.isMergeable === undefined ? {} : { isMergeable: facts.isMergeable }),
      requestedReviewers: [
        ...facts.requestedReviewers.map(({ login }) => login),
        ...facts.requestedTeams,
      ],
      ...(facts.unresolved === undefined ? {} : { unresolved: facts.unresolved }),
      isAutoMerge: facts.isAutoMerge,
      isInQueue: facts.isInQueue,
    },
    baseSha: facts.baseTip,
    isUpToDate: facts.isUpToDate,
    reviews: facts.reviews.map((review) => ({
      by: review.by,
      permission: review.permission,
      state: review.state,
      ...(review.commitSha === undefined ? {} : { commitSha: review.commitSha }),
    })),
    required: facts.required.map(toRequired),
    hasMergeQueue: facts.hasQueue,
    methods: facts.methods,
  };
}

/** Only `success` is success: skipped, neutral and absent are not (spec 12, rule 8). */
function toRequired({ name, appId, reports, isHidden }: Required): RequiredCheck {
  const counted = reports.filter((report) => appId === undefined || report.appId === appId);
  if (counted.length === 0) return { name, state: isHidden === true ? 'unreadable' : 'missing' };
  if (counted.every(({ state }) => state === 'success')) return { name, state: 'success' };
  return { name, state: counted.some(isPending) ? 'pending' : 'failure' };
}

function isPending({ state }: CheckReport): boolean {
  return state === 'pending';
}

type Merge = Extract<EffectData, { kind: 'merge' }>;

/** What a merge rests on was read right before it was wanted; after this it is read again (spec 12, rule 6). */
const FRESH_MS = 60_000;

export async function mergePull(
  data: Merge,
  { ports, isNew, at }: { ports: ActPorts; isNew: boolean; at: string },
): Promise<Performed<'merge'>> {
  const { thread, sha, method, title, message, deleteBranch, isQueued } = data;
  const session = workAt(ports, thread);
  if (!isProved(data, ports))
    return { effectKind: 'merge', result: { outcome: 'stale' }, githubCalls: session.counts };
  // What is asked again within a moment, because it was refused in haste, rests on the same.
  const isOld = ports.clock.now() - Date.parse(at) > FRESH_MS;
  if (isOld && !(await session.tasks.mergeFacts(thread)).isMerged)
    return { effectKind: 'merge', result: { outcome: 'stale' }, githubCalls: session.counts };
  if (await hasBaseMoved(data, session, { ports, isNew }))
    return {
      effectKind: 'merge',
      result: { outcome: 'base-moved' },
      githubCalls: session.counts,
    };
  if (isQueued === true) return enqueue({ thread, sha }, session);
  const merged = await session.tasks.merge(thread, { sha, method, title, message, isNew });
  if (merged.outcome === 'refused' || merged.outcome === 'base-moved')
    return { effectKind: 'merge', result: merged, githubCalls: session.counts };
  if (deleteBranch !== undefined)
    await session.tasks.deleteBranch(toRepositoryRef(thread), deleteBranch, sha);
  return {
    effectKind: 'merge',
    result: { outcome: 'merged', sha: merged.sha },
    githubCalls: session.counts,
  };
}

/** Fails closed: whatever brought it here, what it rests on is verified where it is carried out. */
function isProved({ proof, sha, base }: Merge, ports: ActPorts): boolean {
  if (proof === undefined) return false;
  const proved = prove(proof, { headSha: sha, baseSha: base.sha }, ports);
  return proved.unproved.length === 0 && (proved.isOfBase || proved.isRetested);
}

/**
 * The tested tree is the merged tree (TG-6), but GitHub compares only the head. So git looks at the base as late as
 * possible, because it answers with the present state. After a merge by Quorum that was not recorded, that merge itself
 * moved the base.
 */
async function hasBaseMoved(
  { thread, base }: Merge,
  session: WorkSession,
  { ports, isNew }: { ports: ActPorts; isNew: boolean },
): Promise<boolean> {
  const tip = await requireCodingRuntime(ports).git.remoteHead(
    toRepositoryRef(thread),
    base.branch,
  );
  if (tip === base.sha) return false;
  return isNew || !(await session.tasks.mergeFacts(thread)).isMerged;
}

/** The queue tests and merges it. The next look shows the result. */
async function enqueue(
  { thread, sha }: Pick<Merge, 'thread' | 'sha'>,
  { tasks, counts }: WorkSession,
): Promise<Performed<'merge'>> {
  const queued = await tasks.enqueue(thread, sha);
  const result =
    queued.outcome === 'was-merged' ? ({ outcome: 'merged', sha: queued.sha } as const) : queued;
  return { effectKind: 'merge', result, githubCalls: counts };
}
