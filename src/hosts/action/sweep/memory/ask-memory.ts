/** The memory loop in the agent job of a sweep: a model words what is to be consolidated. The token only reads. */
import type { Perform } from '../../../../act/perform.ts';
import { openSqliteStore } from '../../../../adapters/store/sqlite/open-sqlite.ts';
import { MAX_MEMORY_WORK_BYTES, MemoryWork } from '../../../../domain/actions/memory-work.ts';
import { RefusedError, toFailure } from '../../../../domain/event/errors.ts';
import type { CallOutcome } from '../../../../domain/run/ledger.ts';
import { threadKey, toRepositoryThread } from '../../../../domain/run/thread-ref.ts';
import { codeSpan } from '../../../../domain/text/code-span.ts';
import type { Store } from '../../../../ports/store.ts';
import { openModelPool, type Basics } from '../../../host-parts.ts';
import { seedSpent } from '../../job/seed-spent.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';
import { believeRecorded, openWorkflowGitHub } from '../../job/workflow-github.ts';
import { openStandupPerform } from '../../standup/standup-ports.ts';
import type { MemoryTicket } from '../sweep-ticket.ts';
import { playMemory } from './play-memory.ts';

export interface MemoryAsked {
  lines: string[];
  /** US dollars for models. */
  usd: number;
  /** No model answered. */
  isLeft?: boolean;
  /** For the apply job; absent where there is nothing to propose. */
  bytes?: Uint8Array;
}

interface Asking {
  basics: Basics;
  context: WorkflowContext;
  /** In US dollars: within the last 24 hours, and in this pass before. */
  spent: number;
}

const TIMEOUT_MS = 6 * 60_000;

/** It never throws, so that what models cost reaches the apply job in each case. */
export async function askMemory(ticket: MemoryTicket, asking: Asking): Promise<MemoryAsked> {
  const { basics, context, spent } = asking;
  const key = threadKey(toRepositoryThread(context.repository));
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const name = codeSpan(ticket.persona);
  const ended = async (told: string, bytes?: Uint8Array): Promise<MemoryAsked> => {
    const { usd } = await store.records.spent({ key });
    const isLeft = !(await hasAnswered(store, key));
    return { lines: [`${name}: ${told}`], usd, isLeft, ...(bytes !== undefined && { bytes }) };
  };
  try {
    const now = basics.clock.now();
    await seedSpent(store, { repository: context.repository, usd: spent, now });
    const answers: unknown[] = [];
    const perform = keepAnswers(await openPerform(asking, store), answers);
    const nothing = await playMemory({
      basics,
      context,
      ticket,
      store,
      perform,
      timeoutMs: TIMEOUT_MS,
    });
    if (nothing !== undefined) return await ended(nothing.why);
    return await ended('worded, and handed to the apply job.', toBytes(ticket, context, answers));
  } catch (error) {
    const { code, message } = toFailure(error);
    return await ended(`${message} (\`${code}\`)`);
  } finally {
    await store.close();
  }
}

const MOST_CALLS = 100;
const ANSWERED: ReadonlySet<CallOutcome> = new Set(['ok', 'invalid', 'refused']);

/** Whether a model said anything in this stream; one that was away or was not paid for did not. */
export async function hasAnswered(store: Pick<Store, 'records'>, key: string): Promise<boolean> {
  const calls = await store.records.calls({ key, limit: MOST_CALLS });
  return calls.some(({ outcome }) => ANSWERED.has(outcome));
}

function openPerform({ basics, context }: Asking, store: Store): Promise<Perform> {
  const believing = believeRecorded([]);
  const model = openModelPool(basics);
  return openStandupPerform({
    basics,
    github: openWorkflowGitHub(basics, context, believing),
    store,
    markerSecret: believing.markerSecret,
    model,
    estimateUsd: (question, known) => model.estimateUsd(question, known),
    ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
  });
}

/** The proposal is for the job that writes. */
function keepAnswers(perform: Perform, answers: unknown[]): Perform {
  return async (effect, attempt) => {
    if (effect.data.kind === 'open-consolidation')
      return { effectKind: 'open-consolidation', result: ONE, githubCalls: {} };
    const performed = await perform(effect, attempt);
    if (performed.effectKind === 'ask') answers.push(performed.result.value);
    return performed;
  };
}

/** What the reducer takes for a proposal that is open. */
const ONE = { pull: { number: 0, url: '' } };

function toBytes(
  { claim }: MemoryTicket,
  { workflowRun }: WorkflowContext,
  answers: readonly unknown[],
): Uint8Array {
  const work = MemoryWork.parse({
    version: 1,
    claim,
    workflowRun,
    answers: JSON.parse(JSON.stringify(answers)) as unknown,
  });
  const bytes = Buffer.from(JSON.stringify(work));
  if (bytes.length <= MAX_MEMORY_WORK_BYTES) return bytes;
  throw new RefusedError({
    code: 'intents-invalid',
    message: `The model's answer has ${bytes.length} bytes, more than are handed over.`,
  });
}
