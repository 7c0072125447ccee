/** What a server of OpenAI's protocol says it counted. Any server may speak it, so nothing of it is taken on trust. */

/** Undefined where it is no count of tokens. */
export function toTokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
