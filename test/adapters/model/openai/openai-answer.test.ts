/** What a server of the protocol says it counted, where that is no count. */
import { expect, test } from 'vitest';
import { readOpenAiAnswer } from '../../../../src/adapters/model/openai/openai-answer.ts';
import type { Progress } from '../../../../src/adapters/model/round-trip.ts';

async function* chunks(usage: unknown): AsyncIterable<never> {
  yield { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] } as never;
  yield { choices: [], usage } as never;
}

test.each([
  { completion_tokens: 1 },
  { prompt_tokens: 'many', completion_tokens: 1 },
  { prompt_tokens: 1, completion_tokens: -1 },
  { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0.5 } },
])('%j leaves the usage unknown, and the answer as it is', async (usage) => {
  const progress: Progress = { isStarted: false, usage: undefined };
  const onStart = (): void => void (progress.isStarted = true);
  const answer = await readOpenAiAnswer(chunks(usage), { who: 'x', progress, onStart });
  expect([answer.text, progress.usage]).toEqual(['ok', undefined]);
});
