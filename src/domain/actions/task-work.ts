/**
 * What the jobs of a task hand on: the agent job its change, the verify job what the gates said. Closed and capped. A receipt
 * has no signature here: no job before the last one has a secret to sign with.
 */
import { z } from 'zod';
import { RefusedError } from '../event/errors.ts';
import { ERROR_CODES, type ErrorCode } from '../event/error-codes.ts';
import { GATES } from '../gates/receipt.ts';
import { addUsage, type ModelCall } from '../run/ledger.ts';
import type { CodeResult, VerifyResult } from '../task/task-effects.ts';

/** As the App lets a coder change. */
export const MAX_TASK_PATCH_BYTES = 4_000_000;
/** Of the file beside the patch, in bytes. */
export const MAX_TASK_WORK_BYTES = 1_000_000;
/** An input of an action is one variable of the environment, which Linux caps at 128 KiB. */
export const MAX_PROOF_CHARS = 100_000;

const MOST_EXCHANGES = 20;
const MOST_CALLS = 1_000;

const optional = z.exactOptional;
const Word = z.string().min(1).max(200);
const Sentence = z.string().max(4_000);
const Count = z.int().nonnegative();
const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const Digest = z.string().regex(/^[0-9a-f]{64}$/);
const Path = z.string().min(1).max(4_096);

const CODES = new Set<string>(Object.values(ERROR_CODES).flat());

export const WorkCall = z.strictObject({
  provider: Word,
  pool: Word,
  model: Word,
  usage: z.strictObject({
    inputTokens: Count,
    outputTokens: Count,
    cacheReadTokens: Count,
    cacheWriteTokens: Count,
  }),
  costUsd: optional(z.number().nonnegative().max(100_000)),
  latencyMs: z.number().nonnegative(),
  outcome: z.enum(['ok', 'error', 'refused', 'timed-out', 'aborted', 'invalid']),
  retries: Count,
});

export const WorkFailure = z.strictObject({
  code: z.custom<ErrorCode>((value) => typeof value === 'string' && CODES.has(value)),
  message: Sentence,
  /** What was asked until then; absent where nobody can tell. */
  calls: optional(z.array(WorkCall).max(MOST_CALLS)),
});
/** Why a job has no result. */
export type TaskFailure = z.infer<typeof WorkFailure>;

/** A call as the ledger has it. */
export function toModelCall({ costUsd, ...call }: z.infer<typeof WorkCall>): ModelCall {
  return { ...call, costUsd };
}

const Report = {
  sessionId: z.string().max(200),
  turns: Count,
  durationMs: z.number().nonnegative(),
  calls: z.array(WorkCall).max(MOST_CALLS),
  notes: z.array(Sentence).max(100),
};

const Outcome = z.discriminatedUnion('outcome', [
  z.strictObject({
    ...Report,
    outcome: z.literal('done'),
    summary: z.string().max(20_000),
    decisions: z.array(Sentence).max(100),
  }),
  z.strictObject({
    ...Report,
    outcome: z.literal('asked'),
    question: Sentence,
    options: z.array(Sentence).max(20),
    tried: z.string().max(20_000),
  }),
  z.strictObject({
    ...Report,
    outcome: z.enum(['failed', 'timed-out', 'cancelled']),
    reason: Sentence,
  }),
]);

const ChangedFile = z.strictObject({
  path: Path,
  from: optional(Path),
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  mode: optional(z.string().max(10)),
  added: Count,
  removed: Count,
  isBinary: z.boolean(),
  bytes: Count,
});

const Exchange = z.strictObject({
  question: Sentence,
  answer: z.string().max(20_000),
  source: z.string().max(2_000),
  isEscalated: z.boolean(),
});

const Coded = z.strictObject({
  coder: Word,
  report: Outcome,
  isTooLarge: z.boolean(),
  files: z.array(ChangedFile).max(3_000),
  exchanges: z.array(Exchange).max(MOST_EXCHANGES),
});

/** What the agent job made; the change itself is a file of its own beside it. */
export const TaskWork = z.strictObject({
  version: z.literal(1),
  claim: z.string().min(1).max(200),
  workflowRun: z.string().regex(/^\d{1,20}$/),
  /** SHA-256 of the patch's bytes. */
  patch: Digest,
  done: z.union([z.strictObject({ coded: Coded }), z.strictObject({ failed: WorkFailure })]),
});
export type TaskWork = z.infer<typeof TaskWork>;

const Counts = z.strictObject({ passed: Count, failed: Count, skipped: Count });

/** What a gate says, without a signature. */
export const BareReceipt = z.strictObject({
  gate: z.enum(GATES),
  result: z.enum(['passed', 'failed', 'not-run', 'timed-out']),
  sentence: Sentence,
  flags: z.array(Sentence).max(50),
  command: optional(z.string().max(2_000)),
  exitCode: optional(z.int()),
  tests: optional(Counts),
  durationMs: optional(z.number().nonnegative()),
  log: optional(z.string().max(20_000)),
  headSha: Sha,
  baseSha: optional(Sha),
  at: z.iso.datetime(),
});

/** What the verify job says of the change with this digest. */
export const TaskProof = z.strictObject({
  version: z.literal(1),
  claim: z.string().min(1).max(200),
  workflowRun: z.string().regex(/^\d{1,20}$/),
  /** Digest of the work that was verified. */
  of: Digest,
  done: z.union([
    z.strictObject({ headSha: Sha, receipts: z.array(BareReceipt).max(GATES.length) }),
    z.strictObject({ failed: WorkFailure }),
  ]),
});
export type TaskProof = z.infer<typeof TaskProof>;

/** Undefined for text that is no such proof. */
export function parseTaskProof(text: string): TaskProof | undefined {
  if (text.length > MAX_PROOF_CHARS) return undefined;
  try {
    return TaskProof.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A call as a job hands it on. */
export function toWorkCall(called: ModelCall): z.infer<typeof WorkCall> {
  const { provider, pool, model, usage, costUsd, latencyMs, outcome, retries } = called;
  const call = { provider, pool, model, usage, latencyMs, outcome, retries };
  return costUsd === undefined ? call : { ...call, costUsd };
}

/** As many as fit, so that one call more loses no change: the last one stands for the rest. */
export function withinMost(calls: readonly ModelCall[]): readonly ModelCall[] {
  if (calls.length <= MOST_CALLS) return calls;
  const kept = calls.slice(0, MOST_CALLS - 1);
  const rest = calls.slice(MOST_CALLS - 1).reduce((sum, call) => ({
    ...sum,
    usage: addUsage(sum.usage, call.usage),
    // A cost that is known is not lost for one that is not.
    costUsd: sumKnown(sum.costUsd, call.costUsd),
    latencyMs: sum.latencyMs + call.latencyMs,
    retries: sum.retries + call.retries,
  }));
  return [...kept, rest];
}

function sumKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}

/** A session that waits for an answer is not taken up in a workflow: its transcript is private and goes nowhere. */
export function toCoded({ coder, report, isTooLarge, files, exchanges = [] }: CodeResult): unknown {
  const calls = withinMost(report.calls).map((call) => ({ ...call, insteadOf: undefined }));
  const told = { ...report, transcript: undefined, calls };
  // One question more must not lose the change.
  const answered = exchanges.slice(0, MOST_EXCHANGES);
  const coded = { coder, report: told, isTooLarge, files, exchanges: answered };
  // JSON leaves out what is undefined.
  return JSON.parse(JSON.stringify(coded));
}

/** The result as the reducer takes it. */
export function toCodeResult(coded: z.infer<typeof Coded>, patch: string): CodeResult {
  const { report, files } = coded;
  const calls = report.calls.map((call): ModelCall => ({ ...call, costUsd: call.costUsd }));
  return {
    ...coded,
    report: { ...report, calls, transcript: '' },
    patch,
    files: files.map((file) => ({ ...file, mode: file.mode })),
  };
}

/** Without signatures, which nobody would believe. */
export function toProved({ headSha, receipts }: VerifyResult): unknown {
  const bare = receipts.map((receipt) => ({ ...receipt, signature: undefined }));
  return JSON.parse(JSON.stringify({ headSha, receipts: bare }));
}

/** @throws RefusedError with the code that another job met */
export function rethrow({ code, message }: TaskFailure): never {
  throw new RefusedError({ code, message });
}
