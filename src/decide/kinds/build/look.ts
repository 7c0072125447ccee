/**
 * What a look at a build does with a fresh view: stop, report that it passes again, start over, or take the next step.
 */
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { BuildReading, BuildView } from '../../../domain/build/build-view.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { LookFor } from '../../../domain/run/state/run-base.ts';
import type { BuildLookResult } from '../../../domain/event/result.ts';
import { beginRun, gatherRound } from '../../discussion/gather.ts';
import { askLead } from '../../discussion/verdict/lead.ts';
import { noteComments, acceptAnswer } from '../../discussion/accept-answer.ts';
import { cancelRun, postReminder } from '../../discussion/listen-to-people.ts';
import type { Sight } from '../../discussion/rounds.ts';
import { readSettings } from '../../run/run-settings.ts';
import { buildPrompt } from './prompt.ts';
import type { RunContext } from '../../run/thread-context.ts';
import { toBuildEvidence } from './evidence.ts';
import { countRed, heal, onNewsView } from './news.ts';
import { mayContinueBuild } from './stop.ts';

/** Takes a view of the build. */
export function onBuild(
  context: RunContext<'build_failure'>,
  { effectId, result }: { effectId: string; result: BuildLookResult },
): Outcome {
  const { run } = context;
  if (run.recheck === effectId) return onNewsView(context, result);
  if (run.phase.kind !== 'looking' || run.phase.effectId !== effectId)
    return ignore('a later look replaced this one');
  const { next } = run.phase;
  note(run, result);
  const end = whetherToEnd(context, result);
  if (end !== undefined) return end;
  if (next === 'reminder') return postReminder(context);
  return advanceRun(context, next, result);
}

/** Ends the run where there is nothing to look into any more; undefined while there is. */
function whetherToEnd(
  context: RunContext<'build_failure'>,
  { view, stopped }: BuildLookResult,
): Outcome | undefined {
  const { run } = context;
  const isTold = run.build?.isTold === true;
  const isWell = view.verdict === 'green';
  const permit = mayContinueBuild(run, view, stopped);
  const quietly = !isTold;
  if (permit.kind === 'refused') return cancelRun(context, permit.reason, { quietly });
  if (!isWell) return undefined;
  return isTold ? heal(context, view) : cancelRun(context, 'it is green now', { quietly });
}

function advanceRun(
  context: RunContext<'build_failure'>,
  next: LookFor,
  { view, nonce }: BuildLookResult,
): Outcome {
  const { run } = context;
  const { thread } = view;
  if (next === 'answer' && thread !== undefined) {
    const answered = acceptAnswer(run, { ...view, issue: thread });
    if (answered.kind === 'refused') return ignore(answered.reason);
  }
  const isAnother = continueReading(run, view);
  const reading = run.build?.reading;
  if (reading === undefined)
    return cancelRun(context, 'nothing of it could be read', { quietly: true });
  if (isAnother) forget(run);
  const sight = sightOf(run, { view, reading, nonce });
  onBuildView(run, view, reading);
  if (next === 'start' || isAnother) beginRun(context, sight);
  else if (next === 'round') gatherRound(context, sight);
  else askLead(context, sight);
  return HANDLED;
}

/** What the run keeps of every look. */
function note(
  run: Run<'build_failure'>,
  { view, nonce, githubCalls, unchangedRuns }: BuildLookResult,
): void {
  run.githubCalls += githubCalls;
  run.unchangedRuns = unchangedRuns;
  run.settings = readSettings(view.config, {
    owner: ownerOf(run, view),
    asker: run.actor,
    unchangedRuns,
  });
  run.headSha = view.headSha;
  if (view.repository.host !== undefined) run.host = view.repository.host;
  run.nonce ??= nonce;
  if (run.build !== undefined && view.verdict === 'red') countRed(run.build, view);
}

/** Who is asked where nobody is configured: the author of the first suspected commit, else the owner. */
function ownerOf(run: Run<'build_failure'>, view: BuildView): string {
  const range = (view.reading ?? run.build?.reading)?.range;
  const suspect = range?.commits.find(({ isByBot }) => !isByBot)?.author;
  // The name that git knows may be anybody's login: only what looks like one is asked.
  const login = suspect !== undefined && /^[\w-]{1,39}$/.test(suspect) ? suspect : undefined;
  return view.thread?.assignees.at(0) ?? login ?? run.thread.owner;
}

/** Whether another failure was read than the one that was being discussed. */
function continueReading(
  { build }: Run<'build_failure'>,
  { reading, repository }: BuildView,
): boolean {
  if (build === undefined || reading === undefined) return false;
  const isAnother =
    build.reading !== undefined && build.reading.fingerprint !== reading.fingerprint;
  // In public a word about a credential would show strangers where to look.
  build.reading = repository.isPrivate ? reading : { ...reading, secrets: 0 };
  return isAnother;
}

/** What was said of another failure says nothing of this one. */
function forget(run: Run<'build_failure'>): void {
  run.round = 1;
  run.contributions = [];
  run.inFlight = [];
  run.status = 'active';
  delete run.leadAlone;
  delete run.verdict;
  delete run.needsYou;
}

function onBuildView(run: Run<'build_failure'>, view: BuildView, reading: BuildReading): void {
  noteComments(run, view);
  if (run.build !== undefined) run.build.isTold = true;
  run.lookedAt = {
    files: reading.files.map(({ path }) => path),
    pastIssues: [],
    notRead: [...reading.notRead, ...view.notRead],
    hidden: reading.jobs.reduce((sum, job) => sum + (job.hidden ?? 0), 0),
  };
}

interface Seen {
  view: BuildView;
  reading: BuildReading;
  nonce: string;
}

function sightOf(run: Run<'build_failure'>, { view, reading, nonce: newest }: Seen): Sight {
  const nonce = run.nonce ?? newest;
  return {
    personas: view.personas,
    aliases: view.config.models.aliases,
    topic: {
      text: reading.causes.map(({ says }) => says).join('\n'),
      paths: reading.files.map(({ path }) => path),
    },
    evidence: toBuildEvidence(view, reading),
    prompt: ({ persona, purpose, evidence }) =>
      buildPrompt({ run, view, reading, nonce, evidence, persona, purpose }),
  };
}
