/** An entry is used only while what it cites is there. */
import { describe, expect, test } from 'vitest';
import {
  linesDigest,
  type MemoryEntry,
  type MemoryRef,
} from '../../../src/domain/memory/memory-entry.ts';
import {
  isExpired,
  verifyByTree,
  verifyLines,
} from '../../../src/domain/memory/recall/verify-memory.ts';
import { anEntry } from './some-memory.ts';
import { verifies } from '../../verifies.ts';

const TEXT = ['zero', 'alpha', 'beta', 'gamma', ''].join('\n');
const REF: MemoryRef = {
  path: 'src/a.ts',
  from: 2,
  to: 3,
  blobSha: 'old',
  digest: linesDigest(['alpha', 'beta']),
};

function look(refs: MemoryRef[], tree: Record<string, string>) {
  const entry = anEntry({ refs });
  return verifyByTree([entry], new Map(Object.entries(tree))).get(entry.id);
}

describe('by the tree', () => {
  test('an unchanged blob verifies without a read', () => {
    expect(look([REF], { 'src/a.ts': 'old' })).toEqual({ kind: 'verified', refs: [REF] });
  });

  test('a renamed file verifies with its new path', () => {
    const moved = { ...REF, path: 'lib/a.ts' };
    expect(look([REF], { 'lib/a.ts': 'old', 'lib/b.ts': 'other' })).toEqual({
      kind: 'verified',
      refs: [moved],
    });
  });

  test('a changed blob wants its lines', () => {
    const second = { ...REF, path: 'src/b.ts' };
    expect(look([REF, second], { 'src/a.ts': 'new', 'src/b.ts': 'old' })).toEqual({
      kind: 'lines-wanted',
      refs: [REF, second],
      paths: ['src/a.ts'],
    });
  });

  verifies('MEM-05: file that is gone', 'a path that is gone makes the entry stale', () => {
    expect(look([REF], { 'src/b.ts': 'new' })).toEqual({
      kind: 'stale',
      cause: 'file-gone',
      ref: REF,
    });
  });

  test('one gone place of two makes it stale', () => {
    const gone = { ...REF, path: 'src/gone.ts', blobSha: 'gone' };
    expect(look([REF, gone], { 'src/a.ts': 'old' })).toMatchObject({ kind: 'stale', ref: gone });
  });

  test('an entry without places is neither verified nor stale', () => {
    expect(look([], { 'src/a.ts': 'old' })).toEqual({ kind: 'nothing-cited' });
  });
});

describe('by the lines', () => {
  const read = (text: string | undefined, ref = REF) =>
    verifyLines(
      { refs: [ref], paths: [ref.path] },
      new Map([[ref.path, { blobSha: 'new', text }]]),
    );

  test.each([
    ['the same place', TEXT, 2],
    ['further down', `new\nnewer\n${TEXT}`, 4],
    ['further up', TEXT.replace('zero\n', ''), 1],
    ['other line ends', TEXT.replaceAll('\n', '\r\n'), 2],
  ])('lines at %s verify, and the place is kept with the new blob', (_name, text, from) => {
    const refs = [{ ...REF, from, to: from + 1, blobSha: 'new' }];
    expect(read(text)).toEqual({ kind: 'verified', refs });
  });

  test('of two equal places the nearer one is taken', () => {
    const text = `alpha\nbeta\n${'x\n'.repeat(9)}alpha\nbeta\n`;
    expect(read(text, { ...REF, from: 10, to: 11 })).toMatchObject({ refs: [{ from: 12 }] });
  });

  test.each([
    ['changed lines', TEXT.replace('beta', 'BETA'), 'lines-gone'],
    ['an empty file', '', 'lines-gone'],
    ['a file that is no text', undefined, 'not-readable'],
  ])('%s make the entry stale', (_name, text, cause) => {
    expect(read(text)).toEqual({ kind: 'stale', cause, ref: REF });
  });

  test('a file that was wanted and did not come makes it stale', () => {
    const wanted = { refs: [REF], paths: ['src/a.ts'] };
    expect(verifyLines(wanted, new Map())).toMatchObject({ cause: 'not-readable' });
  });

  test("a person's place without a digest gets one, while its lines exist", () => {
    const { digest: _digest, blobSha: _blob, ...place } = REF;
    expect(read(TEXT, place)).toEqual({ kind: 'verified', refs: [{ ...REF, blobSha: 'new' }] });
    expect(read('zero', place)).toMatchObject({ kind: 'stale', cause: 'lines-gone' });
  });

  test('a huge file costs a bounded search', () => {
    const cited = Array.from({ length: 200 }, (_, at) => `cited ${at}`);
    const place = { ...REF, from: 1, to: 200, digest: linesDigest(cited) };
    const after = (lines: number): string => `${'line\n'.repeat(lines)}${cited.join('\n')}\n`;
    expect(read(after(900), place)).toMatchObject({ kind: 'verified' });
    // They are there, and too far away to be looked for.
    expect(read(after(300_000), place)).toMatchObject({ kind: 'stale' });
  });
});

describe('expiry', () => {
  const TODAY = { today: '2026-06-01' };
  const RUN: Partial<MemoryEntry> = { createdAt: '2026-02-21' };

  test.each<[string, Partial<MemoryEntry>, string | undefined, boolean]>([
    ['after 100 days', RUN, undefined, true],
    ['after 90 days', { createdAt: '2026-03-03' }, undefined, false],
    ['after 91 days', { createdAt: '2026-03-02' }, undefined, true],
    ['verified since', RUN, '2026-05-01T10:00:00Z', false],
    ['verified long ago', RUN, '2026-02-25T10:00:00Z', true],
    ['with a broken date', { createdAt: 'soon' }, undefined, true],
    [
      "a person's comment",
      { ...RUN, source: { kind: 'comment', commentId: 1, thread: 1 } },
      undefined,
      false,
    ],
    ["a person's line", { ...RUN, source: { kind: 'hand' } }, undefined, false],
  ])('%s', (_name, ...[over, verifiedAt, expected]) => {
    const use = verifiedAt === undefined ? undefined : { verifiedAt };
    expect(isExpired(anEntry(over), use, TODAY)).toBe(expected);
  });

  test('the time is configurable', () => {
    expect(isExpired(anEntry(RUN), undefined, { ...TODAY, days: 200 })).toBe(false);
  });
});
