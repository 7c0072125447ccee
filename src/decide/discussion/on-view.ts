/** What a run does with a fresh view: stop when the world moved on, else take the step it looked for. */
import {
  ALLOWED,
  forbid,
  type Permit,
  type Permitted,
  type Refusal,
} from '../../domain/run/permit/permit.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { isDeliberation, type DiscussionRun } from '../../domain/run/state/run-record.ts';
import type { LookFor } from '../../domain/run/state/run-base.ts';
import { CONFIG_FILES } from '../../domain/config/config-file.ts';
import { requiredPermission } from '../../domain/config/config.ts';
import type { Label } from '../../domain/repository/labels.ts';
import { checkRun, type RunCheck } from '../../domain/run/permit/run-authority.ts';
import { hasPermission } from '../../domain/run/thread-ref.ts';
import type { LookResult } from '../../domain/event/result.ts';
import type { CommentView, IssueView } from '../../domain/run/view.ts';
import { notesOf } from '../../domain/memory/recall/recalled.ts';
import { lowestTrust, trustOf } from '../../domain/prompt/quarantine.ts';
import { countHidden } from '../../domain/text/invisible.ts';
import { leftOut, councilPrompt } from './ask/council-prompt.ts';
import { scannedEvidence } from '../run/scanned.ts';
import { emitEvent, emitEffect } from '../run/decision.ts';
import { waitForRival, yieldToWinner } from './rivals.ts';
import type { DiscussionContext } from '../run/thread-context.ts';
import { beginRun, gatherRound } from './gather.ts';
import { cancelRun, postReminder, onRecheck } from './listen-to-people.ts';
import { askLead } from './verdict/lead.ts';
import { configCheck } from '../run/config-check.ts';
import type { Evidence } from '../../domain/run/evidence.ts';
import type { Sight } from './rounds.ts';
import { isHeldBack, labelName, readSettings } from '../run/run-settings.ts';
import { acceptAnswer, noteComments } from './accept-answer.ts';

/** Takes a view. */
export function onView(
  context: DiscussionContext,
  { effectId, result: look }: { effectId: string; result: LookResult },
): Outcome {
  const { run } = context;
  if (run.recheck === effectId) return onRecheck(context, mayContinue(run, look));
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return ignore('a later look replaced this one');
  const { next } = run.phase;
  const { view } = look;
  note(run, look);
  showProblems(context, look);
  rememberSouls(context, look);
  const ended = endOnView(context, look, next);
  if (ended !== undefined) return ended;
  if (next === 'reminder') return postReminder(context);
  const answered = next === 'answer' ? acceptAnswer(run, view) : ALLOWED;
  if (answered.kind === 'refused') return ignore(answered.reason);
  const evidence = scannedEvidence(look);
  const sight = sightOf(run, look, evidence);
  noteComments(run, view);
  noteEvidence(run, look, evidence);
  advanceRun(context, next, sight);
  return HANDLED;
}

/** Where the view shows that this run has nothing more to do: another one did it, or what it was asked for is off. */
function endOnView(
  context: DiscussionContext,
  look: LookResult,
  next: LookFor,
): Outcome | undefined {
  const { run } = context;
  const isStart = next === 'start';
  // The verdict of another instance takes the label off, so its run is looked for before the labels are.
  const kept = isStart ? ALLOWED : yieldToWinner(context, look.view);
  if (kept.kind === 'refused') return ignore(kept.reason);
  const stop = mayContinue(run, look);
  if (stop.kind === 'refused')
    return cancelRun(context, stop.reason, { quietly: isStart && !isNews(run, stop) });
  const free = isStart ? waitForRival(context, look.view) : ALLOWED;
  return free.kind === 'allowed' ? undefined : ignore(free.reason);
}

/** What the run keeps of every look. */
function note(run: DiscussionRun, look: LookResult): void {
  const { view } = look;
  run.githubCalls += look.githubCalls;
  run.unchangedRuns = look.unchangedRuns;
  run.settings = readSettings(view.config, {
    owner: ownerOf(run, view),
    asker: run.actor,
    unchangedRuns: look.unchangedRuns,
  });
  run.headSha = view.repository.headSha;
  if (view.repository.host !== undefined) run.host = view.repository.host;
  if (isDeliberation(run)) run.labels = view.issue.labels;
  run.author = { id: view.issue.author.id, login: view.issue.author.login };
  run.trust = lowestTrust([
    trustOf(view.issue.authorPermission),
    ...view.comments.filter(isForeign(view)).map(({ permission }) => trustOf(permission)),
  ]);
  run.nonce ??= look.nonce;
}

/** Our own comments repeat what others said, and those were counted. */
function isForeign({ self }: Pick<IssueView, 'self'>) {
  return ({ author }: CommentView): boolean => author.id !== self.id;
}

function noteEvidence(run: DiscussionRun, { view, memory }: LookResult, evidence: Evidence): void {
  run.lookedAt = {
    files: view.files.map((file) => file.path),
    pastIssues: evidence.relatedIssues.map((issue) => issue.number),
    notRead: [...evidence.notRead, ...leftOut(view)],
    hidden: countHidden(evidence.hidden),
    ...(memory && {
      notes: notesOf(
        memory,
        view.personas.map(({ handle }) => handle),
      ),
    }),
  };
}

function advanceRun(context: DiscussionContext, next: LookFor, sight: Sight): void {
  // Of a run that waits on GitHub a restored store may know nothing but that.
  if (next === 'start' || context.run.lead === undefined) beginRun(context, sight);
  else if (next === 'round') gatherRound(context, sight);
  else askLead(context, sight);
}

function sightOf(
  run: DiscussionRun,
  { view, nonce, memory }: LookResult,
  evidence: Evidence,
): Sight {
  return {
    personas: view.personas,
    aliases: view.config.models.aliases,
    topic: {
      text: `${view.issue.title}\n${view.issue.body}`,
      paths: evidence.files.map((file) => file.path),
    },
    evidence,
    memory,
    prompt: ({ persona, purpose, evidence: seen }) =>
      councilPrompt({
        run,
        view,
        nonce: run.nonce ?? nonce,
        evidence: seen,
        persona,
        purpose,
        memory,
      }),
  };
}

/** Said once: a pass that finds the label still on, and the same still in the way, has nothing to add. */
function isNews(run: DiscussionRun, stop: Stop): boolean {
  return stop.isWorthSaying && !(run.isFound && run.lastReason === stop.reason);
}

interface Stop extends Refusal {
  /** The person who asked can do something about it, so Quorum comments even when it has posted nothing yet. */
  isWorthSaying: boolean;
}

/** The first thing that forbids going on, as people would say it. */
function mayContinue(run: DiscussionRun, { view, stopped }: LookResult): Stop | Permitted {
  const { issue, repository, config } = view;
  const has = (label: Label) => issue.labels.includes(labelName(run.settings, label));
  const needed = requiredPermission(config.access, 'deliberate', 'spend');
  const checks: RunCheck[] = [
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)', 'enabled'],
    [repository.isArchived, 'the repository is archived', 'archived'],
    [issue.state === 'closed', 'the issue was closed', 'state'],
    [issue.isLocked, 'the conversation is locked', 'lock'],
    [issue.isPull, 'pull requests are reviewed, not deliberated'],
    [isHeldBack(run, issue.labels), 'it is on hold', 'labels'],
    [
      has('quorum:skip'),
      `the label \`${labelName(run.settings, 'quorum:skip')}\` keeps the team out`,
      'labels',
    ],
    [
      !run.isRequested && !issue.labels.includes(run.label),
      `the label \`${run.label}\` is not on any more`,
      'labels',
    ],
    [run.actor.isBot && !run.isRequested, `@${run.actor.login} is an automated account`],
    [
      !hasPermission(view.actorPermission, needed),
      `@${run.actor.login} needs the ${needed} role to start a deliberation and has ${view.actorPermission}`,
      'role',
    ],
  ];
  const settings = stopped === undefined ? checkSettings(view) : forbid(stopped);
  if (settings.kind === 'refused') return { ...settings, isWorthSaying: true };
  const permit = checkRun(checks, run.authority);
  return permit.kind === 'refused' ? { ...permit, isWorthSaying: false } : permit;
}

/** Settings that cannot be read are not guessed. A comment shows the person who asked where they are wrong. */
function checkSettings(view: IssueView): Permit {
  const broken = brokenSettings(view);
  return broken === undefined ? ALLOWED : forbid(`${broken}. Set the label again after that`);
}

/** Where the default branch's configuration cannot be read, and why; undefined where it can. */
export function brokenSettings({ problems }: Pick<IssueView, 'problems'>): string | undefined {
  const broken = problems.find(
    (problem) => problem.severity === 'error' && CONFIG_FILES.includes(problem.file),
  );
  if (broken === undefined) return undefined;
  return `\`${broken.file}:${broken.line}\` needs a fix: ${broken.message}`;
}

/** Who is asked when the team stops: the configured owner, an assignee, or the person who started it. */
function ownerOf(run: DiscussionRun, view: IssueView): string {
  return view.issue.assignees.at(0) ?? run.actor.login;
}

/** A bad configuration or persona file is a failing check on the commit it is in; the rest of the team goes on. */
function showProblems({ run, step }: DiscussionContext, { view, stopped }: LookResult): void {
  const { problems } = view;
  if ((problems.length === 0 && stopped === undefined) || view.repository.headSha === '') return;
  if (run.phase.kind !== 'looking' || run.phase.next !== 'start') return;
  emitEffect(step, configCheck(run, view, stopped), { lane: `check:${run.thread.repositoryId}` });
}

/** The repository remembers what its personas were, so that a change by an agent is noticed. */
function rememberSouls({ run, step }: DiscussionContext, { souls }: LookResult): void {
  if (souls === undefined) return;
  const key = `repository:${run.thread.repositoryId}`;
  emitEvent(step, { kind: 'souls-seen', run: run.id, souls }, { key, suffix: `souls-${run.step}` });
}
