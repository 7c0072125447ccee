/** What participants said becomes insights that are true, moves the repository's tensions, and is kept. */
import { sumCost } from '../../domain/run/ledger.ts';
import { isTension, type AnswerCost, type Insight } from '../../domain/standup/insight.ts';
import { dropInventions } from '../../domain/standup/inventions.ts';
import { readAnswer } from '../../domain/standup/standup-answer.ts';
import type { FollowUp } from '../../domain/standup/standup-comment.ts';
import type { GivenAnswer, StandupSettled } from '../../domain/standup/standup-run.ts';
import type { Answered } from '../../domain/standup/strictness.ts';
import { candidatesFor, findRenamed } from '../../domain/tension/find-renamed.ts';
import {
  closeGone,
  followRenames,
  raiseTension,
  type Raised,
} from '../../domain/tension/move-tension.ts';
import { demotedIn } from '../../domain/tension/standing.ts';
import { isUnsettled, type TensionBook } from '../../domain/tension/tension.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { StandupStore } from '../../ports/standup-store.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { changeValue, readValue } from './change-value.ts';
import { learnFromStandup } from './learn-from-standup.ts';
import { readRun, viewHead, type RunRead, type SeenHead } from './read-run.ts';

type Settle = DataOf<'settle-standup'>;

export async function settleStandup(
  data: Settle,
  { ports, readSettings, at }: EffectContext,
): Promise<Performed<'settle-standup'>> {
  const { thread } = data;
  const { standups } = ports.store;
  const session = ports.github.at(thread);
  const read = await readRun(data, { ports, session, readSettings });
  const said = data.answers.flatMap((answer) => insightsOf(answer, data, read));
  const before = await readValue(standups, thread.repositoryId, 'tensions');
  const hasNews = said.some(isTension) || before.tensions.some(isUnsettled);
  const seen = hasNews ? await look(data, { read, said, session, book: before }) : undefined;
  const { kept, invented } = seen === undefined ? asSaid(said) : check(said, seen);
  const moved =
    seen === undefined ? nothingMoves(before) : await moveAll(data, { at, seen, kept }, standups);
  const saved = await standups.save({
    repository: thread.repositoryId,
    name: read.rules.repository,
    run: data.source.run,
    thread: thread.number,
    at,
    headSha: seen?.headSha ?? read.headSha,
    invented,
    skipped: data.skipped.length,
    fixCycles: read.record.fixCycles,
    insights: kept,
  });
  if (saved === 'saved')
    await learnFromStandup(
      { ...read, repository: thread.repositoryId, answered: countAnswered(kept), at },
      { standups, log: ports.log },
    );
  const result: StandupSettled = {
    headSha: seen?.headSha ?? read.headSha,
    insights: kept.filter(({ id }) => !moved.silent.has(id)),
    invented,
    followUps: moved.followUps,
    demoted: demotedIn(moved.book),
    closed: moved.closed,
  };
  return { effectKind: 'settle-standup', result, githubCalls: session.counts };
}

/** Those whose every insight was dropped gave no answer that says how hard they looked. */
function countAnswered(kept: readonly Insight[]): Answered {
  return {
    answers: new Set(kept.map(({ from }) => from)).size,
    noTension: kept.filter((insight) => !isTension(insight)).length,
  };
}

function asSaid(insights: Insight[]): { kept: Insight[]; invented: number } {
  return { kept: insights, invented: 0 };
}

function insightsOf(
  { handle, value, calls }: GivenAnswer,
  { source }: Settle,
  { config, personas, record, rules }: RunRead,
): Insight[] {
  const persona = personas.find((each) => each.handle === handle);
  if (persona === undefined) return [];
  const { maxInsightsPerAgent, maxWordsPerInsight, personality } = config.standup;
  const answer = readAnswer(value, {
    run: source.run,
    persona: personality ? persona : plain(persona),
    team: record.team,
    limits: {
      maxInsights: Math.min(maxInsightsPerAgent, MOST_INSIGHTS),
      maxWords: Math.min(maxWordsPerInsight, MOST_WORDS),
    },
    rules,
    cost: costOf(calls),
  });
  return answer?.insights ?? [];
}

/** LS-3: bounds that configuration may lower and never raise. */
const MOST_INSIGHTS = 3;
const MOST_WORDS = 200;

/** Without a voice of its own it uses no emoji either. */
function plain(persona: RunRead['personas'][number]): RunRead['personas'][number] {
  return {
    ...persona,
    style: { ...persona.style, emoji: { ...persona.style.emoji, policy: 'never' } },
  };
}

function costOf(calls: GivenAnswer['calls']): AnswerCost {
  const { usd, isPartlyUnknown } = sumCost(calls);
  return {
    model: calls.at(-1)?.model ?? 'offline',
    costUsd: isPartlyUnknown ? undefined : usd,
    tokens: calls.reduce(
      (sum, { usage }) =>
        sum +
        usage.inputTokens +
        usage.outputTokens +
        usage.cacheReadTokens +
        usage.cacheWriteTokens,
      0,
    ),
    ms: calls.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
  };
}

interface Looking {
  read: RunRead;
  said: readonly Insight[];
  session: GitHubSession;
  book: TensionBook;
}

/** The head as it is now. Where it cannot be read nothing can be checked, and all that cites anything is dropped. */
async function look({ thread }: Settle, { read, said, session, book }: Looking): Promise<SeenHead> {
  const open = book.tensions.filter(isUnsettled).flatMap(({ refs }) => refs);
  const cited = [...said.flatMap(({ refs }) => refs), ...open].map(({ path }) => path);
  const { record } = read;
  const seen = await viewHead(thread, { session, record, wanted: cited });
  const moved = candidatesFor(book, seen.viewed.paths);
  if (moved.length === 0) return seen;
  return viewHead(thread, { session, record, wanted: [...cited, ...moved] });
}

function check(said: readonly Insight[], { viewed }: SeenHead): ReturnType<typeof asSaid> {
  const { kept, invented } = dropInventions(said.filter(isTension), viewed);
  const quiet = said.filter((insight) => !isTension(insight));
  return { kept: [...kept, ...quiet], invented: invented.length };
}

interface Moved {
  book: TensionBook;
  /** Ids of insights that repeat what people rejected. */
  silent: ReadonlySet<string>;
  followUps: Record<string, FollowUp>;
  closed: number[];
}

function nothingMoves(book: TensionBook): Moved {
  return { book, silent: new Set(), followUps: {}, closed: [] };
}

interface Change {
  at: string;
  seen: SeenHead;
  kept: readonly Insight[];
}

/** Made again on the newest book after a lost race. The same run twice counts once. */
async function moveAll({ thread }: Settle, change: Change, standups: StandupStore): Promise<Moved> {
  let moved: Moved | undefined;
  await changeValue(standups, { repository: thread.repositoryId, name: 'tensions' }, (book) => {
    moved = moveBook(book, change);
    return moved.book;
  });
  return moved ?? nothingMoves({ v: 1, next: 1, tensions: [] });
}

function moveBook(before: TensionBook, { at, seen, kept }: Change): Moved {
  const { headSha: sha, viewed } = seen;
  const renamed = followRenames(before, findRenamed(before, viewed));
  const gone = closeGone(renamed, { sha, at, viewed });
  let { book } = gone;
  const silent = new Set<string>();
  const followUps: Record<string, FollowUp> = {};
  for (const insight of kept.filter(isTension)) {
    const raised = raiseTension(book, insight, { at, viewed });
    book = raised.book;
    if (raised.outcome === 'silent') silent.add(insight.id);
    const followUp = followUpOf(raised, insight);
    if (followUp !== undefined) followUps[insight.id] = followUp;
  }
  const closed = gone.closed.map(({ number }) => number);
  return { book: isSame(before, book) ? before : book, silent, followUps, closed };
}

/** A book that only looks new is not written. */
function isSame(a: TensionBook, b: TensionBook): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function followUpOf({ tension }: Raised, insight: Insight): FollowUp | undefined {
  const { number, issue, seen, insights } = tension;
  if (issue !== undefined) return { kind: 'issue', number: issue };
  const isRepeat = insights[0] !== insight.id;
  return isRepeat ? { kind: 'repeats', number, seen } : undefined;
}
