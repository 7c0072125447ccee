/** What several voices cost in input, by the usage that a model server counts as Anthropic does (spec 09). */
import { describe, expect, test } from 'vitest';
import type { ScriptedCall } from '../../src/emulator/model-server/script.ts';
import { aModel, isReflection, isVerdictCall } from '../helpers/a-model.ts';
import { push } from '../helpers/a-pull.ts';
import type { Position } from '../../src/domain/run/council.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';

/** Anthropic's multiples of plain input. */
const WRITE = 1.25;
const READ = 0.1;
const VOICES = 4;
const REACH = 1.6;

function worthOf({ usage }: ScriptedCall): number {
  if (usage === undefined) throw new Error('a call without usage');
  return usage.input + READ * usage.cacheRead + WRITE * usage.cacheWrite;
}

/** Four voices against the first of them; each further one costs what the average further one cost. */
function ratioOf(blind: readonly ScriptedCall[]): number {
  const [first = Number.NaN, ...others] = blind.map(worthOf);
  const further = others.reduce((sum, worth) => sum + worth, 0) / others.length;
  return (first + (VOICES - 1) * further) / first;
}

/** Of the file that is changed: every voice is shown as many as there is room for, if only a short one. */
const NOTES = Array.from({ length: 12 }, (_, n) =>
  n % 2 === 0
    ? `- [PATTERN] Case ${n} of \`src/parts.ts\` counts its steps from zero.\n`
    : `- [PATTERN] Steps of \`src/parts.ts\` are counted from zero in case ${n}; whoever adds a part looks at the callers that count from one.\n`,
).join('');

async function withNotes(world: TestWorld): Promise<void> {
  const ana = world.emulator.as('ana');
  const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const branch = 'quorum/memory';
  await ana.request('POST', `/repos/${REPO}/git/refs`, {
    ref: `refs/heads/${branch}`,
    sha: main.object.sha,
  });
  await ana.request('PUT', `/repos/${REPO}/contents/personas/team/working.md`, {
    message: 'by hand',
    branch,
    content: Buffer.from(NOTES).toString('base64'),
  });
}

/** Others are sure to go on over it, so that a second round is held. */
const DISPUTED: Position['findings'] = [
  {
    severity: 'high',
    title: 'The name is used before it is checked',
    evidence: 'run() takes any text.',
    place: { path: 'src/parts.ts', line: 1 },
  },
];

interface Reviewing {
  settings?: string;
  notes?: boolean;
  isDisputed?: boolean;
}

async function reviewed(
  lines: number,
  { settings = '', notes = false, isDisputed = false }: Reviewing = {},
): Promise<ScriptedCall[]> {
  const { server, env } = await aModel({
    position: (call, handle) => {
      const isAgainst = isDisputed && handle === 'priya';
      return {
        json: aPosition({
          vote: isAgainst ? 'CHANGES' : 'APPROVE',
          confidence: 0.9,
          findings: isAgainst ? DISPUTED : [],
          line: `voice ${call.n}`,
          reasons: `Reasons of ${call.n}.`,
        }),
      };
    },
    verdict: () => ({ json: aVerdict({ verdict: 'APPROVE', headline: 'nothing to change' }) }),
  });
  const files = { '.github/quorum.yml': `review:\n  settleSeconds: 0\n${settings}` };
  const world = await aWorld({ env, files });
  if (notes) await withNotes(world);
  await openPull(world, lines);
  await world.idle();
  return server.calls.filter((call) => !isReflection(call));
}

async function openPull(world: TestWorld, lines: number): Promise<void> {
  const ana = world.emulator.as('ana');
  const { object } = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  await ana.request('POST', `/repos/${REPO}/git/refs`, {
    ref: 'refs/heads/change',
    sha: object.sha,
  });
  const text = Array.from({ length: lines }, (_, at) => `export const part${at} = ${at} * step;`);
  await push(world, { 'src/parts.ts': `const step = 4;\n${text.join('\n')}\n` });
  await ana.openPull(REPO, { title: 'Add parts', head: 'change', body: 'As agreed.' });
}

describe('a review by four voices', () => {
  test.each([40, 500, 6_000])(
    'of %i lines costs at most 1.6 times the input of one',
    async (lines) => {
      const calls = await reviewed(lines);
      const blind = calls.filter((call) => !isVerdictCall(call));
      expect(new Set(blind.map(({ model }) => model)).size).toBe(1);
      expect(blind.filter(({ usage }) => (usage?.cacheWrite ?? 0) > 0)).toHaveLength(1);
      expect(ratioOf(blind)).toBeLessThanOrEqual(REACH);
      // Also of the largest one the default budget pays for all voices and the verdict.
      // A prompt that nobody reads again is not written to the cache.
      const [verdict] = calls.filter(isVerdictCall);
      expect(verdict?.usage).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    },
  );

  test('the verdict reads what the round wrote, where one model is asked for all', async () => {
    const calls = await reviewed(200, { settings: ONE_MODEL });
    expect(new Set(calls.map(({ model }) => model)).size).toBe(1);
    const [first] = calls;
    const [verdict] = calls.filter(isVerdictCall);
    expect(first?.usage?.cacheWrite).toBeGreaterThan(1_024);
    expect(verdict?.usage).toMatchObject({ cacheRead: first?.usage?.cacheWrite, cacheWrite: 0 });
  });
});

const ONE_MODEL = 'models: { standard: sonnet, strong: sonnet }\n';

const isSecond = ({ lastText }: ScriptedCall): boolean => lastText.includes('second round');
const sumOf = (calls: readonly ScriptedCall[]): number =>
  calls.reduce((sum, each) => sum + worthOf(each), 0);

test.each(
  [1, 40, 500, 6_000].flatMap((lines) => [
    { lines, rounds: 'one round' },
    { lines, rounds: 'two rounds' },
  ]),
)(
  'a review of $lines lines in $rounds of one model costs at most 15 percent more input with notes',
  async ({ lines, rounds }) => {
    const isDisputed = rounds === 'two rounds';
    const asked = { settings: ONE_MODEL, isDisputed };
    const without = await reviewed(lines, asked);
    const calls = await reviewed(lines, { ...asked, notes: true });
    expect(new Set(calls.map(({ model }) => model)).size).toBe(1);
    expect(calls).toHaveLength(without.length);
    expect(calls.some(isSecond)).toBe(isDisputed);
    const shown = calls.filter(({ body }) => JSON.stringify(body).includes('[m:'));
    expect(shown.length).toBeGreaterThan(1);
    expect(sumOf(calls) / sumOf(without)).toBeLessThanOrEqual(1.15);
  },
);

test.each([1, 40, 500, 6_000])(
  'a review of %i lines costs at most 15 percent more input with notes from earlier work, and caches as many tokens',
  async (lines) => {
    const without = await reviewed(lines);
    const calls = await reviewed(lines, { notes: true });
    expect(calls).toHaveLength(without.length);
    const noted = calls.filter(({ body }) => JSON.stringify(body).includes('[m:'));
    const blind = (of: readonly ScriptedCall[]) => of.filter((each) => !isVerdictCall(each));
    expect(noted).toHaveLength(calls.length);
    expect(sumOf(calls) / sumOf(without)).toBeLessThanOrEqual(1.15);
    // Also without the verdict, which pays for all that it reads.
    expect(sumOf(blind(calls)) / sumOf(blind(without))).toBeLessThanOrEqual(1.15);
    // As many tokens are written to the cache and read from it: notes come behind what is shared.
    const cached = (of: readonly ScriptedCall[]) =>
      of.map(({ usage }) => [usage?.cacheRead, usage?.cacheWrite]);
    expect(cached(calls)).toEqual(cached(without));
  },
);
