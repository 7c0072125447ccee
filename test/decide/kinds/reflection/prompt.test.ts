/** What a reflection and memory cost, by their prompts: characters are what can be counted without a model. */
import { describe, expect, test } from 'vitest';
import { reflectionPrompt } from '../../../../src/decide/kinds/reflection/prompt.ts';
import { memoryFor } from '../../../../src/decide/run/prompt/prompt-parts.ts';
import type { MemoryEntry } from '../../../../src/domain/memory/memory-entry.ts';
import type { ReflectionMaterial } from '../../../../src/domain/memory/reflection.ts';
import { TEAM } from '../../../helpers/an-issue.ts';

/** Four characters are a token of English, give or take. */
const CHARS_A_TOKEN = 4;
/** List prices of the cheap model, in dollars for a million tokens: https://platform.claude.com/docs/en/about-claude/pricing */
const PRICE = { input: 1, output: 5 };
/** Three lessons with places and words. */
const ANSWER_TOKENS = 200;
const NONCE = 'abcdefghijklmnop1234';

const FINDING = {
  severity: 'high' as const,
  title: 'A shell command is put together from values of the request',
  evidence: 'return execSync(`gunzip -c ${file}`, { maxBuffer: MAX_BYTES }).toString(); '.repeat(4),
  path: 'src/source.ts',
  line: 19,
};
const material: ReflectionMaterial = {
  run: 'RUN',
  subject: 'change',
  headSha: 'a'.repeat(40),
  verdict: 'CHANGES',
  headline: 'One finding has to go before this can be merged',
  voices: ['dev', 'maya', 'priya'].map((handle) => ({
    handle,
    vote: 'CHANGES' as const,
    line: 'The command is built from a name that a person typed.',
    findings: [FINDING, FINDING, FINDING],
  })),
  trust: 'maintainer',
  cited: [],
};

const [persona] = TEAM;

describe('a reflection', () => {
  test('of three voices with three findings each costs at most $0.002 a voice at list prices', () => {
    if (persona === undefined) throw new Error('no persona');
    const known = Array.from({ length: 6 }, (_, n) => `Lesson ${n} about a file of this project.`);
    const { shared, own, task } = reflectionPrompt({ material, persona, known, nonce: NONCE });
    const chars = [...shared, ...own, task].join('').length;
    const usd = ((chars / CHARS_A_TOKEN) * PRICE.input + ANSWER_TOKENS * PRICE.output) / 1_000_000;
    expect(usd).toBeLessThanOrEqual(0.002);
    expect(usd).toBeGreaterThan(0.0005);
    expect(own).toEqual([
      `You are ${persona.name}, ${persona.role}. You look for: ${persona.lens}`,
    ]);
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
    persona,
    known: [],
    nonce: NONCE,
  });
  const told = [...shared, ...own, task].join('');
  expect(told).toContain(source);
  expect(told.match(/what the team said of/g)).toHaveLength(1);
});

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
    unverified: [],
  };

  test.each([8_000, 30_000, 200_000])(
    'adds at most 15 %% to what four voices read of %i shared characters',
    (length) => {
      const selves = { dev: 'A line of what I am.\n'.repeat(200) };
      const shared = ['x'.repeat(length)];
      const own = memoryFor(
        { handle: 'dev' },
        { ...memory, selves },
        { shared, nonce: NONCE },
      ).join('').length;
      // The first writes the cache at 1.25 of the price, three read it at 0.1; a soul is a sixth of what is shared.
      const without = length * (1.25 + 3 * 0.1) + (4 * length) / 6;
      expect((4 * own) / without).toBeLessThanOrEqual(0.15);
      expect(own).toBeGreaterThan(100);
    },
  );

  test('has a persona’s own file where its notes leave room, within the same limit', () => {
    const self = Array.from({ length: 200 }, (_, n) => `Line ${n} of what I am.`).join('\n');
    const own = (shared: string[], notes: typeof memory.notes.dev) =>
      memoryFor(
        { handle: 'dev' },
        { ...memory, notes: { dev: notes }, selves: { dev: self } },
        { shared, nonce: NONCE },
      ).join('\n');
    const shared = ['x'.repeat(30_000)];
    const alone = own(shared, []);
    expect(alone).toContain('source="your own file" trust="stranger"');
    expect(alone).toContain('Line 0 of what I am.');
    expect(alone).not.toContain('Line 199 of what I am.');
    expect(alone.length).toBeLessThan(30_000 / 20 + 700);
    expect(own(shared, memory.notes.dev)).not.toContain('your own file');
    expect(
      memoryFor({ handle: 'maya' }, { ...memory, selves: { dev: self } }, { shared, nonce: NONCE }),
    ).toEqual([]);
  });

  test('is nothing where nothing is remembered', () => {
    expect(memoryFor({ handle: 'maya' }, memory, { shared: ['x'], nonce: NONCE })).toEqual([]);
    expect(memoryFor({ handle: 'dev' }, undefined, { shared: ['x'], nonce: NONCE })).toEqual([]);
  });
});
