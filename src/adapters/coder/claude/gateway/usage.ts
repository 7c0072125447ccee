/** Reads what a call used out of an answer that passes by, whole or as a stream of events. */
import { z } from 'zod';
import { NO_USAGE, type Usage } from '../../../../domain/run/ledger.ts';

export interface UsageReader {
  push: (piece: Buffer) => void;
  /** What is known so far; undefined when the answer did not name its input. */
  usage: () => Usage | undefined;
  /** Whether the answer named all that it used. */
  isFinal: () => boolean;
  /** Whether it came to its end, as an answer of this protocol does. */
  isWhole: () => boolean;
  isRefused: () => boolean;
}

const Count = z.number().nonnegative().nullish();
const WireUsage = z.looseObject({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
const Message = z.looseObject({ usage: WireUsage.optional(), stop_reason: z.string().nullish() });
const StreamEvent = z.looseObject({
  type: z.string(),
  message: Message.optional(),
  usage: WireUsage.optional(),
  delta: z.looseObject({ stop_reason: z.string().nullish() }).optional(),
});

/** A body beyond this is passed on and not understood: no answer of a model is as long. */
const MAX_CHARS = 16_000_000;

interface Reading {
  usage: Usage | undefined;
  hasInput: boolean;
  /** The output so far is the output at the end. */
  hasOutput: boolean;
  stop: string | undefined;
  isWhole: boolean;
}

export function createUsageReader(isStream: boolean): UsageReader {
  const reading: Reading = {
    usage: undefined,
    hasInput: false,
    hasOutput: false,
    stop: undefined,
    isWhole: false,
  };
  const decoder = new TextDecoder();
  let rest = '';
  let hasRead = false;
  const readWhole = (): void => {
    if (isStream || hasRead) return;
    hasRead = true;
    readMessage(reading, rest);
  };
  return {
    push: (piece) => {
      if (rest.length > MAX_CHARS) return;
      rest += decoder.decode(piece, { stream: true });
      if (!isStream) return;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) readEvent(reading, line.slice(5));
    },
    usage: () => {
      readWhole();
      return reading.hasInput ? reading.usage : undefined;
    },
    isFinal: () => {
      readWhole();
      return reading.isWhole && reading.hasInput && reading.hasOutput;
    },
    isWhole: () => {
      readWhole();
      return reading.isWhole;
    },
    isRefused: () => reading.stop === 'refusal',
  };
}

function readMessage(reading: Reading, text: string): void {
  const parsed = Message.safeParse(parseJson(text));
  if (!parsed.success) return;
  take(reading, parsed.data.usage, { isEnd: true });
  reading.stop = parsed.data.stop_reason ?? undefined;
  reading.isWhole = reading.stop !== undefined;
}

function readEvent(reading: Reading, text: string): void {
  const parsed = StreamEvent.safeParse(parseJson(text));
  if (!parsed.success) return;
  const { type, message, usage, delta } = parsed.data;
  if (type === 'message_start') take(reading, message?.usage, { isEnd: false });
  if (type === 'message_delta') take(reading, usage, { isEnd: true });
  if (type === 'message_stop') reading.isWhole = true;
  reading.stop = delta?.stop_reason ?? reading.stop;
}

/** Counts of a stream are cumulative; a field that is left out keeps its value. */
function take(
  reading: Reading,
  usage: z.infer<typeof WireUsage> | undefined,
  { isEnd }: { isEnd: boolean },
): void {
  if (usage === undefined) return;
  if (isEnd && typeof usage.output_tokens === 'number') reading.hasOutput = true;
  const before = reading.usage ?? NO_USAGE;
  reading.usage = {
    inputTokens: usage.input_tokens ?? before.inputTokens,
    outputTokens: usage.output_tokens ?? before.outputTokens,
    cacheReadTokens: usage.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? before.cacheWriteTokens,
  };
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = reading.usage;
  // No prompt is empty: some servers write zeros for what they do not count.
  reading.hasInput = inputTokens + cacheReadTokens + cacheWriteTokens > 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
