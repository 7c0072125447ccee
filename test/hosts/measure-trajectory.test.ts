/** The figures of a run in the summary of its job: counted from the calls, without a model. */
import { describe, expect, test } from 'vitest';
import type { ModelCall } from '../../src/domain/run/ledger.ts';
import { measureTrajectory } from '../../src/hosts/action/tell/measure-trajectory.ts';
import { renderAgentSummary } from '../../src/hosts/action/tell/write-summary.ts';

const QUIET = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function aCall(usage: Partial<ModelCall['usage']>, over: Partial<ModelCall> = {}): ModelCall {
  return {
    provider: 'openai',
    pool: 'large',
    model: 'large-1',
    usage: { ...QUIET, ...usage },
    costUsd: 0.25,
    latencyMs: 10,
    outcome: 'ok',
    retries: 0,
    ...over,
  };
}

const CALLS = [
  aCall({ inputTokens: 100, cacheWriteTokens: 20, cacheReadTokens: 3, outputTokens: 7 }),
  aCall({ inputTokens: 400, outputTokens: 9 }, { outcome: 'invalid', retries: 2 }),
  aCall({ inputTokens: 400, outputTokens: 9 }, { retries: 1, costUsd: 0.5 }),
  aCall({ inputTokens: 400, outputTokens: 9 }, { model: 'small-1' }),
  aCall({}, { outcome: 'timed-out', costUsd: undefined }),
  aCall({ inputTokens: 50, cacheReadTokens: 850 }, { outcome: 'error', costUsd: 0.125 }),
];

describe('the figures of a run', () => {
  test('count turns, retries, questions that were asked again, the growth of the prompt and what was wasted', () => {
    expect(measureTrajectory(CALLS)).toEqual({
      turns: 6,
      retries: 3,
      repeatedCalls: 1,
      firstPromptTokens: 123,
      lastPromptTokens: 900,
      wastedUsd: 0.375,
    });
  });

  test('call nothing repeated among offline rules, which count no tokens', () => {
    expect(measureTrajectory([aCall({}), aCall({})])).toMatchObject({ turns: 2, repeatedCalls: 0 });
  });

  test('are zero for a run that asked no model', () => {
    expect(new Set(Object.values(measureTrajectory([])))).toEqual(new Set([0]));
  });

  test('stand in the summary, with calls whose price is not known', () => {
    const summary = renderAgentSummary(
      {
        version: 1,
        claim: 'thread:7/12 run 77',
        workflowRun: '77',
        intents: [],
        spent: { usd: 1.125, calls: 6, unknownCalls: 1 },
        trajectory: measureTrajectory(CALLS),
        outcome: { verdict: 'NONE', headline: '', findings: 2 },
      },
      'the models were away',
    );
    expect(summary).toBe(
      [
        '### Quorum: no verdict',
        '',
        '`the models were away`',
        '',
        '| Figure | Value |',
        '| --- | ---: |',
        '| Findings | 2 |',
        '| Writes handed to the apply job | 0 |',
        '| Model calls | 6 |',
        '| Retries | 3 |',
        '| Repeated calls | 1 |',
        '| Prompt of the first and the last call | 123 → 900 tokens |',
        '| Cost of failed calls | $0.3750 |',
        '| Cost | $1.1250 and 1 calls without a known price |',
        '',
      ].join('\n'),
    );
  });
});
