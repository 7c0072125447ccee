/** The PM answers a coder's question from the repository, or leaves it to a person (CB-7). */
import type { Config } from '../domain/config.ts';
import type { LedgerEntry, ModelCall } from '../domain/ledger.ts';
import { redactSecrets } from '../domain/secret-text.ts';
import type { Exchange } from '../domain/task/exchange.ts';
import { pmPrompt, PmWord } from '../domain/task/pm-question.ts';
import { threadKey, type ThreadRef } from '../domain/thread.ts';
import type { BaseReader } from '../ports/git.ts';
import { callsOf } from '../ports/model.ts';
import { runToolLoop } from './converse.ts';
import { pmTools } from './pm-tools.ts';
import type { ActPorts } from './ports.ts';
import { readJson } from './read-json.ts';

const MAX_OUTPUT_TOKENS = 2_000;
/** The CLI waits five minutes for its hook. */
const TIMEOUT_MS = 240_000;
const DAY_MS = 24 * 3_600_000;

export interface Asking {
  plan: ThreadRef;
  run: string;
  config: Config;
  base: BaseReader;
  nonce: string;
}

/** Undefined where a person has to answer: also without a model that could, or without money for one. */
export async function answerCoder(
  question: string,
  asking: Asking,
  ports: ActPorts,
): Promise<Exchange | undefined> {
  if (!(await hasMoney(asking, ports))) return undefined;
  const { system, task } = pmPrompt(question, asking.nonce);
  const request = {
    model: asking.config.models.aliases.cheap ?? 'cheap',
    tier: 'cheap',
    system: [{ text: system }],
    messages: [{ role: 'user' as const, content: [{ text: task }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: TIMEOUT_MS,
  };
  const tools = pmTools(asking.base);
  const { model, clock } = ports;
  try {
    const { text, calls } = await runToolLoop({ model, request, tools, clock });
    await keep(calls, asking, ports);
    const word = PmWord.safeParse(readJson(text)?.value);
    if (!word.success || word.data.kind === 'escalate') return undefined;
    const { answer, source } = word.data;
    return { question, answer: redactSecrets(answer), source, isEscalated: false };
  } catch (error) {
    // A model that cannot answer is no reason to stop: a person can.
    await keep(callsOf(error), asking, ports);
    return undefined;
  }
}

async function hasMoney(
  { plan, config: { budget } }: Asking,
  { store: { records }, clock }: ActPorts,
): Promise<boolean> {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const [thread, day] = await Promise.all([
    records.spent({ key: threadKey(plan) }),
    records.spent({ repositoryId: plan.repositoryId, since }),
  ]);
  return thread.usd < budget.pm.perThreadUsd && day.usd < budget.perDayUsd;
}

async function keep(
  calls: readonly ModelCall[],
  { plan, run, nonce }: Asking,
  { store, clock }: ActPorts,
): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  const about = { at, repositoryId: plan.repositoryId, key: threadKey(plan), run };
  const entries = calls.map((call, n): LedgerEntry => {
    const id = `${run}/pm-${nonce}/${n}`;
    return { ...call, ...about, id, role: 'pm', persona: 'pm' };
  });
  await store.records.settleCall(`${run}/pm-${nonce}`, entries);
}
