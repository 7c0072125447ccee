/** What people read when a model did not answer. */
import type { ErrorCode } from '../../../src/domain/event/error-codes.ts';
import { describe, expect, test } from 'vitest';
import {
  findMissed,
  isByRules,
  isWithoutModel,
  renderMissed,
} from '../../../src/decide/run/missed-model.ts';
import { NO_USAGE, type MissedModel, type ModelCall } from '../../../src/domain/run/ledger.ts';
import { verifies } from '../../verifies.ts';

function aCall(provider: string, model: string, insteadOf?: MissedModel): ModelCall {
  return {
    provider,
    pool: model,
    model,
    usage: NO_USAGE,
    costUsd: 0,
    latencyMs: 1,
    outcome: 'ok',
    retries: 0,
    ...(insteadOf === undefined ? {} : { insteadOf }),
  };
}

/** A newer version may have recorded a code that this one does not know. */
const sonnet = (code: string): MissedModel => ({ name: 'sonnet', code: code as ErrorCode });
const rules = (code: string): ModelCall => aCall('offline', 'offline', sonnet(code));
const said = (calls: ModelCall[]): string => renderMissed(findMissed(calls), 'ask again');

/** Every code with which the pool leaves a model out. */
const CODES = [
  'model-content-refused',
  'model-request-too-large',
  'model-request-rejected',
  'model-request-blocked',
  'model-rate-limited',
  'model-overloaded',
  'model-unreachable',
  'model-stream-cut',
  'model-timeout',
  'model-invalid-protocol',
  'model-unauthorised',
  'model-credits',
  'model-forbidden',
  'model-unknown',
  'model-not-set-up',
];

describe('what is said of a model that did not answer', () => {
  test('is nothing where it answered, or where rules were all that was meant', () => {
    expect(said([])).toBe('');
    expect(said([aCall('anthropic', 'claude')])).toBe('');
    expect(said([aCall('offline', 'offline')])).toBe('');
  });

  for (const code of CODES)
    verifies('CB-15', `is one line with the reason of ${code} and the next step`, () => {
      const line = said([aCall('anthropic', 'claude'), rules(code)]);
      expect(line).toMatch(
        /^\*\*No model: only offline rules judged this\.\*\* `sonnet` did not answer: [^.\n]+\. [^\n]+ ask again\.$/,
      );
      expect(line).not.toContain('it failed');
    });

  test('names another model that answered instead', () => {
    const calls = [aCall('anthropic', 'claude-haiku', sonnet('model-overloaded'))];
    expect(said(calls)).toMatch(
      /^\*\*Another model answered: `claude-haiku`\.\*\* `sonnet` did not/,
    );
    expect(isWithoutModel(findMissed(calls))).toBe(false);
  });

  test('says when only a part had to do without', () => {
    const calls = [rules('model-timeout'), aCall('anthropic', 'claude')];
    expect(said(calls)).toMatch(/^\*\*Partly without its model: offline rules answered for some/);
    expect(isWithoutModel(findMissed(calls))).toBe(false);
    expect(isWithoutModel(findMissed(calls.toReversed()))).toBe(true);
  });

  test('copes with a code of another version', () => {
    expect(said([rules('model-of-tomorrow')])).toContain('`sonnet` did not answer: it failed.');
  });
});

describe('rules in place of a model', () => {
  const model = aCall('anthropic', 'claude');

  verifies('CB-15', 'judged where they had the last word, whatever the reason', () => {
    for (const code of CODES) expect(isByRules([model, rules(code)])).toBe(true);
  });

  verifies(
    'CB-15',
    'judged a part where a model refused the text, which its author can bring about',
    () => {
      const byText = CODES.filter((code) => isByRules([rules(code), model]));
      expect(byText).toEqual([
        'model-content-refused',
        'model-request-too-large',
        'model-request-rejected',
        'model-request-blocked',
      ]);
    },
  );

  test('are nothing of the kind where no model was meant, or another one answered', () => {
    expect(isByRules([])).toBe(false);
    expect(isByRules([aCall('offline', 'offline')])).toBe(false);
    expect(isByRules([aCall('openai', 'gpt', sonnet('model-content-refused'))])).toBe(false);
  });
});
