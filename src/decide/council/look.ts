/** What a run does with a fresh view: stop when the world moved on, else take the step it looked for. */
import type { CouncilRun, LookFor } from '../../domain/council.ts';
import { CONFIG_FILES } from '../../domain/config-file.ts';
import { requiredPermission } from '../../domain/config.ts';
import type { Label } from '../../domain/labels.ts';
import { hasPermission } from '../../domain/thread.ts';
import type { LookResult } from '../../domain/result.ts';
import type { CommentView, IssueView } from '../../domain/view.ts';
import { countHidden } from '../../domain/invisible.ts';
import { leftOut } from '../prompts/council.ts';
import { evidenceOf } from '../scanned.ts';
import { say, want } from '../decision.ts';
import type { Scene } from '../scene.ts';
import { beginRun, gatherRound } from './gather.ts';
import { cancelRun, postReminder, takeRecheck } from './people.ts';
import { askLead } from './lead.ts';
import { configCheck } from './config-check.ts';
import { councilPrompt } from '../prompts/council.ts';
import type { Evidence } from '../../domain/evidence.ts';
import type { Sight } from './rounds.ts';
import { isHeldBack, labelName, readSettings } from './settings.ts';

/** Takes a view. Returns why nothing was done, or undefined. */
export function takeView(
  scene: Scene,
  { effectId, result: look }: { effectId: string; result: LookResult },
): string | undefined {
  const { run } = scene;
  if (run.recheck === effectId) return takeRecheck(scene, reasonToStop(run, look)?.reason);
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return 'a later look replaced this one';
  const { next } = run.phase;
  const { view } = look;
  run.githubCalls += look.githubCalls;
  run.unchangedRuns = look.unchangedRuns;
  run.settings = readSettings(view.config, {
    owner: ownerOf(run, view),
    unchangedRuns: look.unchangedRuns,
  });
  run.headSha = view.repository.headSha;
  run.labels = view.issue.labels;
  run.author = { id: view.issue.author.id, login: view.issue.author.login };
  run.nonce ??= look.nonce;
  showProblems(scene, look);
  rememberSouls(scene, look);
  const stop = reasonToStop(run, look);
  if (stop !== undefined)
    return cancelRun(scene, stop.reason, { quietly: next === 'start' && !isNews(run, stop) });
  if (next === 'reminder') return postReminder(scene);
  const unanswered = next === 'answer' ? takeWords(run, view) : undefined;
  if (unanswered !== undefined) return unanswered;
  const evidence = evidenceOf(look);
  const sight = sightOf(run, look, evidence);
  hear(run, view);
  run.lookedAt = {
    files: view.files.map((file) => file.path),
    pastIssues: evidence.relatedIssues.map((issue) => issue.number),
    notRead: [...evidence.notRead, ...leftOut(view)],
    hidden: countHidden(evidence.hidden),
  };
  goOn(scene, next, sight);
  return undefined;
}

function goOn(scene: Scene, next: LookFor, sight: Sight): void {
  if (next === 'start') beginRun(scene, sight);
  else if (next === 'round') gatherRound(scene, sight);
  else askLead(scene, sight);
}

function sightOf(run: CouncilRun, { view, nonce }: LookResult, evidence: Evidence): Sight {
  return {
    personas: view.personas,
    aliases: view.config.models.aliases,
    topic: {
      text: `${view.issue.title}\n${view.issue.body}`,
      paths: evidence.files.map((file) => file.path),
    },
    evidence,
    prompt: ({ persona, purpose, evidence: seen }) =>
      councilPrompt({ run, view, nonce: run.nonce ?? nonce, evidence: seen, persona, purpose }),
  };
}

/** Said once: a pass that finds the label still on, and the same still in the way, has nothing to add. */
function isNews(run: CouncilRun, stop: Stop): boolean {
  return stop.isWorthSaying && !(run.isFound && run.lastReason === stop.reason);
}

interface Stop {
  reason: string;
  /** Whoever asked can do something about it, so they are told even when nothing was posted yet. */
  isWorthSaying: boolean;
}

/** The first thing that forbids going on, as people would say it. */
function reasonToStop(run: CouncilRun, { view, stopped }: LookResult): Stop | undefined {
  const { issue, repository, config } = view;
  const has = (label: Label) => issue.labels.includes(labelName(run.settings, label));
  const needed = requiredPermission(config.access, 'deliberate', 'spend');
  const checks: [boolean, string][] = [
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [issue.state === 'closed', 'the issue was closed'],
    [issue.isLocked, 'the conversation is locked'],
    [issue.isPull, 'pull requests are reviewed, not deliberated'],
    [isHeldBack(run, issue.labels), 'it is on hold'],
    [
      has('quorum:skip'),
      `the label \`${labelName(run.settings, 'quorum:skip')}\` keeps the team out`,
    ],
    [
      !run.isRequested && !issue.labels.includes(run.label),
      `the label \`${run.label}\` is not on any more`,
    ],
    [run.actor.isBot && !run.isRequested, `@${run.actor.login} is an automated account`],
    [
      !hasPermission(view.actorPermission, needed),
      `@${run.actor.login} needs the ${needed} role to start a deliberation and has ${view.actorPermission}`,
    ],
  ];
  const settings = stopped ?? brokenSettings(view);
  if (settings !== undefined) return { reason: settings, isWorthSaying: true };
  const reason = checks.find(([applies]) => applies)?.[1];
  return reason === undefined ? undefined : { reason, isWorthSaying: false };
}

/** Settings that cannot be read are not guessed around; whoever asked is told where they are wrong. */
function brokenSettings({ problems }: IssueView): string | undefined {
  const broken = problems.find(
    (problem) => problem.severity === 'error' && CONFIG_FILES.includes(problem.file),
  );
  if (broken === undefined) return undefined;
  return `\`${broken.file}:${broken.line}\` needs a fix: ${broken.message}. Set the label again after that`;
}

/** Whoever is asked when the team stops: configured, assigned, or the one who started it. */
function ownerOf(run: CouncilRun, view: IssueView): string {
  return view.issue.assignees.at(0) ?? run.actor.login;
}

/** A thread in which people have spoken. */
interface Talked extends Pick<IssueView, 'comments' | 'self'> {
  issue: Pick<IssueView['issue'], 'author'> & { assignees?: readonly string[] };
  repository: Pick<IssueView['repository'], 'isPrivate'>;
}

/**
 * NW-10: a question is answered by the author, whoever asked for the run, somebody assigned, or somebody with triage; from
 * then on the run goes on, and whatever is said later is for the discussion. Returns why the question is still open, or
 * undefined.
 */
export function takeWords(run: CouncilRun, view: Talked): string | undefined {
  if (!newWords(run, view).some((comment) => isEntitled(comment, run, view))) {
    run.phase = { kind: 'waiting' };
    return 'nobody entitled to has answered';
  }
  run.status = 'active';
  delete run.needsYou;
  delete run.reminderTimer;
  delete run.bounded;
  return undefined;
}

/**
 * A login that only configuration or the past names may belong to a stranger by now: there the role decides. In a
 * private repository everybody who can write a comment was let in.
 */
function isEntitled(comment: CommentView, run: CouncilRun, view: Talked): boolean {
  // Where a push began the run, nobody asked for it.
  const hasAsked = run.label !== '' && comment.author.id === run.actor.id;
  return (
    hasAsked ||
    comment.author.id === view.issue.author.id ||
    view.issue.assignees?.includes(comment.author.login) === true ||
    (view.repository.isPrivate && comment.author.login === run.settings.owner) ||
    hasPermission(comment.permission, 'triage')
  );
}

function newWords(run: CouncilRun, view: Talked): CommentView[] {
  return view.comments.filter(
    (comment) =>
      comment.id > run.heardCommentId &&
      comment.marker === undefined &&
      !comment.author.isBot &&
      comment.author.id !== view.self.id,
  );
}

/** What stands there now has been taken into view. */
export function hear(run: CouncilRun, view: Pick<Talked, 'comments'>): void {
  run.heardCommentId = Math.max(
    run.heardCommentId,
    ...view.comments.map((comment) => comment.id),
    0,
  );
}

/** A bad configuration or persona file is a failing check on the commit it is in; the rest of the team goes on. */
function showProblems({ run, step }: Scene, { view, stopped }: LookResult): void {
  const { problems } = view;
  if ((problems.length === 0 && stopped === undefined) || view.repository.headSha === '') return;
  if (run.phase.kind !== 'looking' || run.phase.next !== 'start') return;
  want(step, configCheck(run, view, stopped), { lane: `check:${run.thread.repositoryId}` });
}

/** The repository remembers what its personas were, so that a change by an agent is noticed. */
function rememberSouls({ run, step }: Scene, { souls }: LookResult): void {
  if (souls === undefined) return;
  const key = `repository:${run.thread.repositoryId}`;
  say(step, { kind: 'souls-seen', run: run.id, souls }, { key, suffix: `souls-${run.step}` });
}
