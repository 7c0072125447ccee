/** What a job signs where the repository has no key: only that text, in that place, and by that key. */
import { describe, expect, test } from 'vitest';
import { createJobKey, isSignedByJob } from '../../../src/domain/github/job-signature.ts';
import { renderMarker, splitMarker } from '../../../src/domain/github/marker.ts';

const SCOPE = 'thread:7/3';
const MARKER = renderMarker({ kind: 'run', run: 'r1', key: 'live' }, 'known to all', SCOPE);
const TEXT = `Ready.\n\nAll is well.\n\n${MARKER}`;
const KEY = createJobKey('a seed');
const SIGNED = KEY.sign(TEXT, SCOPE);

describe('a text that a job signed', () => {
  test('is believed by the key that the job announced', () => {
    expect(isSignedByJob(SIGNED, SCOPE, [createJobKey('other').publicKey, KEY.publicKey])).toBe(
      true,
    );
  });

  test('is believed with the line ends and the end that GitHub gives it', () => {
    const shown = `${SIGNED.replaceAll('\n', '\r\n')}\r\n`;
    expect(isSignedByJob(shown, SCOPE, [KEY.publicKey])).toBe(true);
  });

  test('ends with its marker', () => {
    expect(splitMarker(SIGNED).marker).toContain(MARKER);
  });

  test('fits into what GitHub takes for a comment', () => {
    expect(SIGNED.length - TEXT.length).toBeLessThan(150);
  });
});

describe('nothing else is believed', () => {
  const line = SIGNED.split('\n').at(-2) ?? '';

  test.each([
    ['a text without a signature', TEXT, SCOPE],
    ['the same text in another thread', SIGNED, 'thread:7/4'],
    ['the signature under another text', SIGNED.replace('Ready', 'Not ready'), SCOPE],
    ['the signature over another marker', SIGNED.replace(/v1 \S/, 'v1 x'), SCOPE],
    ['another signature above it', SIGNED.replace(line, `${line}\n${line}`), SCOPE],
    ['the signature at another line', `${line}\n${TEXT}`, SCOPE],
    ['the announced key as a signature', withSignature(KEY.publicKey + KEY.publicKey), SCOPE],
    ['a guessed signature', withSignature('A'.repeat(86)), SCOPE],
  ])('%s', (_, text, scope) => {
    expect(isSignedByJob(text, scope, [KEY.publicKey])).toBe(false);
  });

  test('the signature of another job', () => {
    expect(isSignedByJob(SIGNED, SCOPE, [createJobKey('other').publicKey])).toBe(false);
  });

  test('something that is not a key', () => {
    expect(isSignedByJob(SIGNED, SCOPE, ['', 'no key', 'A'.repeat(43)])).toBe(false);
  });

  function withSignature(signature: string): string {
    return SIGNED.replace(line, `<!-- quorum:job ${signature.slice(0, 86)} -->`);
  }
});
