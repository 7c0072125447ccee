/** The agent job of a standup: asks the participants, with a token that only reads. What they say becomes a file. */
import type { Perform } from '../../../act/perform.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { StandupWork } from '../../../domain/actions/standup-work.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';
import { seedSpent } from '../job/seed-spent.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { measureTrajectory } from '../tell/measure-trajectory.ts';
import { playStandup } from './play-standup.ts';
import { onlyKinds, openStandupPerform } from './standup-ports.ts';
import { sourceOf, type StandupTicket } from './standup-ticket.ts';

const TIMEOUT_MS = 20 * 60_000;

interface Said {
  answers: unknown[];
  calls: ModelCall[];
}

export async function agentStandupStep(
  basics: Basics,
  context: WorkflowContext,
  ticket: StandupTicket,
): Promise<StandupWork> {
  const believing = believeRecorded([]);
  const github = openWorkflowGitHub(basics, context, believing);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const thread = { ...context.repository, number: ticket.plan };
  const { claim, at } = ticket;
  try {
    const now = basics.clock.now();
    await seedSpent(store, { repository: thread, usd: ticket.spentUsd, now });
    const model = openModelPool(basics);
    const perform = await openStandupPerform({
      basics,
      github,
      store,
      markerSecret: believing.markerSecret,
      model,
      estimateUsd: (question, known) => model.estimateUsd(question, known),
      ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
    });
    const said: Said = { answers: [], calls: [] };
    await playStandup({
      basics,
      store,
      thread,
      claim,
      at,
      seed: {},
      news: sourceOf(ticket),
      perform: listen(onlyKinds(perform, ['look-standup', 'ask']), said),
      timeoutMs: TIMEOUT_MS,
    });
    const { usd, calls, unknownCalls } = await store.records.spent({ key: threadKey(thread) });
    const { workflowRun } = context;
    // A cap that is exceeded is refused here too: the job that caused it says so.
    return StandupWork.parse({
      version: 1,
      claim,
      workflowRun,
      answers: said.answers,
      spent: { usd, calls, unknownCalls },
      trajectory: measureTrajectory(said.calls),
    });
  } finally {
    await store.close();
  }
}

/** Keeps what each participant answered, or why there is no answer. */
function listen(perform: Perform, said: Said): Perform {
  return async (effect, attempt) => {
    const { data } = effect;
    const keep = (done: unknown): void => {
      if (data.kind === 'ask') said.answers.push({ handle: data.persona, done });
    };
    try {
      const performed = await perform(effect, attempt);
      if (performed.effectKind !== 'ask') return performed;
      const { value, calls } = performed.result;
      said.calls.push(...calls);
      keep(toJson({ value, calls: calls.map((call) => ({ ...call, insteadOf: undefined })) }));
      return performed;
    } catch (error) {
      if (error instanceof QuorumError && !error.retryable)
        keep({ failed: { code: error.code, message: error.message.slice(0, 4_000) } });
      throw error;
    }
  };
}

/** JSON leaves out what is undefined. */
function toJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
