/** A run as a thread keeps it, with only what commands tell of it. */
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import type { ModelCall } from '../../../../src/domain/run/ledger.ts';
import { THREAD } from '../../../helpers/play.ts';

export const CALL: ModelCall = {
  provider: 'anthropic',
  pool: 'sonnet',
  model: 'claude-sonnet',
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.25,
  latencyMs: 5,
  outcome: 'ok',
  retries: 0,
};

const PLAIN = {
  id: 'run1',
  thread: THREAD,
  label: 'deliberate',
  actor: { id: 100, login: 'ana', isBot: false },
  trigger: 'issue_review',
  status: 'active',
  step: 0,
  round: 2,
  phase: { kind: 'ended' },
  settings: { maxRounds: 3, owner: 'ana', labels: {} },
  contributions: [],
  inFlight: [],
  participants: [],
  calls: [],
  lookedAt: { files: [], pastIssues: [], notRead: [], hidden: 0 },
  headSha: '',
  githubCalls: 5,
  startedAt: '2026-03-02T08:30:15Z',
};

export function aRunHere(over: object = {}): Run {
  return { ...PLAIN, ...over } as unknown as Run;
}

/** A thread with this run. */
export function onRun(over: object): Partial<ThreadState> {
  const run = aRunHere(over);
  return { runs: { [run.trigger]: run } };
}

/** A search of the code whose candidates became these issues. */
export function watchOf(...issues: (object | undefined)[]) {
  const candidates = issues.map((issue, n) => ({
    candidate: { ruleId: `rule-${n}`, places: [{ path: `src/${n}.ts` }] },
    ...(issue && { issue }),
  }));
  return { trigger: 'code_watch', watch: { candidates, files: issues.length } };
}
