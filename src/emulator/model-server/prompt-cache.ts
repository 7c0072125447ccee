/** Counts what a prompt would read from and write to Anthropic's cache, by the rules of its prompt caching guide. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { asList, asRecord } from './read-call.ts';
import type { ScriptedCall } from './script.ts';

/** An entry lives five minutes from its last use. */
const LIFETIME_MS = 5 * 60 * 1000;

/** From a breakpoint the cache looks at most this many blocks back for an entry. */
const LOOK_BACK_BLOCKS = 20;

export interface PromptCount {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  /** Makes what this prompt writes readable; a real cache does so when the answer begins. */
  store(): void;
}

export interface PromptCache {
  count(call: ScriptedCall): PromptCount;
}

interface Block {
  hash: string;
  /** Tokens from the start of the prompt to the end of this block. */
  tokens: number;
  isBreakpoint: boolean;
}

/** About four characters are a token. */
export function countTokens(text: string): number {
  return text === '' ? 0 : Math.ceil(text.length / 4);
}

/** Keeps entries by hash of everything before them: model, tools, output format, system, messages. */
export function createPromptCache(clock: Clock, minTokens: number): PromptCache {
  const entries = new Map<string, number>();
  const isAlive = (hash: string): boolean => (entries.get(hash) ?? -1) > clock.now();
  return {
    count(call) {
      const blocks = readBlocks(call);
      const total = blocks.at(-1)?.tokens ?? 0;
      const marks = blocks.flatMap((b, i) => (b.isBreakpoint && b.tokens >= minTokens ? [i] : []));
      const hit = findHit(blocks, marks, isAlive);
      const cacheRead = hit === undefined ? 0 : hit.tokens;
      const end = blocks[marks.at(-1) ?? -1]?.tokens ?? 0;
      const cacheWrite = Math.max(0, end - cacheRead);
      return {
        cacheRead,
        cacheWrite,
        input: total - cacheRead - cacheWrite,
        store() {
          const until = clock.now() + LIFETIME_MS;
          if (hit !== undefined) entries.set(hit.hash, until);
          for (const mark of marks) entries.set(blocks[mark]?.hash ?? '', until);
        },
      };
    },
  };
}

/** The longest prefix that is in the cache, seen from any breakpoint. */
function findHit(
  blocks: readonly Block[],
  marks: readonly number[],
  isAlive: (hash: string) => boolean,
): Block | undefined {
  for (const mark of marks.toReversed()) {
    const seen = blocks.slice(Math.max(0, mark - LOOK_BACK_BLOCKS + 1), mark + 1);
    const hit = seen.findLast((block) => isAlive(block.hash));
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function readBlocks(call: ScriptedCall): Block[] {
  const { body } = call;
  const head = JSON.stringify([call.model, body['output_config'] ?? null]);
  let hash = digest('', head);
  let tokens = 0;
  return listParts(body).map((part) => {
    const { cache_control: mark, ...content } = part;
    const text = JSON.stringify(content);
    hash = digest(hash, text);
    tokens += countTokens(text);
    return { hash, tokens, isBreakpoint: mark !== undefined };
  });
}

function listParts(body: Record<string, unknown>): Record<string, unknown>[] {
  const system =
    typeof body['system'] === 'string'
      ? [{ type: 'text', text: body['system'] }]
      : asList(body['system']);
  const messages = asList(body['messages']).flatMap((message) => {
    const role = message['role'];
    if (typeof message['content'] === 'string')
      return [{ role, type: 'text', text: message['content'] }];
    return asList(message['content']).map((block) => ({ role, ...asRecord(block) }));
  });
  return [...asList(body['tools']), ...system, ...messages];
}

function digest(before: string, text: string): string {
  return createHash('sha256').update(before).update('\0').update(text).digest('hex');
}
