/** Counts what a prompt would read from OpenAI's cache, which needs no marks: long equal beginnings are found. */
import type { Clock } from '../../ports/clock.ts';
import { countTokens, type PromptCount } from './prompt-cache.ts';
import type { ScriptedCall } from './script.ts';

/** Prefixes count from 1,024 tokens on, in steps of 128 (OpenAI's prompt caching guide). */
const FIRST_TOKENS = 1024;
const STEP_TOKENS = 128;
const CHARS_A_TOKEN = 4;
const LIFETIME_MS = 5 * 60 * 1000;

/** Remembers whole prompts, and compares new ones with them. */
export function createImplicitCache(clock: Clock): { count(call: ScriptedCall): PromptCount } {
  const prompts = new Map<string, number>();
  return {
    count(call) {
      const { tools, response_format: format, messages } = call.body;
      const text = JSON.stringify([call.model, tools ?? [], format ?? null, messages]);
      const total = countTokens(text);
      const alive = [...prompts].filter(([, until]) => until > clock.now());
      const cacheRead = Math.max(0, ...alive.map(([known]) => countCommon(known, text)));
      return {
        cacheRead,
        cacheWrite: 0,
        input: total - cacheRead,
        store: () => void prompts.set(text, clock.now() + LIFETIME_MS),
      };
    },
  };
}

function countCommon(a: string, b: string): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  const tokens = Math.floor(i / CHARS_A_TOKEN);
  return tokens < FIRST_TOKENS ? 0 : tokens - (tokens % STEP_TOKENS);
}
