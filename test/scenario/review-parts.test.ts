/** A change too large for one prompt is read in parts, most risky first, as far as the budget goes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScriptedCall } from '../../src/emulator/model-server/script.ts';
import {
  isReflection,
  aModel,
  isVerdictCall,
  speaker,
  type ModelScript,
} from '../helpers/a-model.ts';
import { expectAllWell, reviewsOf } from '../helpers/a-pull.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { openPullOf } from '../helpers/commits.ts';

const settings = (perThreadUsd: number, more = ''): Record<string, string> => ({
  '.github/quorum.yml': `review:\n  settleSeconds: 0\n${more}budget:\n  council: { perThreadUsd: ${perThreadUsd}, perDayUsd: 100 }\n`,
});

/** Some 100,000 characters: two do not fit into one prompt. */
function longFile(name: string): string {
  const line = (n: number): string =>
    `export const ${name}Part${n} = { step: ${n}, of: '${name}' };\n`;
  return Array.from({ length: 2_000 }, (_, n) => line(n)).join('');
}

const CHANGE = {
  'src/login.ts': longFile('login'),
  'src/list.ts': longFile('list'),
  'docs/long.md': `# Long\n\n${'- An entry of the list that is long.\n'.repeat(2_800)}`,
};

/** Which part a prompt is about, as it says itself. */
function partOf(call: ScriptedCall): string {
  return /## The change, part (\d of \d)/.exec(call.system)?.[1] ?? 'all';
}

function blocksOf({ body }: ScriptedCall): string[] {
  return (body['system'] as { text: string }[]).map(({ text }) => text);
}

const FINDING = {
  severity: 'high' as const,
  title: 'The step of the list is never checked',
  evidence: 'listPart7 takes any step.',
  place: { path: 'src/list.ts', line: 8 },
};

const FIND_IN_SECOND: ModelScript = {
  position: (call, handle) => {
    const found = partOf(call).startsWith('2') && handle === 'maya';
    const said = { line: `${handle} on ${partOf(call)}`, reasons: `${handle}, ${partOf(call)}.` };
    return {
      json: aPosition({
        ...said,
        vote: found ? 'CHANGES' : 'APPROVE',
        findings: found ? [FINDING] : [],
      }),
    };
  },
  verdict: () => ({ json: aVerdict({ verdict: 'CHANGES', headline: 'one check first' }) }),
};

async function reviewed(files: Record<string, string>, script = FIND_IN_SECOND, more = {}) {
  const { server, env } = await aModel(script);
  const world = await aWorld({ env: { ...env, ...more }, files });
  const number = await openPullOf(world, CHANGE);
  await world.idle();
  await expectAllWell(world);
  const told = await reviewsOf(world, number);
  const calls = server.calls.filter((call) => !isReflection(call));
  const positions = calls.filter((call) => !isVerdictCall(call));
  const text = `${told.reviews.join()}${told.checks[0]?.output.summary}`;
  return { ...told, calls, positions, text };
}

describe('a change too large for one prompt', () => {
  test('is read in parts by every voice, and what is found in the second one reaches the review', async () => {
    const { calls, positions: all, comments, checks, text } = await reviewed(settings(50));
    // A dispute over the finding is settled where it was found.
    const positions = all.filter(({ lastText }) => !lastText.includes('second round'));
    expect(all.length).toBeGreaterThan(positions.length);
    expect(all.slice(positions.length).map(partOf)).toEqual(
      all.slice(positions.length).map(() => '2 of 3'),
    );
    const asked = positions.map((call) => `${speaker(call)} ${partOf(call)}`);
    expect(new Set(asked).size).toBe(asked.length);
    expect([...new Set(positions.map(partOf))]).toEqual(['1 of 3', '2 of 3', '3 of 3']);
    const voices = new Set(positions.map(speaker)).size;
    expect(asked).toHaveLength(3 * voices);
    // What guards something comes first; sources come before documents.
    const shown = (part: string): string =>
      positions.find((call) => partOf(call) === part)?.system ?? '';
    expect(shown('1 of 3')).toContain('+export const loginPart0');
    expect(shown('2 of 3')).toContain('+export const listPart0');
    expect(shown('3 of 3')).toContain('+- An entry');
    expect(shown('2 of 3')).not.toContain('+export const loginPart0');
    // What all parts share comes first, byte for byte; then the part, alike for all voices.
    expect(new Set(calls.map((call) => JSON.stringify(blocksOf(call).slice(0, 3)))).size).toBe(1);
    for (const part of ['1 of 3', '2 of 3', '3 of 3']) {
      const same = positions.filter((call) => partOf(call) === part);
      expect(new Set(same.map((call) => blocksOf(call)[3])).size).toBe(1);
      expect(same.filter(({ usage }) => (usage?.cacheWrite ?? 0) > 10_000)).toHaveLength(1);
    }
    // The verdict is given where the worst was found.
    expect(calls.filter(isVerdictCall).map(partOf)).toEqual(['2 of 3']);
    expect(comments.map(({ path, line }) => [path, line])).toContainEqual(['src/list.ts', 8]);
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
    expect(text).not.toContain('read by rules only');
  });

  test('is read as far as the configured parts go; the rest is named, and is no success', async () => {
    const approve: ModelScript = {
      ...FIND_IN_SECOND,
      verdict: () => ({ json: aVerdict({ verdict: 'APPROVE', headline: 'nothing to change' }) }),
    };
    const { positions, checks, text } = await reviewed(settings(50, '  maxParts: 1\n'), approve);
    expect([...new Set(positions.map(partOf))]).toEqual(['1 of 1']);
    expect(checks).toMatchObject([{ conclusion: 'neutral' }]);
    expect(text).toContain('`src/list.ts`: read by rules only, the change is too large');
    expect(text).toContain('`docs/long.md`: read by rules only');
    expect(text).not.toContain('`src/login.ts`: read');
  });

  test('leaves money for the verdict: a part that the budget does not reach is named', async () => {
    const { calls, positions, checks, text } = await reviewed(settings(0.45));
    expect([...new Set(positions.map(partOf))]).toEqual(['1 of 3']);
    expect(calls.filter(isVerdictCall)).toHaveLength(1);
    expect(checks[0]?.output.title).toContain('one check first');
    expect(text).toContain('`src/list.ts`: read by rules only, the budget is used up');
  });

  test('is cut to the smallest window of the models that the host declares', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'quorum-models-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = join(dir, 'models.yml');
    const small =
      '{ provider: openai-compatible, model: small, baseUrl: http://127.0.0.1:9/v1, contextTokens: 40000 }';
    await writeFile(file, `small: ${small}\n`);
    const { positions, text } = await reviewed(settings(50), FIND_IN_SECOND, {
      QUORUM_MODELS: file,
    });
    expect(new Set(positions.map(partOf))).toContain('3 of 3');
    // Some three characters a token.
    expect(Math.max(...positions.map(({ system }) => system.length))).toBeLessThan(120_000);
    expect(text).toContain('read by rules only, the change is too large');
  });

  test('without a model is judged by rules alone, which read all of it', async () => {
    const world = await aWorld({ files: settings(50) });
    const number = await openPullOf(world, CHANGE);
    await world.idle();
    const { checks } = await reviewsOf(world, number);
    expect(checks[0]?.output.summary).not.toContain('read by rules only');
  });
});

test('a part that was answered is not asked about again after a crash in the next one', async () => {
  let hangs = 1;
  const { server, env } = await aModel({
    ...FIND_IN_SECOND,
    position: (call, handle) => {
      if (partOf(call).startsWith('2') && hangs-- > 0) return { fault: { kind: 'hang' } };
      return FIND_IN_SECOND.position?.(call, handle) ?? '';
    },
  });
  const world = await aWorld({ env, files: settings(50) });
  const number = await openPullOf(world, CHANGE);
  await waitUntil(() => server.calls.some((call) => partOf(call).startsWith('2')));
  await world.stopApp(0);
  const first = (): string[] =>
    server.calls
      .filter((call) => partOf(call).startsWith('1') && !isVerdictCall(call))
      .map(speaker);
  const before = first();
  await world.startApp();
  await world.idle();
  expect(first()).toEqual(before);
  expect(new Set(before).size).toBe(before.length);
  const { comments } = await reviewsOf(world, number);
  expect(comments.map(({ path }) => path)).toContain('src/list.ts');
});
