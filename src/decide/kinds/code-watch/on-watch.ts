/** The code watch, step by step: the code was searched, candidates were judged, issues were opened, the answer is written. */
import { isBudgetCode } from '../../../domain/event/budget-codes.ts';
import { type Permit } from '../../../domain/run/permit/permit.ts';
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import { ChangeVerdict } from '../../../domain/run/council.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { capWords } from '../../../domain/config/host-caps.ts';
import type { CodeLookResult } from '../../../domain/event/result.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import { activeTeam, participants } from '../../../domain/persona/roster.ts';
import { checkRun, type RunCheck } from '../../../domain/run/permit/run-authority.ts';
import { hasPermission, isRepositoryThread } from '../../../domain/run/thread-ref.ts';
import type {
  RaisedIssue,
  WatchedCandidate,
  WatchState,
} from '../../../domain/repository/watched-code.ts';
import { asCode } from '../../run/command-context.ts';
import { cleanVerdict } from '../../discussion/clean.ts';
import { endRun } from '../../run/end-run.ts';
import { toVoice } from '../../discussion/gather.ts';
import { cancelRun } from '../../discussion/listen-to-people.ts';
import { labelName, readSettings } from '../../run/run-settings.ts';
import { emitEvent } from '../../run/decision.ts';
import { isOpen, type ResultData, type RunContext } from '../../run/thread-context.ts';
import { askJudge } from './judge.ts';
import { openIssue } from './open-issue.ts';

/** Spec 10: so many of its issues may be open in a repository; configuration may lower it. */
const MAX_OPEN = 3;
/** So many more are judged than can be opened: not every candidate is worth it. */
const SPARE = 2;

export function onWatch(context: RunContext<'code_watch'>, data: ResultData): Outcome {
  if (data.kind === 'timer') return ignore('no timer was set');
  if (!isOpen(context.run)) return ignore('the run is over');
  if (data.kind === 'failed') return onFailure(context, data);
  if (data.effectKind === 'look-code') return onCode(context, data);
  if (data.effectKind === 'ask') return onJudgement(context, data);
  return data.effectKind === 'issue' ? onIssue(context, data) : HANDLED;
}

type Done<K extends string> = Extract<EventData, { kind: 'done'; effectKind: K }>;

/** The code was read and searched: what may be worth an issue is judged, as far as there is room for issues. */
function onCode(
  context: RunContext<'code_watch'>,
  { effectId, result }: Done<'look-code'>,
): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return ignore('a later look replaced this one');
  note(context, result);
  const permit = mayContinue(context, result);
  if (permit.kind === 'refused') return cancelRun(context, permit.reason);
  const { view, code } = result;
  const watch = begin(context, result);
  run.watch = watch;
  const lead = seat(context, result);
  const candidates = code.candidates.filter(
    ({ isConfidential }) => view.repository.isPrivate || isAtTerminal(context) || !isConfidential,
  );
  watch.withheld = code.candidates.length - candidates.length;
  if (lead === undefined && candidates.length > 0)
    return cancelRun(context, 'the team has no active lead here, who would judge what was found');
  const toJudge = watch.room === 0 ? [] : candidates.slice(0, watch.room + SPARE);
  watch.candidates = candidates.map((candidate) => ({ candidate, effectId: '' }));
  for (const [index] of toJudge.entries()) {
    const watched = watch.candidates[index];
    if (watched !== undefined && lead !== undefined)
      watched.effectId = askJudge(context, result, { lead, candidate: watched.candidate });
  }
  run.phase = { kind: 'judging' };
  return advanceRun(context);
}

/** NW-3b: those whose rules found something, and the lead who judges it. */
function seat(
  { run }: RunContext<'code_watch'>,
  { view, code }: CodeLookResult,
): Persona | undefined {
  const paths = code.candidates.flatMap(({ places }) => places.map(({ path }) => path));
  const text = code.candidates.map(({ title }) => title).join('\n');
  const team = activeTeam(view.personas, { board: false });
  const seats = participants(team, 'code_watch', { text, paths });
  const { lead, contributors, sittingOut } = seats;
  if (lead !== undefined) run.lead = toVoice(lead);
  // Only the lead is asked, but any persona with a seat may have found something.
  run.participants = [...contributors, ...sittingOut.map(({ persona }) => persona)].map(toVoice);
  run.lookedAt.files = [...new Set(paths)];
  return lead;
}

/** At a terminal no issue is opened, and only the person who runs it reads the answer. */
function isAtTerminal({ run }: RunContext<'code_watch'>): boolean {
  return run.isRequested && run.askedIn === undefined;
}

function note(
  { run }: RunContext<'code_watch'>,
  { view, unchangedRuns, githubCalls, nonce, code }: CodeLookResult,
) {
  run.settings = readSettings(view.config, {
    owner: run.actor.login,
    asker: run.actor,
    unchangedRuns,
  });
  run.unchangedRuns = unchangedRuns;
  run.githubCalls += githubCalls;
  run.headSha = view.repository.headSha;
  if (view.repository.host !== undefined) run.host = view.repository.host;
  run.nonce ??= nonce;
  run.lookedAt = { files: [], pastIssues: [], notRead: code.notRead, hidden: 0 };
}

/** The first thing that forbids going on, as people would say it. */
function mayContinue(
  { run }: RunContext<'code_watch'>,
  { view, code, stopped }: CodeLookResult,
): Permit {
  const { config, repository, actorPermission } = view;
  const needed = requiredPermission(config.access, 'watch', 'change');
  const checks: RunCheck[] = [
    [stopped !== undefined, stopped ?? ''],
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)', 'enabled'],
    [repository.isArchived, 'the repository is archived', 'archived'],
    // A role can be taken away in between (CMD-02); a listed App's word was checked against the list.
    [
      !run.actor.isBot && !hasPermission(actorPermission, needed),
      `the person who asked needs the ${needed} role, and has ${actorPermission}`,
      'role',
    ],
    [code.asked === 0, nothingThere(run.path)],
  ];
  return checkRun(checks, run.authority);
}

function nothingThere(path = ''): string {
  const where = path === '' ? '' : ` below ${asCode(path)}`;
  return `there is nothing to search${where} on the default branch`;
}

function begin(context: RunContext<'code_watch'>, { view, code }: CodeLookResult): WatchState {
  const { run } = context;
  const label = labelName(run.settings, 'code-watch').toLowerCase();
  const open = code.raised
    .filter((issue) => isOpenWith(issue, label))
    .toSorted((a, b) => a.number - b.number);
  const most = Math.min(MAX_OPEN, view.config.sweeps.maxOpenCodeWatchIssues);
  return {
    path: run.path ?? '',
    candidates: [],
    room: isAtTerminal(context) ? code.candidates.length : Math.max(0, most - open.length),
    open,
    withheld: 0,
    left: code.left,
    known: code.known,
    files: code.asked,
  };
}

function isOpenWith({ state, labels }: RaisedIssue, wanted: string): boolean {
  return state === 'open' && labels.some((label) => label.toLowerCase() === wanted);
}

function onJudgement(
  context: RunContext<'code_watch'>,
  { effectId, result }: Done<'ask'>,
): Outcome {
  const { run } = context;
  run.calls.push(...result.calls);
  const last = result.calls.at(-1);
  if (last !== undefined) {
    run.isOffline = last.provider === 'offline';
    run.model = last.model;
  }
  if (result.budget !== undefined) run.budgetUsed = result.budget;
  const watched = findWatched(context, effectId);
  if (watched === undefined) return ignore('nobody waits for this judgement');
  const parsed = ChangeVerdict.safeParse(result.value);
  if (parsed.success) watched.judgement = toJudgement(cleanVerdict(parsed.data, run));
  else watched.failure = 'unreadable-answer';
  return advanceRun(context);
}

function toJudgement(
  verdict: ReturnType<typeof cleanVerdict>,
): NonNullable<WatchedCandidate['judgement']> {
  const { confidence, headline, reasons, question, changes } = verdict;
  const word =
    verdict.verdict === 'APPROVE' || verdict.verdict === 'HUMAN' ? verdict.verdict : 'CHANGES';
  const step = changes[0]?.text;
  return {
    word,
    confidence,
    headline,
    reasons,
    ...(step === undefined ? {} : { step }),
    ...(question === undefined ? {} : { question }),
  };
}

function onIssue(context: RunContext<'code_watch'>, { effectId, result }: Done<'issue'>): Outcome {
  const watched = findWatched(context, effectId);
  if (watched === undefined) return ignore('nobody waits for this issue');
  watched.issue =
    result.outcome === 'full'
      ? { outcome: 'full' }
      : { outcome: result.outcome, number: result.number };
  return advanceRun(context);
}

function onFailure(
  context: RunContext<'code_watch'>,
  { effectId, effectKind, failure }: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { run } = context;
  if (effectKind === 'look-code' && run.phase.kind === 'looking')
    return cancelRun(context, `the code could not be read (\`${failure.code}\`)`);
  if (isBudgetCode(failure.code)) run.isBudgetExhausted = true;
  const hostCap = capWords(failure);
  if (hostCap !== undefined) run.hostCapNote = hostCap;
  const watched = findWatched(context, effectId);
  if (watched === undefined) return ignore(`${effectKind} failed: ${failure.code}`);
  watched.failure = failure.code;
  return advanceRun(context);
}

function findWatched(
  { run }: RunContext<'code_watch'>,
  effectId: string,
): WatchedCandidate | undefined {
  return run.watch?.candidates.find((each) => each.effectId === effectId);
}

/** When everything that is waited for has come: from judging to opening, and from there to the answer. */
function advanceRun(context: RunContext<'code_watch'>): Outcome {
  const { run } = context;
  const { watch } = run;
  if (watch === undefined || watch.candidates.some(isAwaited)) return HANDLED;
  const approved = watch.candidates.filter(isApproved);
  if (run.phase.kind === 'judging' && approved.length > 0) {
    for (const watched of approved) {
      if (approved.indexOf(watched) < watch.room) watched.effectId = openIssue(context, watched);
      else watched.issue = { outcome: 'full' };
    }
    run.phase = { kind: 'opening' };
    return HANDLED;
  }
  return conclude(context);
}

function isAwaited({ effectId, judgement, failure, issue }: WatchedCandidate): boolean {
  if (effectId === '' || failure !== undefined || issue !== undefined) return false;
  // An approved one has a new effect as soon as its issue is wanted.
  return judgement === undefined || effectId.endsWith('-issue');
}

function isApproved({ judgement, failure }: WatchedCandidate): boolean {
  return judgement?.word === 'APPROVE' && failure === undefined;
}

function conclude(context: RunContext<'code_watch'>): Outcome {
  const { run, step } = context;
  const candidates = run.watch?.candidates ?? [];
  run.status = 'consensus';
  if (candidates.some(isApproved)) run.result = 'approved';
  const isSilent = isRepositoryThread(run.thread);
  const names = candidates
    .filter(isSettled)
    // Nobody reads a question of a search that answers nobody: the next person who asks gets it.
    .filter(({ judgement }) => !isSilent || judgement?.word !== 'HUMAN')
    .flatMap(({ candidate }) => candidate.names);
  const isWhole = run.path === undefined && !isAtTerminal(context);
  const headSha = isSearched(run.watch) ? run.headSha : '';
  // What is approved and had no room, or what nobody could judge, is found again next time.
  if (names.length > 0 || isWhole)
    emitEvent(
      step,
      { kind: 'watched', run: run.id, names, ...(isWhole && { headSha }) },
      { key: `repository:${run.thread.repositoryId}`, suffix: 'watched' },
    );
  context.kind.end(context);
  endRun(context);
  return HANDLED;
}

/** Otherwise the clock searches the same head again. Without room for an issue, it need not. */
function isSearched(watch: WatchState | undefined): boolean {
  if (watch === undefined || watch.room === 0) return true;
  return watch.left.length === 0 && watch.candidates.every(isSettled);
}

function isSettled({ judgement, failure, issue }: WatchedCandidate): boolean {
  return judgement !== undefined && failure === undefined && issue?.outcome !== 'full';
}
