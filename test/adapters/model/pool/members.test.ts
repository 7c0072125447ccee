/** Which models of a pool questions may go to. */
import { expect, test } from 'vitest';
import { entriesForText, smallestWindow } from '../../../../src/adapters/model/pool/members.ts';

const ENTRIES = {
  small: { provider: 'openai', model: 'embed-1', contextTokens: 8_191 },
  chat: { provider: 'openai', model: 'chat-1', contextTokens: 128_000 },
  spare: { provider: 'openai', model: 'chat-2' },
} as const;

test('a model that only an alias for vectors names gets no question, and bounds no prompt', () => {
  const entries = entriesForText(ENTRIES, { embedding: 'small', standard: 'chat' });
  expect(Object.keys(entries)).toEqual(['chat', 'spare']);
  expect(smallestWindow(entries)).toEqual({ contextTokens: 128_000 });
});

test('a model that writes text as well stays', () => {
  const entries = entriesForText(ENTRIES, { embedding: 'small', cheap: 'small' });
  expect(Object.keys(entries)).toEqual(['small', 'chat', 'spare']);
});
