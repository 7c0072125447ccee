/** What a participant answers in a standup (LS-4), and how it becomes insights that may be shown. */
import * as z from 'zod';
import { speakAs } from '../persona/speak-as.ts';
import { scrubSecrets } from '../secrets/scrub.ts';
import { cleanOutput, type OutputRules } from '../text/clean-output.ts';
import { readCitations } from './citations.ts';
import { withoutEmptyTalk, type EmptyTalk } from './empty-talk.ts';
import {
  INSIGHT_TYPES,
  insightId,
  shareOf,
  type AnswerCost,
  type Insight,
  type Speaker,
} from './insight.ts';

const Said = z.object({
  to: z.string().max(80).describe('Handle of one teammate without @, or none'),
  insight_type: z
    .enum(INSIGHT_TYPES)
    .describe('What kind of tension it is; none when you see no tension'),
  message: z.string().max(50_000).describe('The tension, concrete, with path and line or figure'),
  actionable: z.boolean().describe('Whether somebody can do something about it'),
});

/** An empty list, or one entry of type `none`, says that there is no tension. */
export const StandupAnswer = z.object({ insights: z.array(Said).max(50) });
export type StandupAnswer = z.infer<typeof StandupAnswer>;

export interface AnswerLimits {
  /** `standup.maxInsightsPerAgent`. */
  maxInsights: number;
  /** `standup.maxWordsPerInsight`. */
  maxWords: number;
}

/** LS-3. */
export const ANSWER_LIMITS: AnswerLimits = { maxInsights: 3, maxWords: 200 };

export interface AnswerContext extends Speaker {
  /** Handles of all participants: only these can be addressed. */
  team: readonly string[];
  limits: AnswerLimits;
  /** Where links may lead. */
  rules: OutputRules;
  cost: AnswerCost;
  /** Values of this process's own secrets. */
  secrets?: readonly string[];
}

export type AnswerDrop = EmptyTalk | 'over-limit' | 'repeated' | 'empty';

export interface ReadAnswer {
  /** Never empty: without a tension it is one of type `none`. */
  insights: Insight[];
  /** How many entries were left out, and why. */
  dropped: Partial<Record<AnswerDrop, number>>;
}

/** Reads an answer; undefined when it is malformed, which is worth one retry (LS-4). */
export function readAnswer(value: unknown, context: AnswerContext): ReadAnswer | undefined {
  const parsed = StandupAnswer.safeParse(value);
  if (!parsed.success) return undefined;
  const dropped: ReadAnswer['dropped'] = {};
  const drop = (why: AnswerDrop): void => {
    dropped[why] = (dropped[why] ?? 0) + 1;
  };
  const said = new Map<string, z.infer<typeof Said>>();
  for (const entry of parsed.data.insights.filter(({ insight_type: type }) => type !== 'none')) {
    const read = toMessage(entry.message, context);
    if (read.message === '') drop(read.why);
    else if (said.has(read.message)) drop('repeated');
    else if (said.size >= context.limits.maxInsights) drop('over-limit');
    else said.set(read.message, entry);
  }
  return { insights: toInsights(said, context), dropped };
}

function toInsights(
  said: ReadonlyMap<string, z.infer<typeof Said>>,
  context: AnswerContext,
): Insight[] {
  if (said.size === 0) return [noTension(context, context.cost)];
  return [...said].map(([message, entry], index) => {
    const { run, persona } = context;
    const to = addressee(entry.to, context);
    return {
      id: insightId({ run, from: persona.handle, message }),
      run,
      from: persona.handle,
      role: persona.role,
      ...(to === undefined ? {} : { to }),
      type: entry.insight_type,
      message,
      refs: readCitations(message).map(({ path, line, endLine }) => ({
        path,
        ...(line === undefined ? {} : { line }),
        ...(endLine === undefined ? {} : { endLine }),
      })),
      actionable: entry.actionable,
      ...shareOf(context.cost, said.size, index),
    };
  });
}

/** That this participant saw nothing worth saying: kept, since silence is a signal too. */
export function noTension({ run, persona }: Speaker, cost: AnswerCost): Insight {
  const { handle: from, role } = persona;
  const id = insightId({ run, from, message: '' });
  return { id, run, from, role, type: 'none', message: '', refs: [], actionable: false, ...cost };
}

function addressee(to: string, { team, persona }: AnswerContext): string | undefined {
  const handle = to.trim().replace(/^@/, '').toLowerCase();
  return team.includes(handle) && handle !== persona.handle ? handle : undefined;
}

/**
 * One line for people. Secrets go first, while they have their shape. The line is cut before it is cleaned, so that no
 * cut opens what cleaning has closed.
 */
function toMessage(
  source: string,
  { persona, limits, rules, secrets = [] }: AnswerContext,
): { message: string; why: AnswerDrop } {
  const line = scrubSecrets(source, secrets).replaceAll(/\s+/g, ' ').trim();
  const { text, removed } = withoutEmptyTalk(line);
  const spoken = speakAs(persona, cutToWords(text, limits.maxWords)).text;
  const clean = cleanOutput(spoken, rules).text;
  const message = scrubSecrets(clean, secrets).replaceAll(/\s+/g, ' ').trim();
  return { message, why: removed[0] ?? 'empty' };
}

/** So many words at most, up to the end of a sentence where one is in the second half. */
export function cutToWords(line: string, most: number): string {
  const words = line.split(' ').filter((word) => word !== '');
  if (words.length <= most) return line;
  const kept = words.slice(0, most);
  const end = kept.findLastIndex((word) => /[.!?][)"'`]?$/.test(word));
  return end >= most / 2 ? kept.slice(0, end + 1).join(' ') : `${kept.join(' ')} …`;
}
