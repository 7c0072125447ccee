/** The most tokens that a request can use, from its bytes alone. */
import { isRecord } from '../../../../domain/config/yaml.ts';
import { contentBlocks } from '../outreach.ts';
import type { TokenBound } from './meter.ts';

/**
 * The largest image that a model reads: 2,576 pixels on its longer side, 4,784 tokens, whatever its file's size
 * (platform.claude.com/docs/en/build-with-claude/vision).
 */
const IMAGE_TOKENS = 5_000;
/** Pages of a PDF are compressed, so that its bytes say nothing; the largest context window bounds them. */
const WINDOW_TOKENS = 1_000_000;
/** What a provider adds to a prompt: the text that introduces tools has at most 804 tokens, and every part has marks. */
const ADDED_TOKENS = 2_000;

/**
 * An upper bound: a token of a byte-level vocabulary covers at least one byte, and JSON only makes text longer. English
 * and code have 3 to 4 bytes a token, so that the bound is 3 to 4 times what is used.
 */
export function boundTokens(request: Record<string, unknown>, maxTokens: number): TokenBound {
  const files = contentBlocks(request).filter(isFile);
  const fileBytes = files.reduce((sum, { source }) => sum + dataOf(source).length, 0);
  const bytes = Buffer.byteLength(JSON.stringify(request)) - fileBytes;
  const images = files.filter(({ type }) => type === 'image').length;
  const documents = files.length > images ? WINDOW_TOKENS : 0;
  return { input: bytes + images * IMAGE_TOKENS + documents + ADDED_TOKENS, output: maxTokens };
}

/** The provider calls its own count an estimate that can be off by a little. */
const COUNT_MARGIN = 1.05;

/** A closer bound, from the provider's own count of the same request. */
export function boundByCount(counted: number, { output }: TokenBound): TokenBound {
  return { input: Math.ceil(counted * COUNT_MARGIN) + ADDED_TOKENS, output };
}

function isFile({ source }: Record<string, unknown>): boolean {
  return isRecord(source) && source['type'] === 'base64';
}

function dataOf(source: unknown): string {
  const data = isRecord(source) ? source['data'] : undefined;
  return typeof data === 'string' ? data : '';
}
