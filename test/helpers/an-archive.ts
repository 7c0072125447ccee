/** The archive that a workflow leaves for the App: what the coder said, and its patch. */
import { createHash } from 'node:crypto';
import type { WorkflowRun } from '../../src/emulator/github/world/check-model.ts';
import { aZip } from './a-zip.ts';

const CALL = {
  provider: 'anthropic',
  pool: 'coder',
  model: 'sonnet',
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.5,
  latencyMs: 10,
  outcome: 'ok',
  retries: 0,
};

/** As the job leaves it; `work` and `coded` change what it says. */
export function anArchiveOf(
  run: Pick<WorkflowRun, 'id' | 'title'>,
  { work: over = {}, coded: more = {}, patch }: { work?: object; coded?: object; patch: string },
): Buffer {
  const report = { sessionId: 's', turns: 3, durationMs: 9, calls: [CALL, CALL], notes: [] };
  const done = { ...report, outcome: 'done', summary: 'Adds it.', decisions: [] };
  const exchange = { question: 'Why?', answer: 'So.', source: 'the plan', isEscalated: false };
  const coded = {
    coder: 'claude',
    report: done,
    isTooLarge: false,
    files: [],
    exchanges: [exchange],
    ...more,
  };
  const work = {
    version: 1,
    claim: run.title?.split(' ')[1],
    workflowRun: String(run.id),
    patch: createHash('sha256').update(patch).digest('hex'),
    done: { coded },
    ...over,
  };
  return aZip([
    { name: 'intents.json', content: JSON.stringify(work) },
    { name: 'change.patch', content: patch },
  ]);
}
