/** Insights and answers for tests. */
import { aPersona } from '../../helpers/a-persona.ts';
import type { AnswerContext } from '../../../src/domain/standup/standup-answer.ts';
import { insightId, type Insight } from '../../../src/domain/standup/insight.ts';

export const COST = { model: 'small-1', costUsd: 0.01, tokens: 900, ms: 1200 };

export const CONTEXT: AnswerContext = {
  run: 'run-1',
  persona: aPersona({ handle: 'maya', role: 'Security reviewer' }),
  team: ['maya', 'carlos', 'priya'],
  limits: { maxInsights: 3, maxWords: 200 },
  rules: { repository: 'acme/tidy' },
  cost: COST,
};

export function anInsight(over: Partial<Insight> = {}): Insight {
  const message = over.message ?? '`src/cart.ts:12` trusts the price that the browser sends.';
  const { run, from } = { run: 'run-1', from: 'maya', ...over };
  return {
    id: insightId({ run, from, message }),
    run,
    from,
    role: 'Security reviewer',
    type: 'risk',
    message,
    refs: [{ path: 'src/cart.ts', line: 12 }],
    actionable: true,
    ...COST,
    ...over,
  };
}

export function said(message: string, over: object = {}) {
  return { to: 'carlos', insight_type: 'risk', message, actionable: true, ...over };
}
