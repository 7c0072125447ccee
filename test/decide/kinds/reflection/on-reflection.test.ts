/** A reflection without a world: who is asked and for how much, what is written, and how it ends. */
import { describe, expect, test } from 'vitest';
import { onReflection } from '../../../../src/decide/kinds/reflection/on-reflection.ts';
import { defaultConfig, type Config } from '../../../../src/domain/config/config.ts';
import type { ReflectionMaterial } from '../../../../src/domain/memory/reflection.ts';
import type { ResultData } from '../../../../src/decide/run/thread-context.ts';
import { aRun, contextOf } from '../../../helpers/a-run.ts';
import { anEntry } from '../../../domain/memory/some-memory.ts';
import { TEAM } from '../../../helpers/an-issue.ts';

const handles = TEAM.slice(0, 2).map(({ handle }) => handle);
const material: ReflectionMaterial = {
  run: 'RUN',
  subject: 'change',
  headSha: 'a'.repeat(40),
  verdict: 'CHANGES',
  headline: 'one finding',
  voices: handles.map((handle) => ({
    handle,
    vote: 'CHANGES' as const,
    line: 'No.',
    findings: [{ severity: 'high' as const, title: 't', evidence: 'e', path: 'src/a.ts', line: 1 }],
  })),
  trust: 'maintainer',
  cited: [],
};

function begin(over: (config: Config) => Config = (config) => config, personas = TEAM.slice(0, 2)) {
  const context = contextOf(aRun('reflection', { material }));
  const { run } = context;
  const look = run.phase.kind === 'looking' ? run.phase.effectId : '';
  const bring = (data: object) => onReflection(context, { run: run.id, ...data } as ResultData);
  const result = {
    config: over(defaultConfig()),
    personas,
    known: {},
    nonce: 'abcdefghijklmnop1234',
  };
  bring({ kind: 'done', effectKind: 'look-memory', effectId: look, result });
  const asks = context.step.effects.flatMap(({ id, data }) =>
    data.kind === 'ask' ? [{ id, data }] : [],
  );
  return { context, run, bring, asks };
}

const answered = (effectId: string, value: unknown = { lessons: [] }) => ({
  kind: 'done',
  effectKind: 'ask',
  effectId,
  result: { value, calls: [] },
});
const failed = (effectId: string, effectKind: string) => ({
  kind: 'failed',
  effectKind,
  effectId,
  failure: { code: 'budget-day', message: 'no', retryable: false },
});

function learnedFrom(value: unknown, personas?: typeof TEAM) {
  const { asks, bring, context } = begin(undefined, personas);
  for (const { id } of asks) bring(answered(id, value));
  return context.step.effects.flatMap(({ data }) =>
    data.kind === 'remember' && data.change.kind === 'learn' ? data.change.learned : [],
  );
}

describe('a reflection', () => {
  test('asks once for all voices, within the caps of the repository', () => {
    const { asks } = begin((config) => ({ ...config, budget: { ...config.budget, perDayUsd: 0 } }));
    const [{ data } = expect.fail('asks nobody'), ...others] = asks;
    expect(others).toEqual([]);
    expect(data.caps.repositoryDayUsd).toBe(0);
    expect(data).toMatchObject({ trigger: 'reflection', purpose: 'reflection', tier: 'cheap' });
    for (const { name, lens } of TEAM.slice(0, 2)) {
      expect(data.prompt.own.join('')).toContain(name);
      expect(data.prompt.own.join('')).toContain(lens);
    }
  });

  test('brings each voice what is for it, and does not ask for one that is switched off', () => {
    const [one = '', two = ''] = handles;
    const shared = { for: [one, `@${two}`], text: 'both' };
    const value = { lessons: [{ for: [one], text: 'first' }, shared, { text: 'to nobody' }] };
    expect(learnedFrom(value)).toEqual([
      { persona: one, answer: { lessons: value.lessons } },
      { persona: two, answer: { lessons: [shared, { text: 'to nobody' }] } },
    ]);
    const off = TEAM.slice(0, 2).map((each) => ({ ...each, active: each.handle === one }));
    expect(learnedFrom(value, off).map(({ persona }) => persona)).toEqual([one]);
  });

  test('brings what is for a voice that is switched off to nobody, and what names nobody known to all', () => {
    const [one = '', two = ''] = handles;
    const misspelt = { for: [`${one}x`], text: 'misspelt' };
    const value = { lessons: [{ for: [two], text: 'to the silent one' }, misspelt] };
    const off = TEAM.slice(0, 2).map((each) => ({ ...each, active: each.handle === one }));
    expect(learnedFrom(value, off)).toEqual([{ persona: one, answer: { lessons: [misspelt] } }]);
  });

  test('shows a lesson of several voices once, with one number for all of them', () => {
    const { asks, bring, context, run } = begin();
    for (const { id } of asks) bring(answered(id));
    const [one = '', two = ''] = handles;
    const waits = (id: string, persona: string, text: string) =>
      anEntry({ id, persona, text, state: 'quarantined' });
    const entries = [
      waits('0000000001', one, 'Caches are per user'),
      waits('0000000002', one, 'Dates are in UTC'),
      waits('0000000003', two, 'Caches are per user'),
    ];
    const effectId = run.phase.kind === 'remembering' ? run.phase.effectId : '';
    const result = { entries, removed: [], refused: [] };
    bring({ kind: 'done', effectKind: 'remember', effectId, result });
    const said = context.step.effects.flatMap(({ data }) =>
      data.kind === 'comment' ? data.body : [],
    );
    const lines = said
      .join('\n')
      .split('\n')
      .filter((line) => /^\d\. /.test(line));
    expect(lines).toEqual([
      `1. [PATTERN] Caches are per user (${one}, \`0000000001\`; ${two}, \`0000000003\`)`,
      `2. [PATTERN] Dates are in UTC (${one}, \`0000000002\`)`,
    ]);
    expect(context.state.lessons?.map(({ id, number }) => [id, number])).toEqual(
      [
        ['0000000001', 1],
        ['0000000002', 2],
        ['0000000003', 1],
      ].toSorted(([, a], [, b]) => Number(a) - Number(b)),
    );
  });

  test('ends where memory is switched off, and asks nobody', () => {
    const { asks, run } = begin((config) => ({
      ...config,
      memory: { ...config.memory, enabled: false },
    }));
    expect(asks).toEqual([]);
    expect(run).toMatchObject({ status: 'closed', endReason: 'memory is switched off here' });
  });

  test('ends what an older version began: each voice was asked by itself, and one could not be', () => {
    const { asks, bring, context, run } = begin();
    const [{ id } = expect.fail('asks nobody')] = asks;
    run.phase = {
      kind: 'reflecting',
      waitingFor: handles.map((handle, n) => ({
        handle,
        purpose: 'reflection',
        effectId: n === 1 ? id : 'other',
      })),
    };
    bring(failed('other', 'ask'));
    const [one = '', two = ''] = handles;
    const lessons = [
      { for: [one], text: 'first' },
      { for: [two], text: 'second' },
    ];
    bring(answered(id, { lessons }));
    const written = context.step.effects.flatMap(({ data }) =>
      data.kind === 'remember' ? [data.change] : [],
    );
    expect(written).toMatchObject([
      {
        kind: 'learn',
        learned: [{ persona: two, answer: { lessons: [lessons[1]] } }],
        paths: ['src/a.ts'],
      },
    ]);
  });

  test('brings what its voices experienced only where they keep that', () => {
    const taught = (self: boolean) => {
      const { asks, bring, context, run } = begin((config) => ({
        ...config,
        memory: { ...config.memory, self },
      }));
      for (const { id } of asks) bring(answered(id));
      expect(run).not.toHaveProperty('phase.waitingFor');
      return context.step.effects.flatMap(({ data }) =>
        data.kind === 'remember' ? [data.change] : [],
      );
    };
    expect(taught(true)).toMatchObject([{ kind: 'learn', experiences: [] }]);
    expect(taught(false)[0]).not.toHaveProperty('experiences');
  });

  test('ends where nobody could be asked', () => {
    const { asks, bring, run } = begin();
    for (const { id } of asks) bring(failed(id, 'ask'));
    expect(run).toMatchObject({ status: 'closed', endReason: 'nobody could be asked' });
  });
});
