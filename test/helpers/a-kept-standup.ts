/** Standups as the store keeps them. */
import { insightId, type Insight } from '../../src/domain/standup/insight.ts';
import type { KeptStandup } from '../../src/domain/standup/kept-standup.ts';

export function anInsight(message: string, more: Partial<Insight> = {}): Insight {
  const { run = 'r1', from = 'maya' } = more;
  return {
    id: insightId({ run, from, message }),
    run,
    from,
    role: 'Security Reviewer',
    type: message === '' ? 'none' : 'risk',
    message,
    refs: [],
    actionable: message !== '',
    model: 'offline',
    costUsd: 0.002,
    tokens: 120,
    ms: 40,
    ...more,
  };
}

export function aStandup(more: Partial<KeptStandup> = {}): KeptStandup {
  return {
    repository: 1,
    name: 'Octo/Repo',
    run: 'r1',
    thread: 12,
    at: '2026-11-20T10:00:00.000Z',
    headSha: 'a'.repeat(40),
    invented: 1,
    skipped: 0,
    fixCycles: 2,
    insights: [],
    ...more,
  };
}
