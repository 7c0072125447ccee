/** What a reflection and memory cost at most, by their prompts and list prices. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reflectionPrompt } from '../../../../src/decide/kinds/reflection/prompt.ts';
import { memoryFor } from '../../../../src/decide/run/prompt/memory-part.ts';
import { lengthOf, type RestOfPrompt } from '../../../../src/decide/run/prompt/memory-room.ts';
import { MAX_TEXT, type MemoryEntry } from '../../../../src/domain/memory/memory-entry.ts';
import type { ReflectionMaterial } from '../../../../src/domain/memory/reflection.ts';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import { TEAM } from '../../../helpers/an-issue.ts';
import { mostReflectionUsd } from '../../../helpers/reflection-cost.ts';

const NONCE = 'abcdefghijklmnop1234';

const material: ReflectionMaterial = {
  run: 'RUN',
  subject: 'change',
  headSha: 'a'.repeat(40),
  verdict: 'CHANGES',
  headline: 'One finding has to go before this can be merged',
  voices: [],
  trust: 'maintainer',
  cited: [],
};

const [persona] = TEAM;

describe('the reflection of a run', () => {
  test.each([1, 3, 4, 8])(
    'of %i voices is estimated at $0.002 or less at list prices, with the longest answer and a repair',
    (voices) => {
      expect(mostReflectionUsd(voices)).toBeLessThanOrEqual(0.002);
      // Two answers alone cost half of it.
      expect(mostReflectionUsd(voices)).toBeGreaterThan(0.001);
    },
  );

  const TOKEN = ['gh', 'p_', 'A1b2C3d4E5f6G7h8I9j0', 'K1l2M3n4O5p6Q7r8'].join('');
  const finding = (title: string, evidence = 'e') => ({
    severity: 'high' as const,
    title,
    evidence,
    path: 'src/a.ts',
    line: 1,
  });
  const voice = (handle: string, titles: readonly string[]) => ({
    handle,
    vote: 'CHANGES' as const,
    line: 'No.',
    findings: titles.map((title) => finding(title)),
  });
  const told = (over: Partial<ReflectionMaterial>, known: Record<string, string[]> = {}) => {
    const { shared, own, task } = reflectionPrompt({
      material: { ...material, ...over },
      personas: TEAM.slice(0, 4),
      known,
      nonce: NONCE,
    });
    return [...shared, ...own, task].join('\n');
  };

  test('shows the first findings of every voice where there is no room for all, and says that it was cut', () => {
    const handles = TEAM.slice(0, 4).map(({ handle }) => handle);
    const voices = handles.map((handle) =>
      voice(handle, [`first of ${handle}`, ...Array(3).fill('x'.repeat(900))]),
    );
    const prompt = told({ voices });
    for (const handle of handles) expect(prompt).toContain(`first of ${handle}`);
    expect(prompt).toMatch(/cut/);
  });

  test.each(Array.from({ length: 12 }, (_, n) => n * 4))(
    'shows no part of a credential %i characters before the cut',
    (before) => {
      const [{ handle } = expect.fail('nobody')] = TEAM;
      const words = `${'x'.repeat(4_700 - before)} ${TOKEN} ${'y'.repeat(300)}`;
      expect(told({ answered: { question: 'Why?', by: 'ana', words } })).not.toContain('A1b2');
      const evidence = `${'x'.repeat(40 + before)} ${TOKEN}`;
      const voices = [{ ...voice(handle, []), findings: [finding('t', evidence)] }];
      expect(told({ voices })).not.toContain('A1b2');
    },
  );

  test('names who knows a lesson already, and takes turns among those who know many', () => {
    const known = Object.fromEntries(
      TEAM.slice(0, 4).map(({ handle }) => [
        handle,
        ['all know it', ...Array.from({ length: 6 }, (_, n) => `${handle} knows ${n}`)],
      ]),
    );
    const prompt = told({}, known);
    const handles = Object.keys(known);
    expect(prompt).toContain(`- ${handles.join(', ')}: all know it`);
    for (const handle of handles) expect(prompt).toContain(`- ${handle}: ${handle} knows 0`);
    expect(prompt.match(/ knows \d/g)).toHaveLength(9);
  });
});

test.each([
  ['change', 'what the team said of a change'],
  ['issue', 'what the team said of an issue'],
] as const)('a reflection on %s reads %s', (subject, source) => {
  if (persona === undefined) throw new Error('no persona');
  const about = { ...material, subject };
  const { shared, own, task } = reflectionPrompt({
    material: about,
    personas: [persona],
    known: {},
    nonce: NONCE,
  });
  const told = [...shared, ...own, task].join('');
  expect(told).toContain(source);
  expect(told.match(/what the team said of/g)).toHaveLength(1);
});

interface Sizes {
  shared: number;
  own: number;
  /** Characters of each. */
  notes: number[];
  self: number;
}

describe('memory in a prompt', () => {
  const entry = (n: number): MemoryEntry => ({
    id: `${n}`.padStart(10, '0'),
    persona: 'dev',
    category: 'PATTERN',
    text: `Values of requests end up in shell commands in file number ${n}; look for execSync there.`,
    refs: [{ path: `src/file-${n}.ts`, from: 1, to: 3 }],
    words: [],
    source: { kind: 'run', run: 'RUN', thread: 7 },
    author: undefined,
    trust: 'maintainer',
    createdAt: '2026-03-02',
    state: 'active',
  });
  const memory = {
    head: 'h',
    notes: { dev: Array.from({ length: 12 }, (_, n) => entry(n)) },
  };

  /** What voices share, and a soul of a sixth of it. */
  const restOf = (length: number): RestOfPrompt => ({
    shared: [trusted('x'.repeat(length))],
    own: [trusted('y'.repeat(Math.floor(length / 6)))],
  });

  const SELF = Array.from({ length: 200 }, (_, n) => `Line ${n} of what I am.`).join('\n');

  test.each([8_000, 11_000, 12_000, 15_000, 20_000, 30_000, 200_000])(
    'adds at most 15 %% to what four voices read of %i shared characters',
    (length) => {
      const selves = { dev: SELF };
      const rest = restOf(length);
      const own = memoryFor({ handle: 'dev' }, { ...memory, selves }, { rest, nonce: NONCE }).join(
        '',
      ).length;
      // The first writes the cache at 1.25 of the price, three read it at 0.1; a soul is a sixth of what is shared.
      const without = length * (1.25 + 3 * 0.1) + (4 * length) / 6;
      expect((4 * own) / without).toBeLessThanOrEqual(0.15);
      expect(own).toBeGreaterThan(100);
    },
  );

  test.each([20_000, 30_000, 200_000])(
    'adds at most 15 %% in a second round, which only reads %i shared characters from the cache',
    (length) => {
      const rest = { ...restOf(length), isRead: true };
      const own = memoryFor({ handle: 'dev' }, memory, { rest, nonce: NONCE }).join('').length;
      expect(own).toBeLessThanOrEqual(0.15 * (0.1 * length + length / 6));
      expect(own).toBeGreaterThan(100);
    },
  );

  test('has a share for a persona’s own file beside its notes, within the same limit', () => {
    const own = (rest: RestOfPrompt, notes: typeof memory.notes.dev) =>
      memoryFor(
        { handle: 'dev' },
        { ...memory, notes: { dev: notes }, selves: { dev: SELF } },
        { rest, nonce: NONCE },
      ).join('\n');
    const rest = restOf(30_000);
    const alone = own(rest, []);
    expect(alone).toContain('source="your own file" trust="stranger"');
    expect(alone).toContain('Line 0 of what I am.');
    expect(alone).not.toContain('Line 199 of what I am.');
    expect(alone.length).toBeLessThan(30_000 / 20 + 700);
    const both = own(rest, memory.notes.dev);
    expect(both.length).toBeLessThan(30_000 * 0.08);
    expect(both).toContain('Line 0 of what I am.');
    expect(both.split('[m:00').length).toBeGreaterThan(6);
    expect(
      memoryFor({ handle: 'maya' }, { ...memory, selves: { dev: SELF } }, { rest, nonce: NONCE }),
    ).toEqual([]);
  });

  test.each([14_600, 20_000, 40_000])(
    'shows both the file and a note from %i shared characters on, and the file gets what notes leave',
    (length) => {
      const rest = restOf(length);
      const shown = (notes: number): string =>
        memoryFor(
          { handle: 'dev' },
          {
            ...memory,
            notes: { dev: memory.notes.dev.slice(0, notes) },
            selves: { dev: SELF },
          },
          { rest, nonce: NONCE },
        ).join('');
      const linesIn = (text: string): number => text.split('of what I am.').length - 1;
      expect(shown(8)).toContain('[m:0000000000]');
      expect(linesIn(shown(8))).toBeGreaterThan(3);
      expect(linesIn(shown(1))).toBeGreaterThanOrEqual(linesIn(shown(8)));
      // A file that is shorter than its share leaves the rest to the notes.
      const short = memoryFor(
        { handle: 'dev' },
        { ...memory, selves: { dev: 'I am short.' } },
        { rest, nonce: NONCE },
      ).join('');
      expect(short).toContain('I am short.');
      expect(short.split('[m:').length).toBeGreaterThanOrEqual(shown(8).split('[m:').length);
    },
  );

  const withSelf = (self: string, notes: MemoryEntry[], length: number): string =>
    memoryFor(
      { handle: 'dev' },
      { ...memory, notes: { dev: notes }, selves: { dev: self } },
      { rest: restOf(length), nonce: NONCE },
    ).join('');

  test.each([9_500, 11_500, 13_000, 15_000, 20_000])(
    'of %i shared characters, a long first note is shown whatever the persona wrote about itself',
    (length) => {
      const [first, ...others] = memory.notes.dev;
      if (first === undefined) throw new Error('no note');
      const long = { ...first, text: 'x'.repeat(MAX_TEXT) };
      expect(withSelf(SELF, [long, ...others], length)).toContain('[m:0000000000]');
    },
  );

  test('a first note that is longer than others is shown before the file', () => {
    const [first, ...others] = memory.notes.dev;
    if (first === undefined) throw new Error('no note');
    const refs = Array.from({ length: 8 }, (_, n) => ({
      path: `src/a-folder/file-${n}.ts`,
      from: 1,
      to: 3,
    }));
    const long = { ...first, text: 'x'.repeat(MAX_TEXT), refs };
    const shown = withSelf(SELF, [long, ...others], 16_000);
    expect(shown).toContain('[m:0000000000]');
    expect(shown).not.toContain('what I am');
    // One that has no room in any case takes none from the file.
    const longest = { ...long, refs: [...refs, ...refs, ...refs] };
    const without = withSelf(SELF, [longest, ...others], 16_000);
    expect(without).toContain('[m:0000000001]');
    expect(without).toContain('what I am');
  });

  test('a file of which only headings would fit is left out', () => {
    const self = `# Who I am\n\n## What I saw\n\n${'I saw it. '.repeat(300)}`;
    expect(withSelf(self, memory.notes.dev, 20_000)).toContain('[m:0000000000]');
    expect(withSelf(self, memory.notes.dev, 20_000)).not.toContain('Who I am');
    expect(withSelf(self, [], 20_000)).toBe('');
    expect(withSelf(`${self}\n`, [], 200_000)).toBe('');
  });

  test('of a matter with room for one of them, the notes come first', () => {
    const rest = restOf(8_000);
    const own = memoryFor(
      { handle: 'dev' },
      { ...memory, selves: { dev: SELF } },
      { rest, nonce: NONCE },
    ).join('');
    expect(own).toContain('[m:0000000000]');
    expect(own).not.toContain('what I am');
  });

  test('is nothing where nothing is remembered', () => {
    expect(memoryFor({ handle: 'maya' }, memory, { rest: restOf(100_000), nonce: NONCE })).toEqual(
      [],
    );
    expect(
      memoryFor({ handle: 'dev' }, undefined, { rest: restOf(100_000), nonce: NONCE }),
    ).toEqual([]);
  });

  test('never adds more than 15 percent to the input of four voices, whatever is remembered and however short the matter is', () => {
    const sizes = fc.record({
      shared: fc.integer({ min: 0, max: 60_000 }),
      own: fc.integer({ min: 0, max: 6_000 }),
      notes: fc.array(fc.integer({ min: 1, max: MAX_TEXT }), { maxLength: 12 }),
      self: fc.integer({ min: 0, max: 4_000 }),
    });
    const added = ({ shared, own, notes, self }: Sizes): number => {
      const told = notes.map((length, n) => ({ ...entry(n), text: 'z'.repeat(length) }));
      const selves = { dev: SELF.slice(0, self) };
      const rest = { shared: [trusted('x'.repeat(shared))], own: [trusted('y'.repeat(own))] };
      const blocks = memoryFor(
        { handle: 'dev' },
        { head: 'h', notes: { dev: told }, selves },
        { rest, nonce: NONCE },
      );
      return 4 * lengthOf(blocks);
    };
    fc.assert(
      fc.property(sizes, (of) => added(of) <= 0.15 * ((1.25 + 3 * 0.1) * of.shared + 4 * of.own)),
      { numRuns: 300 },
    );
  });

  test('has room for the first note in the smallest review, and for none in less', () => {
    const shown = (length: number): string =>
      memoryFor({ handle: 'dev' }, memory, { rest: restOf(length), nonce: NONCE }).join('');
    expect(shown(5_300).match(/\[m:0000000/g)).toEqual(['[m:0000000']);
    expect(shown(3_000)).toBe('');
  });
});
