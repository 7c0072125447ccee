/** What is due, what an answer makes of it, and how it is applied to files that others changed meanwhile. */
import { describe, expect, test } from 'vitest';
import { applyMemoryEdits } from '../../../src/domain/memory/consolidation/apply-memory-edits.ts';
import {
  readConsolidation,
  type Consolidation,
  type MemoryEdit,
} from '../../../src/domain/memory/consolidation/consolidation.ts';
import {
  findConsolidations,
  findPersonasDue,
} from '../../../src/domain/memory/consolidation/find-consolidation.ts';
import {
  consolidationBranch,
  isConsolidation,
  isConsolidationOf,
  renderConsolidation,
} from '../../../src/domain/memory/consolidation/render-consolidation.ts';
import { corePath, workingPath } from '../../../src/domain/memory/file/apply-change.ts';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { renderMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { anEntry, CONTEXT } from './some-memory.ts';

const REPEATED = ['2026-02-01', '2026-02-08', '2026-02-15'].map((createdAt, at) =>
  anEntry({ createdAt, text: `Webhook retries must check the delivery id, case ${at}` }),
);
const WORKING = workingPath('maya');
const CORE = corePath('maya');

const textOf = (entries: readonly MemoryEntry[]): string =>
  renderMemoryFile(addEntries({ parts: [], problems: [] }, entries));
const filesOf = (working: readonly MemoryEntry[], core: readonly MemoryEntry[] = []) =>
  new Map([
    [WORKING, textOf(working)],
    [CORE, textOf(core)],
  ]);
const many = (count: number, words: string): MemoryEntry[] =>
  Array.from({ length: count }, (_, at) => anEntry({ text: `${words} number${at} alone${at}` }));

function only(files: ReadonlyMap<string, string>): Consolidation {
  const [found] = findConsolidations(files, CONTEXT);
  if (found === undefined) throw new Error('nothing is due');
  return found;
}

function editsOf(found: Consolidation, lines: string[]): MemoryEdit[] {
  const read = readConsolidation(found, { lines });
  return read.kind === 'edits' ? read.edits : [];
}

describe('what is due', () => {
  test('is nothing in a short file without repetition', () => {
    expect(findConsolidations(filesOf(many(3, 'Parser')), CONTEXT)).toEqual([]);
    expect(findConsolidations(new Map(), CONTEXT)).toEqual([]);
  });

  test('is a promotion where a lesson repeats, with another evidence once there is one more', () => {
    const found = only(filesOf(REPEATED));
    expect(found.kind).toBe('promote');
    const fourth = anEntry({
      createdAt: '2026-02-22',
      text: 'Webhook retries must check the delivery id, case 3',
    });
    expect(only(filesOf([...REPEATED, fourth])).evidence).not.toBe(found.evidence);
    expect(only(filesOf(REPEATED)).evidence).toBe(found.evidence);
  });

  test('is a shorter core.md before all else, where it is over its budget', () => {
    const core = many(60, 'A lesson that is long enough to fill the budget of the file');
    expect(findConsolidations(filesOf(REPEATED, core), CONTEXT).map(({ kind }) => kind)).toEqual([
      'condense',
      'promote',
    ]);
  });

  test('is a shorter working.md from 151 lines on, and the same one while it grows by less than 50', () => {
    const [short, long, longer, longest] = [140, 160, 170, 230].map((count) =>
      findConsolidations(filesOf(many(count, 'Parser')), CONTEXT).map(({ evidence }) => evidence),
    );
    expect(short).toEqual([]);
    expect(long).toHaveLength(1);
    expect(longer).toEqual(long);
    expect(longest).not.toEqual(long);
  });
});

describe('an answer', () => {
  test('words a promotion, and the newest wording stays where it may not be used', () => {
    const found = only(filesOf(REPEATED));
    const [worded] = editsOf(found, ['Check the delivery id before a webhook is handled again']);
    expect(worded?.adds[0]?.text).toBe('Check the delivery id before a webhook is handled again');
    for (const line of ['', 'see https://evil.example', 'x'.repeat(301)]) {
      const [kept] = editsOf(found, [line]);
      expect(kept?.adds[0]?.text).toBe(REPEATED.at(-1)?.text);
    }
    expect(editsOf(found, [])).toHaveLength(1);
  });

  test('condenses, and is refused where it is longer, empty, or no list of bullets', () => {
    const entries = many(160, 'Parser keeps order');
    const found = only(filesOf(entries));
    const ids = entries.slice(0, 40).map(({ id }) => `m:${id}`);
    const [edit] = editsOf(found, [`- [PATTERN] The parser keeps the order [${ids.join(', ')}]`]);
    expect(edit?.adds.map(({ text }) => text)).toEqual(['The parser keeps the order']);
    expect(edit?.removes).toHaveLength(160);
    for (const answer of [{ lines: [] }, { lines: ['The parser'] }, 'garbage', undefined])
      expect(readConsolidation(found, answer).kind).toBe('refused');
  });

  test('lets entries that it repeats word for word stay as they are', () => {
    const entries = many(160, 'Parser keeps order');
    const found = only(filesOf(entries));
    const lines = entries.slice(0, 20).map(({ text, id }) => `- [PATTERN] ${text} [m:${id}]`);
    const [edit] = editsOf(found, lines);
    expect([edit?.removes.length, edit?.adds.length]).toEqual([140, 0]);
  });
});

describe('edits', () => {
  const files = filesOf(REPEATED);
  const edits = editsOf(only(files), []);

  test('move the lessons, and are the same twice', () => {
    const after = applyMemoryEdits(files, edits, CONTEXT);
    expect(after.get(CORE)).toContain(`- [PATTERN] ${REPEATED[2]?.text}`);
    expect(after.get(WORKING)).not.toContain('Webhook');
    expect(applyMemoryEdits(new Map([...files, ...after]), edits, CONTEXT).size).toBe(0);
  });

  test('are left out whole where a person reworded or removed one of the lessons', () => {
    const [first, ...others] = REPEATED;
    const reworded = filesOf([...others, { ...(first ?? anEntry()), text: 'Reworded by hand' }]);
    expect(applyMemoryEdits(reworded, edits, CONTEXT).size).toBe(0);
    expect(applyMemoryEdits(filesOf(others), edits, CONTEXT).size).toBe(0);
  });

  test('are shown with the old and the new lines, as code that acts in no way', () => {
    const { title, body } = renderConsolidation({ persona: 'maya', edits });
    expect(title).toBe('Memory of maya: keep a lesson for good');
    expect(body).toContain('**Removed from `working.md`:**\n\n- `Webhook retries');
    expect(body).toContain('**Added to `core.md`:**\n\n- `[PATTERN] Webhook retries');
    const loud = [
      { ...edits[0], removes: [{ id: '0', text: '@org/all closes #1' }] },
    ] as MemoryEdit[];
    expect(renderConsolidation({ persona: 'maya', edits: loud }).body).toContain(
      '`@org/all closes #1`',
    );
  });

  test('have a branch for each persona and evidence', () => {
    const branch = consolidationBranch('maya', '0123456789');
    expect(isConsolidationOf('maya', branch)).toBe(true);
    expect(isConsolidationOf('may', branch)).toBe(false);
    expect(isConsolidationOf('maya', `${branch}0`)).toBe(false);
    expect(isConsolidation(branch)).toBe(true);
    expect(isConsolidation('quorum/memory')).toBe(false);
    expect(isConsolidationOf('maya', consolidationBranch('maya-b', '0123456789'))).toBe(false);
  });
});

test('personas with something to consolidate are named, without the team as a whole and archived folders', () => {
  const repeated = textOf(REPEATED);
  const folders = ['sasha', 'maya', 'team', '.archived/priya'];
  const files = new Map([
    ...folders.map((folder): [string, string] => [`personas/${folder}/working.md`, repeated]),
    ['personas/carlos/working.md', '- [PATTERN] Logs are in UTC\n'],
  ]);
  const at = '2026-02-01T08:00:00.000Z';
  expect(findPersonasDue(files, { at, isSelf: false })).toEqual(['maya', 'sasha']);
});

test('what a persona experienced makes it due only where personas write about themselves', () => {
  const experience = {
    id: 'e1',
    at: '2026-02-01T00:00:00.000Z',
    kind: 'owner_guidance',
    thread: 7,
    text: 'Ana asked for shorter comments',
    trust: 'maintainer',
    run: 'r1',
  };
  const files = new Map([['personas/maya/experiences.jsonl', `${JSON.stringify(experience)}\n`]]);
  const at = '2026-02-01T08:00:00.000Z';
  const due = [true, false].map((isSelf) => findPersonasDue(files, { at, isSelf }));
  expect(due).toEqual([['maya'], []]);
});
