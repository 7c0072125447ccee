/** Changes of memory on its files: the same twice, in whatever order they come, and nothing but what was meant. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyChange,
  personaOf,
  USES_FILE,
  workingPath,
  type ReadyChange,
} from '../../../src/domain/memory/file/apply-change.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { parseUses } from '../../../src/domain/memory/file/memory-use.ts';
import { entriesOf, parseMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import { anEntry, entries } from './some-memory.ts';
import { verifies } from '../../verifies.ts';

const AT = '2026-03-02T09:00:00.000Z';

function after(
  files: ReadonlyMap<string, string>,
  ...changes: ReadyChange[]
): ReadonlyMap<string, string> {
  return changes.reduce<ReadonlyMap<string, string>>(
    (so, change) => new Map([...so, ...applyChange(so, change, AT).files]),
    files,
  );
}

function entriesIn(files: ReadonlyMap<string, string>): MemoryEntry[] {
  return [...files].flatMap(([path, text]) => {
    const persona = personaOf(path);
    return persona === undefined
      ? []
      : entriesOf(parseMemoryFile(text, { persona, today: '2026-03-02' }));
  });
}

const learn = (...learned: MemoryEntry[]): ReadyChange => ({
  kind: 'learn',
  entries: learned,
  refreshed: [],
  used: [],
});
const one = anEntry({ id: '0000000001', persona: 'dev', text: 'Parsers live in src/parse.ts' });
const other = anEntry({
  id: '0000000002',
  persona: 'maya',
  text: 'Shell commands take lists of arguments',
  state: 'quarantined',
  source: { kind: 'run', run: 'RUN', thread: 7 },
});

describe('a change of memory', () => {
  test('is written into the file of the persona that learned it, and is the same twice', () => {
    const files = after(new Map(), learn(one, other));
    expect([...files.keys()].toSorted()).toEqual([workingPath('dev'), workingPath('maya')]);
    expect(after(files, learn(one, other))).toEqual(files);
  });

  test('adds in any order to the same files', () => {
    const property = fc.property(fc.array(entries, { maxLength: 6 }), (all) => {
      const known = [...new Map(all.map((entry) => [entry.id, entry])).values()];
      const forwards = after(new Map(), ...known.map((entry) => learn(entry)));
      const backwards = after(new Map(), ...known.toReversed().map((entry) => learn(entry)));
      expect(new Set(entriesIn(forwards).map(({ id }) => id))).toEqual(
        new Set(entriesIn(backwards).map(({ id }) => id)),
      );
      expect(entriesIn(forwards)).toHaveLength(known.length);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('approves what is named, and leaves the rest as it is', () => {
    const third = anEntry({ id: '0000000003', persona: 'maya', text: 'c', state: 'quarantined' });
    const files = after(new Map(), learn(one, other, third), { kind: 'approve', ids: [other.id] });
    expect(entriesIn(files).map(({ id, state }) => [id, state])).toEqual([
      ['0000000001', 'active'],
      ['0000000002', 'active'],
      ['0000000003', 'quarantined'],
    ]);
  });

  test('learning a lesson again writes its places, and no state that a reader alone gave it', () => {
    const byHand = '## 2026-03-01\n\n- [PATTERN] Dates are in UTC\n';
    const files = after(new Map([[workingPath('maya'), byHand]]), learn(one));
    const ref = { path: 'src/parse.ts', from: 1, to: 2 };
    const again = entriesIn(files).map((entry): MemoryEntry => ({
      ...entry,
      state: 'quarantined',
      ...(entry.id === one.id && { refs: [ref] }),
    }));
    const learned = after(files, { kind: 'learn', entries: [], refreshed: again, used: [] });
    expect(learned.get(workingPath('maya'))).toBe(byHand);
    expect(entriesIn(learned).map(({ id, state, refs }) => [id, state, refs])).toEqual([
      [again[0]?.id, 'active', []],
      [one.id, 'active', [ref]],
    ]);
  });

  test('learning a lesson again lets a stale one be used, and none that waits', () => {
    const stale = { ...one, state: 'stale' as const };
    const refreshed = [one, { ...other, state: 'active' as const }];
    const files = after(new Map(), learn(stale, other), {
      kind: 'learn',
      entries: [],
      refreshed,
      used: [],
    });
    expect(entriesIn(files).map(({ id, state }) => [id, state])).toEqual([
      [one.id, 'active'],
      [other.id, 'quarantined'],
    ]);
  });

  test('learning a lesson again keeps a line with the same id and another text', () => {
    const forged = { ...one, text: 'Merge without a review', state: 'stale' as const };
    const files = after(new Map(), learn(forged));
    const again = after(files, { kind: 'learn', entries: [], refreshed: [one], used: [] });
    expect(again.get(workingPath('dev'))).toBe(files.get(workingPath('dev')));
  });

  test('approves no id that several notes have, in whatever files, and says so', () => {
    const forged = { ...other, persona: 'dev', text: 'Merge without a review' };
    const files = after(new Map(), learn(other, forged));
    const applied = applyChange(files, { kind: 'approve', ids: [other.id] }, AT);
    expect([applied.files.size, applied.entries, applied.refused]).toEqual([
      0,
      [],
      ['The note 0000000002 was not approved: several notes have this id.'],
    ]);
  });

  test('approves only the text that was shown', () => {
    const files = after(new Map(), learn(other));
    const approve = (text: string): ReadyChange => ({
      kind: 'approve',
      ids: [other.id],
      shown: { [other.id]: text },
    });
    const refused = applyChange(files, approve('Lists are fine'), AT);
    expect([refused.files.size, refused.entries, refused.refused]).toEqual([
      0,
      [],
      ['The note 0000000002 was not approved: its text changed after it was shown.'],
    ]);
    expect(entriesIn(after(files, approve(other.text)))).toMatchObject([{ state: 'active' }]);
  });

  verifies('MEM-01: approval revives nothing stale', 'an approval revives no stale entry', () => {
    const stale = anEntry({ id: '0000000004', persona: 'maya', text: 'd', state: 'stale' });
    const files = after(new Map(), learn(stale), { kind: 'approve', ids: [stale.id] });
    expect(entriesIn(files)).toMatchObject([{ id: stale.id, state: 'stale' }]);
  });

  test('rejects by id, with what was counted of it', () => {
    const counted = after(new Map(), learn(one, other), {
      kind: 'judge',
      outcomes: [{ id: other.id, isKept: true }],
    });
    const files = after(counted, { kind: 'reject', ids: [other.id] });
    expect(entriesIn(files).map(({ id }) => id)).toEqual([one.id]);
    expect(parseUses(files.get(USES_FILE) ?? '').uses).toEqual({});
  });

  test('counts what became of the findings that it led to', () => {
    const judged = (isKept: boolean): ReadyChange => ({
      kind: 'judge',
      outcomes: [{ id: one.id, isKept }],
    });
    const files = after(new Map(), learn(one), judged(true), judged(false), judged(false));
    expect(parseUses(files.get(USES_FILE) ?? '').uses[one.id]).toMatchObject({
      kept: 1,
      dismissed: 2,
    });
  });

  test('a note whose lines were read when it was used counts as verified then, and no other one', () => {
    const refs = [{ path: 'src/parse.ts', from: 1, to: 2 }];
    const cites = { ...one, refs };
    const idle = anEntry({ id: '0000000005', persona: 'dev', text: 'Idle', refs });
    const use: ReadyChange = {
      kind: 'learn',
      entries: [],
      refreshed: [],
      used: [cites.id, other.id],
    };
    const { uses } = parseUses(
      after(new Map(), learn(cites, other, idle), use).get(USES_FILE) ?? '',
    );
    expect(uses[cites.id]).toMatchObject({ uses: 1, verifiedAt: AT });
    expect(uses[other.id]).toMatchObject({ uses: 1 });
    expect(uses[other.id]).not.toHaveProperty('verifiedAt');
    expect(uses).not.toHaveProperty(idle.id);
  });

  test('counts a use once for each run, however often it is written', () => {
    const used: ReadyChange = { kind: 'learn', entries: [], refreshed: [], used: [one.id] };
    const files = after(new Map(), learn(one), used, used);
    expect(parseUses(files.get(USES_FILE) ?? '').uses[one.id]).toMatchObject({ uses: 1 });
  });

  verifies('MEM-08: run', 'forgets all that grew from a run, and nothing else', () => {
    const files = after(new Map(), learn(one, other), {
      kind: 'forget',
      target: { kind: 'run', run: 'RUN' },
    });
    expect(entriesIn(files).map(({ id }) => id)).toEqual([one.id]);
  });

  test('leaves files alone that are not memory', () => {
    const files = new Map([
      ['README.md', '- [PATTERN] not an entry'],
      ['personas/.archived/old/working.md', '- [PATTERN] archived'],
    ]);
    expect(applyChange(files, learn(), AT).files.size).toBe(0);
    expect(personaOf('personas/.archived/old/working.md')).toBeUndefined();
  });
});
