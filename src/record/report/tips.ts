/** What would have cost less: each tip follows from one figure of this thread, by a rule with a threshold (CB-13). */
import { dollars, totalOf } from '../costs.ts';
import { quoteCode } from '../journal/quote.ts';
import type { ReportFigures } from './figures.ts';

const MAX_TIPS = 3;

/** Below this, nothing is worth a word. */
const WORTH_USD = 0.05;
/** Share of the known cost that one model caused. */
const DEAR_SHARE = 0.6;
/** Sessions of the Coder on one task. */
const MANY_SESSIONS = 3;
const MANY_QUESTIONS = 3;
/** Votes of one persona, all without anything to add. */
const MANY_SILENT = 3;
/** Input tokens of a role, and the share of them that a cache gave. */
const MUCH_INPUT = 50_000;
const LOW_CACHE = 0.2;
/** Input tokens of one call, on average. */
const LARGE_PROMPT = 30_000;
const MANY_FAILED = 3;

interface Tip {
  text: string;
  /** What it is about cost so much: the dearest tips come first. */
  usd: number;
}

type Rule = (figures: ReportFigures) => Tip | undefined;

const dearModel: Rule = ({ costs }) => {
  const total = totalOf(costs).usd;
  const models = [...Map.groupBy(costs, ({ model }) => model)].map(([model, rows]) => ({
    model,
    usd: totalOf(rows).usd,
  }));
  const [dearest] = models.toSorted((a, b) => b.usd - a.usd);
  if (dearest === undefined || models.length < 2 || dearest.usd < WORTH_USD) return undefined;
  if (dearest.usd < total * DEAR_SHARE) return undefined;
  const share = Math.round((dearest.usd / total) * 100);
  return {
    usd: dearest.usd,
    text: `${quoteCode(dearest.model)} caused ${share} % of the cost (${dollars(dearest.usd)}). For a request like this one, \`/pm model cheap\` first.`,
  };
};

const manySessions: Rule = ({ sessions, costs }) => {
  const [most] = sessions;
  if (most === undefined || most.count < MANY_SESSIONS) return undefined;
  const usd = totalOf(costs.filter(({ role }) => role === 'coder')).usd;
  return {
    usd,
    text: `The Coder needed ${most.count} sessions for task ${most.task}. Write into the task how to tell that it is done, and split it if it does two things.`,
  };
};

const manyQuestions: Rule = ({ exchanges, costs }) => {
  if (exchanges.length < MANY_QUESTIONS) return undefined;
  const usd = totalOf(costs.filter(({ role }) => role === 'pm')).usd;
  return {
    usd,
    text: `The Coder asked ${exchanges.length} questions. Put answers that will hold again into \`CLAUDE.md\`.`,
  };
};

const silentVoice: Rule = ({ voices }) => {
  const [voice] = voices
    .filter(({ asked, silent }) => asked >= MANY_SILENT && silent === asked)
    .toSorted((a, b) => b.usd - a.usd);
  if (voice === undefined || voice.usd < WORTH_USD) return undefined;
  return {
    usd: voice.usd,
    text: `${quoteCode(voice.persona)} was asked ${voice.asked} times and had nothing to add, for ${dollars(voice.usd)}. Lower \`council.maxContributors\`, or set \`personas.${voice.persona}.active: false\`.`,
  };
};

const coldCache: Rule = ({ costs }) => {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, usd } = totalOf(costs);
  const all = inputTokens + cacheReadTokens + cacheWriteTokens;
  if (all < MUCH_INPUT || usd < WORTH_USD || cacheReadTokens >= all * LOW_CACHE) return undefined;
  const share = Math.round((cacheReadTokens / all) * 100);
  return {
    usd: usd * (1 - LOW_CACHE),
    text: `Only ${share} % of the input tokens came from a cache. Ask what belongs together within a few minutes, and in one comment.`,
  };
};

const largePrompts: Rule = ({ costs }) => {
  const rows = costs.filter(({ role }) => role === 'contributor' || role === 'lead');
  const { calls, inputTokens, cacheReadTokens, cacheWriteTokens, usd } = totalOf(rows);
  const each = (inputTokens + cacheReadTokens + cacheWriteTokens) / Math.max(1, calls);
  if (each < LARGE_PROMPT || usd < WORTH_USD) return undefined;
  return {
    usd,
    text: `A call of the team read ${Math.round(each / 1000)},000 tokens on average. Smaller pull requests, or paths in the request, make it less.`,
  };
};

const failedCalls: Rule = ({ failedCalls: failed }) =>
  failed < MANY_FAILED
    ? undefined
    : {
        usd: 0,
        text: `${failed} calls of models failed. \`/pm doctor\` shows which models answer.`,
      };

const RULES: readonly Rule[] = [
  dearModel,
  manySessions,
  manyQuestions,
  silentVoice,
  coldCache,
  largePrompts,
  failedCalls,
];

/** At most three, what saves most first. */
export function tipsFor(figures: ReportFigures): string[] {
  return RULES.flatMap((rule) => rule(figures) ?? [])
    .toSorted((a, b) => b.usd - a.usd)
    .slice(0, MAX_TIPS)
    .map(({ text }) => text);
}
