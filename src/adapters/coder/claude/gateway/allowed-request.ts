/** What a request to the model may contain. Anything else is refused, because it could cost more than is counted. */
import { z } from 'zod';
import { isRecord } from '../../../../domain/config/yaml.ts';
import { contentBlocks, outreachOf } from '../outreach.ts';

/**
 * What Claude Code 2.1.330 sends, and what the Messages API has always had. Left out on purpose: `speed`,
 * `inference_geo` and `service_tier`, which change the price. Also `fallbacks` and `compaction`, which make further
 * calls that the usage does not count, and `thread`, which lets the provider add to the prompt.
 */
const BODY_KEYS: ReadonlySet<string> = new Set([
  'context_management',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

/**
 * The first eight are what Claude Code 2.1.330 sends, the credit only after a refusal. The others change the form of a
 * request or an answer. None of them raises a price, calls a model again or reaches out.
 */
const BETAS: ReadonlySet<string> = new Set([
  'claude-code-20250219',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'fallback-credit-2026-06-01',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'thinking-display-updates-2026-08-18',
  'thinking-token-count-2026-05-13',
  'mid-conversation-system-2026-04-07',
  'redact-thinking-2026-02-12',
  'structured-outputs-2025-12-15',
  'token-counting-2024-11-01',
]);

/** Edits that only leave out what was there; a compaction would be a call of its own. */
const CONTEXT_EDITS: ReadonlySet<unknown> = new Set([
  'clear_thinking_20251015',
  'clear_tool_uses_20250919',
]);

const Wanted = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive().optional(),
  stream: z.boolean().optional(),
});

export interface AllowedRequest {
  /** As it goes to the provider. Made again from what was checked, so that no parser reads it differently. */
  body: Record<string, unknown>;
  isStream: boolean;
  /** Undefined only where tokens are counted. */
  maxTokens: number | undefined;
}

/** The request, or why it is refused. */
export function readRequest(
  body: unknown,
  { model, betas }: { model: string; betas: string | undefined },
): AllowedRequest | { refused: string } {
  const wanted = Wanted.safeParse(body);
  if (!isRecord(body) || !wanted.success)
    return { refused: 'This is not a request for a message.' };
  const { data } = wanted;
  if (data.model !== model) return { refused: `This run may use only the model ${model}.` };
  const outreach = outreachOf(body);
  if (outreach !== undefined)
    return { refused: `This run has no network, and ${outreach} would be one.` };
  const cost = strangeIn(body, betas);
  if (cost !== undefined)
    return {
      refused: `The gateway of this run does not pass on ${cost}. It passes on what Claude Code 2.1.330 sends.`,
    };
  return { body, isStream: data.stream === true, maxTokens: data.max_tokens };
}

function strangeIn(body: Record<string, unknown>, betas: string | undefined): string | undefined {
  const key = Object.keys(body).find((name) => !BODY_KEYS.has(name));
  if (key !== undefined) return `the key ${quote(key)}`;
  const beta = betaNames(betas).find((name) => !BETAS.has(name));
  if (beta !== undefined) return `the beta ${quote(beta)}`;
  const edit = editsOf(body).find((type) => !CONTEXT_EDITS.has(type));
  if (edit !== undefined) return `the context edit ${quote(edit)}`;
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  const isLong = [...contentBlocks(body), ...tools].some(isKeptLong);
  return isLong ? 'a cache that is kept for longer than 5 minutes' : undefined;
}

function betaNames(betas: string | undefined): string[] {
  return (betas ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function editsOf({ context_management: management }: Record<string, unknown>): string[] {
  if (management === undefined || management === null) return [];
  const edits = isRecord(management) ? management['edits'] : 'none';
  if (edits === undefined) return [];
  if (!Array.isArray(edits)) return [JSON.stringify(management)];
  return edits.map((edit: unknown) => (isRecord(edit) ? String(edit['type']) : String(edit)));
}

/** A write that is kept for an hour costs twice the input, which a model's price does not have. */
function isKeptLong(block: unknown): boolean {
  const cache = isRecord(block) ? block['cache_control'] : undefined;
  return isRecord(cache) && cache['ttl'] !== undefined && cache['ttl'] !== '5m';
}

const MAX_QUOTED_CHARS = 80;

function quote(text: string): string {
  return JSON.stringify(text.slice(0, MAX_QUOTED_CHARS));
}
