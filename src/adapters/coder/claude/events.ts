/** Reads the CLI's `stream-json`: one JSON object a line, of which two kinds matter here. */
import { z } from 'zod';

const ModelUsage = z.looseObject({ costBasis: z.string().optional() });

/** How a session ended, in the CLI's own words. */
export const ResultEvent = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  api_error_status: z.number().nullish(),
  terminal_reason: z.string().nullish(),
  stop_reason: z.string().nullish(),
  result: z.string().nullish(),
  structured_output: z.unknown().optional(),
  errors: z.array(z.string()).nullish(),
  session_id: z.string().optional(),
  total_cost_usd: z.number().nullish(),
  modelUsage: z.record(z.string(), ModelUsage).nullish(),
  deferred_tool_use: z.looseObject({ name: z.string(), input: z.unknown() }).nullish(),
});
export type ResultEvent = z.infer<typeof ResultEvent>;

const InitEvent = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).optional(),
});

/** What was seen of a session. */
export interface Seen {
  /** The last one; undefined before the first. */
  result: ResultEvent | undefined;
  sessionId: string | undefined;
  /** Servers of tools that did not start: the CLI goes on without them. */
  lostServers: readonly string[];
}

export interface EventReader {
  push: (piece: Buffer) => void;
  seen: () => Seen;
}

/** A line beyond this is dropped: a result is far shorter. */
const MAX_LINE_CHARS = 20_000_000;

/** Takes output in pieces of any size; what is no event is passed over. */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  const seen: Seen = { result: undefined, sessionId: undefined, lostServers: [] };
  let rest = '';
  return {
    push: (piece) => {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      const last = lines.pop() ?? '';
      rest = last.length > MAX_LINE_CHARS ? '' : last;
      for (const line of lines) readLine(seen, line);
    },
    seen: () => {
      readLine(seen, rest);
      rest = '';
      return seen;
    },
  };
}

function readLine(seen: Seen, line: string): void {
  const event = parseJson(line);
  const result = ResultEvent.safeParse(event);
  if (result.success) {
    seen.result = result.data;
    seen.sessionId = result.data.session_id ?? seen.sessionId;
  }
  const init = InitEvent.safeParse(event);
  if (init.success) {
    seen.sessionId = init.data.session_id;
    const lost = (init.data.mcp_servers ?? []).filter(({ status }) => status === 'failed');
    seen.lostServers = lost.map(({ name }) => name);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
