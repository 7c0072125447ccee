/** Pushes a proved head, checks what arrived, and opens the pull request. No model and no repository code here. */
import { CODEOWNERS_FILES, ownersOf, type Owners } from '../../domain/repository/codeowners.ts';
import type { Config } from '../../domain/config/config.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { judgePush, judgeRemote } from '../../policy/gates/judge-push.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { isOfTask, taskDigest } from '../../domain/plan/plan-digest.ts';
import type { GateReceipt } from '../../domain/gates/receipt.ts';
import { provesGates } from '../../domain/task/check-names.ts';
import { chooseReviewer } from '../../policy/reviewer.ts';
import { hasPermission, toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { PullOutcome, WorkSession } from '../../ports/github/work.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { sign, signingOf } from './gates.ts';
import { settingsNow, type SettingsNow } from '../read/survey.ts';
import { makeCommit } from './verify.ts';
import { haveWorkflowsChanged } from './workflow-changes.ts';
import { refuseLostLease, workAt, requireCodingRuntime } from './coder/coding-runtime.ts';

type Publish = Extract<EffectData, { kind: 'publish' }>;

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  isNew: boolean;
}

export async function publishTask(data: Publish, context: Context): Promise<Performed<'publish'>> {
  const { ports, isNew } = context;
  const session = workAt(ports, data.thread);
  const people = data.requester === undefined ? [] : [data.requester];
  const wanted = { ...context, files: CODEOWNERS_FILES, people };
  const now = await settingsNow(data.thread, session, wanted);
  const { config, body, texts } = now;
  await refuseUnwanted(data, now);
  await refuseLostLease(data, session, ports);
  refuseEdited(data, await body());
  const outdated = await findNewerHead(data, ports);
  if (outdated !== undefined)
    return {
      effectKind: 'publish',
      result: { receipts: [], reviewers: [], outdated },
      githubCalls: session.counts,
    };
  await remake(data, config.coder.worktreeLimitMb, ports);
  const receipts = await push(data, session, ports);
  const isArrived = receipts.every(({ result }) => result === 'passed');
  if (!isArrived)
    return {
      effectKind: 'publish',
      result: { receipts, reviewers: [] },
      githubCalls: session.counts,
    };
  const pull = await openPull(data, session, isNew);
  const owners = ownersAmong(texts, data);
  const asked = await askReviewers(data, { pull, session, plans: config.plans, owners });
  return {
    effectKind: 'publish',
    result: {
      receipts,
      pull: { number: pull.number, url: pull.url },
      shownAt: pull.updatedAt,
      ...asked,
    },
    githubCalls: session.counts,
  };
}

/** By the default branch's file. One that is cut says nothing: its last lines are what counts. */
function ownersAmong(texts: readonly SourceFile[], { commit }: Publish): Owners {
  const [file] = CODEOWNERS_FILES.flatMap((path) => texts.find((text) => text.path === path) ?? []);
  if (file === undefined || file.isCut) return { logins: [], teams: [] };
  return ownersOf(file.text, commit.change.paths);
}

interface Asking {
  pull: PullOutcome;
  session: WorkSession;
  plans: Config['plans'];
  owners: Owners;
}

/** Everybody who is asked has to approve before a merge. Where no owner can be asked, one collaborator is. */
async function askReviewers(
  data: Publish,
  asking: Asking,
): Promise<Pick<EffectResults['publish'], 'reviewers' | 'refusedTeams'>> {
  const { pull, session, plans, owners } = asking;
  const { teams } = owners;
  const ref = { ...toRepositoryRef(data.thread), number: pull.number };
  const isNew = pull.outcome === 'created';
  const logins = [...owners.logins, ...plans.reviewers];
  const named =
    logins.length + teams.length === 0
      ? { asked: [], refusedTeams: [] }
      : await session.tasks.requestReviewers(ref, { logins, teams, isNew });
  const { refusedTeams } = named;
  const told = refusedTeams.length === 0 ? {} : { refusedTeams };
  const isAnybodyAsked = named.asked.length + teams.length - refusedTeams.length > 0;
  const others = isAnybodyAsked ? [] : await whoElse(data, asking);
  if (others.length === 0) return { reviewers: named.asked, ...told };
  const { asked } = await session.tasks.requestReviewers(ref, { logins: others, isNew });
  return { reviewers: asked, ...told };
}

/** CMD-02: between an approval and its execution, a role can be taken away or the team switched off. */
async function refuseUnwanted({ requester }: Publish, { config, permission }: SettingsNow) {
  if (!config.enabled)
    throw new RefusedError({
      code: 'switched-off',
      message: 'Quorum is now switched off here (`enabled: false`): nothing is pushed.',
    });
  if (requester === undefined || hasPermission(await permission(requester), 'write')) return;
  throw new RefusedError({
    code: 'permission-lost',
    message: `${requester.login}, who said yes, does not have the write role any more: nothing is pushed.`,
  });
}

/** One person at most for a pull request: who was asked for an earlier head is asked again. */
async function whoElse(
  { thread, task, requester, asked = [] }: Publish,
  { session, plans }: Asking,
): Promise<string[]> {
  if (requester === undefined || !plans.askCollaborator) return [];
  if (asked.length > 0) return asked;
  const writers = await session.work.writers(toRepositoryRef(thread));
  const chosen = chooseReviewer(writers, { task: { plan: thread, task }, requester });
  return chosen === undefined ? [] : [chosen.login];
}

/** CB-4: an approval is for a text. A task that was edited while it was carried out waits for a new one. */
function refuseEdited({ task, digest }: Publish, body: string): void {
  const { tasks, problems } = parsePlan(body);
  const found = tasks.find(({ number }) => number === task);
  if (problems.length === 0 && found !== undefined && isOfTask(digest, taskDigest(found))) return;
  throw new RefusedError({
    code: 'task-edited',
    message: `Task ${task} is not what was approved any more: it waits for a new yes.`,
  });
}

/** GitHub would refuse the push, and later the merge, of what is behind the base's workflow files. */
async function findNewerHead(
  { thread, base, builtOn: from }: Publish,
  ports: ActPorts,
): Promise<{ baseSha: string } | undefined> {
  const { git } = requireCodingRuntime(ports);
  const ref = toRepositoryRef(thread);
  const to = await git.remoteHead(ref, base);
  if (from === undefined || to === undefined) return undefined;
  return (await haveWorkflowsChanged(ref, { git, from, to })) ? { baseSha: to } : undefined;
}

/** On another machine than the one that proved it, the commit is made again; it must be the same. */
async function remake(data: Publish, limitMb: number, ports: ActPorts): Promise<void> {
  const { worktree } = await makeCommit(data, limitMb, ports);
  const { headSha } = await worktree.facts();
  await worktree.close();
  if (headSha === data.headSha) return;
  throw new RefusedError({
    code: 'head-differs',
    message: `The commit came out as ${headSha.slice(0, 12)}, not as ${data.headSha.slice(0, 12)}, which was proved.`,
  });
}

/** Gates 3 and 4. */
async function push(data: Publish, session: WorkSession, ports: ActPorts): Promise<GateReceipt[]> {
  const { git } = requireCodingRuntime(ports);
  const { branch, headSha, ours } = data;
  const repository = toRepositoryRef(data.thread);
  // A store that was lost knew of heads that GitHub shows to be ours: the gates of our App stand at them (DUR-08).
  const isOurs = async (sha: string): Promise<boolean> =>
    provesGates(await session.work.ownChecks(repository, sha));
  const standing = await git.remoteHead(repository, branch);
  const isKnown = standing !== undefined && (ours.includes(standing) || (await isOurs(standing)));
  const expected = isKnown ? standing : undefined;
  const pushed = await git.push(repository, { sha: headSha, branch, expected });
  const judged = [judgePush(branch, pushed)];
  if (pushed !== 'moved') {
    const remoteSha = await git.remoteHead(repository, branch);
    judged.push(judgeRemote({ branch, localSha: headSha, remoteSha }));
  }
  return sign(judged, { headSha, at: ports.clock.now() }, signingOf(ports, data));
}

/** Every gate has passed: it is opened for everybody to read, and one that is a draft is made ready. */
async function openPull(data: Publish, session: WorkSession, isNew: boolean): Promise<PullOutcome> {
  const { branch, base, title, body, from, marker, thread } = data;
  const repository = toRepositoryRef(thread);
  const opened = await session.tasks.ensurePull(repository, {
    marker: { kind: 'run', ...marker },
    head: branch,
    headSha: data.headSha,
    base,
    title,
    body,
    ...(from !== undefined && { from }),
    isDraft: false,
    isNew,
  });
  const { number, draftId } = opened;
  if (draftId !== undefined) await session.tasks.ensureReady({ ...repository, number }, draftId);
  return opened;
}
