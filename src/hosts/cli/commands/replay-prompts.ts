/**
 * `quorum replay --prompts`: what models were asked in a run and what they answered, and whether today's code reads each
 * answer as it did then. The store is the recording; nothing is asked again, and no network is used.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { generateObject } from '../../../act/model/generate-object.ts';
import { createRecorder, createReplay } from '../../../adapters/model/recorded/recording.ts';
import { ConfigError, InvalidOutputError } from '../../../domain/event/errors.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import { counted } from '../../../domain/text/counted.ts';
import type { Model } from '../../../ports/model.ts';
import type { StoredEvent, StoreReader } from '../../../ports/store.ts';
import { placeOfKey } from '../../../record/thread-record.ts';
import { usageError } from '../report-failure.ts';
import { recordedQuestions, type RecordedQuestion } from './recorded-questions.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

/** More than a thread ever has. */
const MOST = 10_000;

export interface ReplayedAsk {
  effect: string;
  persona: string;
  purpose: string;
  round: number;
  model: string;
  costUsd: number;
  /** Lines of a recording, without secrets: the question with its answer. */
  recording: string[];
  /** In the order in which they are sent. */
  prompt: string[];
  answer: unknown;
  /** Whether the answer is read as it was then. */
  isSame: boolean;
}

export interface PromptOptions {
  /** Values that must not be shown, beside what looks like a credential. */
  secrets: readonly string[];
  /** The person at the terminal asked for a private repository's. */
  withPrivate: boolean;
}

/** ConfigError `prompts-private` for a private repository, or one of which that is not known. */
export async function replayPrompts(
  { records }: StoreReader,
  { run, key }: { run: string; key: string },
  { secrets, withPrivate }: PromptOptions,
): Promise<ReplayedAsk[]> {
  const events = await records.events({ key, limit: MOST });
  if (!withPrivate && !isPublic([...events, ...(await readAbout(records, key))]))
    throw usageError(
      'prompts-private',
      'Prompts of a private repository are shown only with --private: they hold its code and what people wrote.',
    );
  const effects = await records.effects({ run, limit: MOST });
  return Promise.all(recordedQuestions(effects, events).map((each) => askAgain(each, secrets)));
}

/** A task's stream does not tell of its repository: its plan's does. */
async function readAbout(records: StoreReader['records'], key: string): Promise<StoredEvent[]> {
  const place = placeOfKey(key);
  if (place?.task === undefined) return [];
  return records.events({ key: threadKey(place), limit: MOST });
}

/** What is shown of a line: it has no secrets any more. */
const Block = z.object({ text: z.string() });
const Sent = z.object({
  request: z.object({
    system: z.array(Block),
    messages: z.array(z.object({ content: z.array(Block) })),
  }),
  answer: Block,
});

/** By what was last read of it. */
function isPublic(events: readonly StoredEvent[]): boolean {
  const known = events.flatMap(({ data }) => {
    if (data.kind !== 'done') return [];
    if (data.effectKind === 'look-plan') return data.result.repository.isPrivate;
    if (data.effectKind === 'look' || data.effectKind === 'look-pull')
      return data.result.view.repository.isPrivate;
    return data.effectKind === 'look-comment' && data.result.kind === 'read'
      ? data.result.view.repository.isPrivate
      : [];
  });
  return known.length > 0 && known.every((isPrivate) => !isPrivate);
}

async function askAgain(
  { request, schema, form, value: kept, calls, ...about }: RecordedQuestion,
  secrets: readonly string[],
): Promise<ReplayedAsk> {
  const recording: string[] = [];
  const append = (line: string): void => void recording.push(line);
  const question = { request, schema, ...(form && { form }) };
  const model = createRecorder({ model: fromStore(kept, calls), append, secrets });
  const then = await read(question, model);
  const replayed = createReplay({ lines: recording, secrets });
  const now = await read(question, replayed);
  const { request: sent, answer } = Sent.parse(JSON.parse(recording[0] ?? ''));
  const blocks = [...sent.system, ...sent.messages.flatMap(({ content }) => content)];
  return {
    ...about,
    costUsd: calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    recording,
    prompt: blocks.map(({ text }) => text),
    answer: now === undefined ? parseJson(answer.text) : now.value,
    isSame: then !== undefined && sameJson(then.value, kept),
  };
}

/** The text where it is no JSON any more: what looks like a credential may have been part of its form. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Undefined where today's code cannot read the answer at all. */
async function read(
  question: Pick<RecordedQuestion, 'request' | 'schema' | 'form'>,
  model: Model,
): Promise<{ value: unknown } | undefined> {
  try {
    return await generateObject({ ...question, model });
  } catch (error) {
    if (error instanceof InvalidOutputError) return undefined;
    // Without its secrets the answer has another form, so a model would be asked once more.
    if (error instanceof ConfigError && error.code === 'model-not-recorded') return undefined;
    throw error;
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}

/** What the store has of the answer, as a model gives it. */
function fromStore(value: unknown, calls: readonly ModelCall[]): Model {
  const answer = { text: JSON.stringify(value), toolCalls: [], finishReason: 'stop' as const };
  return { name: 'store', generate: async () => ({ ...answer, calls: [...calls] }) };
}

export function renderPrompts(asks: readonly ReplayedAsk[], io: Io): string {
  const paint = createPaint(io);
  const parts = asks.map(({ persona, purpose, round, model, costUsd, ...each }) => {
    const size = each.prompt.reduce((sum, text) => sum + text.length, 0);
    const same = each.isSame
      ? paint.green('read as it was then')
      : paint.red('read otherwise than it was then');
    return [
      paint.bold(`@${persona} · ${purpose}, round ${round} · ${model}`),
      `${counted(size, 'character')}, $${costUsd.toFixed(4)}; the answer is ${same}`,
      each.prompt.join('\n\n'),
      paint.bold('Answer'),
      JSON.stringify(each.answer, undefined, 2),
    ].join('\n\n');
  });
  return `${[`${counted(asks.length, 'question')} to models`, ...parts].join('\n\n---\n\n')}\n`;
}
