/** Asks one persona's model for one structured answer, within the caps, with every call in the ledger. */
import { z } from 'zod';
import {
  ChangeForm,
  ChangePosition,
  ChangeVerdict,
  IssueForm,
  IssuePosition,
  IssueVerdict,
} from '../domain/council.ts';
import { TalkAnswer } from '../domain/talk.ts';
import type { Effect, EffectData } from '../domain/effect.ts';
import { RefusedError } from '../domain/errors.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../domain/ledger.ts';
import type { MoneyLeft } from '../domain/reading.ts';
import type { BudgetUsed } from '../domain/result.ts';
import { TASK_KEYS } from '../domain/task/task.ts';
import { isRecord } from '../domain/yaml.ts';
import { callsOf, type ModelRequest } from '../ports/model.ts';
import { generateObject } from './converse.ts';
import type { ActPorts, Performed } from './ports.ts';

type Ask = Extract<EffectData, { kind: 'ask' }>;

const MAX_OUTPUT_TOKENS = 2_000;
const TIMEOUT_MS = 120_000;
const DAY_MS = 24 * 3_600_000;

/** Result: `{ value, calls, budget? }`. Throws RefusedError `budget-…` when a cap would be exceeded. */
export async function askPersona(
  effect: Effect,
  data: Ask,
  ports: ActPorts,
): Promise<Performed<'ask'>> {
  const request = toRequest(data);
  const reservation = `${effect.id}/reserved`;
  const estimate = ports.estimateUsd(request, { isCached: data.cache === 'read' });
  const entry = (call: ModelCall, id: string): LedgerEntry =>
    toEntry(effect, data, { call, id, ports });
  // Written down before it is spent, so that neither a crash nor a parallel call under-counts.
  await ports.store.records.reserve(entry(reservedCall(data.model, estimate), reservation));
  try {
    const budget = await checkCaps(effect, data, ports);
    const { value, calls } = await generateObject({
      model: ports.model,
      request,
      ...answerOf(data),
    });
    await ports.store.records.settleCall(
      reservation,
      calls.map((call, n) => entry(call, `${reservation}/${n}`)),
    );
    const money = await moneyAfter(effect, data, { request, ports });
    return { effectKind: 'ask', result: { value, calls, ...budget, ...money }, githubCalls: {} };
  } catch (error) {
    const calls = callsOf(error);
    await ports.store.records.settleCall(
      reservation,
      calls.map((call, n) => entry(call, `${reservation}/${n}`)),
    );
    throw error;
  }
}

function toRequest(data: Ask): ModelRequest {
  // What all parts share is worth keeping, besides the part.
  const cachedBlocks = data.part === undefined ? 1 : 2;
  const shared = data.prompt.shared.map((text, index) => ({
    text,
    cache: data.cache !== undefined && index >= data.prompt.shared.length - cachedBlocks,
  }));
  return {
    model: data.model,
    ...(data.tier === undefined ? {} : { tier: data.tier }),
    system: [...shared, ...data.prompt.own.map((text) => ({ text }))],
    messages: [{ role: 'user', content: [{ text: data.prompt.task }] }],
    evidence: data.brief,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    ...(data.temperature === undefined ? {} : { temperature: data.temperature }),
    timeoutMs: TIMEOUT_MS,
  };
}

/** What is read of the answer, and the form that it is asked for in. */
function answerOf(data: Ask): { schema: z.ZodType; form?: z.ZodType } {
  const schema = schemaOf(data);
  if (data.hasOneForm !== true) return { schema };
  const part = data.purpose === 'verdict' ? 'verdict' : 'position';
  return {
    // A model that leaves out what is around it has answered all the same.
    schema: z.preprocess((value) => partOf(value, part) ?? value, schema),
    form: data.trigger === 'issue_review' ? IssueForm : ChangeForm,
  };
}

function partOf(value: unknown, part: string): unknown {
  const found = isRecord(value) ? value[part] : undefined;
  return isRecord(found) ? found : undefined;
}

function schemaOf({ trigger, purpose }: Ask): z.ZodType {
  if (purpose === 'answer') return TalkAnswer;
  const isIssue = trigger === 'issue_review';
  if (purpose === 'verdict') return isIssue ? IssueVerdict : ChangeVerdict;
  return isIssue ? IssuePosition : ChangePosition;
}

function toEntry(
  effect: Effect,
  data: Ask,
  { call, id, ports }: { call: ModelCall; id: string; ports: ActPorts },
): LedgerEntry {
  return {
    ...call,
    id,
    at: new Date(ports.clock.now()).toISOString(),
    repositoryId: data.thread.repositoryId,
    key: effect.key,
    run: effect.run,
    role: ROLES[data.purpose],
    persona: data.persona,
  };
}

/** How the ledger calls whoever was asked. */
const ROLES: Readonly<Record<Ask['purpose'], string>> = {
  position: 'contributor',
  'lead-alone': 'lead',
  verdict: 'lead',
  answer: 'answerer',
};

/** A share of a cap that people are told of unless the asker names another. */
const TOLD_FROM = 0.5;

/** Compares what is spent and reserved, this call included, with each cap; tells the tightest when it is near. */
async function checkCaps(
  effect: Effect,
  data: Ask,
  { store, clock }: ActPorts,
): Promise<{ budget?: BudgetUsed }> {
  const { thread, day, coded } = await readSpent(effect, data, { store, clock });
  const shares: BudgetUsed[] = [
    { cap: 'thread', share: shareOf(thread.usd, data.caps.threadUsd) },
    { cap: 'day', share: shareOf(day.usd - coded.usd, data.caps.dayUsd) },
    { cap: 'repository', share: shareOf(day.usd, data.caps.repositoryDayUsd) },
  ];
  const tightest = shares.reduce((a, b) => (b.share > a.share ? b : a));
  if (tightest.share > 1)
    throw new RefusedError({
      code: `budget-${tightest.cap}`,
      message: `The budget for this ${tightest.cap} is used up.`,
    });
  return tightest.share >= (data.caps.warnAt ?? TOLD_FROM) ? { budget: tightest } : {};
}

/** Of a part: whether there is enough for another one is decided elsewhere. */
async function moneyAfter(
  effect: Effect,
  data: Ask,
  { request, ports }: { request: ModelRequest; ports: ActPorts },
): Promise<{ money?: MoneyLeft }> {
  if (data.part === undefined) return {};
  const { thread, day, coded } = await readSpent(effect, data, ports);
  const { threadUsd, dayUsd, repositoryDayUsd } = data.caps;
  const talkedUsd = day.usd - coded.usd;
  const leftUsd = Math.min(threadUsd - thread.usd, dayUsd - talkedUsd, repositoryDayUsd - day.usd);
  const { verdict } = data.part;
  const asked = verdict && { ...request, ...verdict };
  const verdictUsd = asked && ports.estimateUsd(asked, { isCached: false });
  return { money: { leftUsd, ...(verdictUsd === undefined ? {} : { verdictUsd }) } };
}

/** Reservations of calls under way count as spent. */
async function readSpent(
  effect: Effect,
  { thread: { repositoryId } }: Ask,
  { store, clock }: Pick<ActPorts, 'store' | 'clock'>,
) {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const [thread, day, coded] = await Promise.all([
    store.records.spent({ key: effect.key }),
    store.records.spent({ repositoryId, since }),
    // Writing code has caps of its own.
    store.records.spent({ repositoryId, since, keyStart: TASK_KEYS }),
  ]);
  return { thread, day, coded };
}

function shareOf(spent: number, cap: number): number {
  if (cap > 0) return spent / cap;
  return spent > 0 ? Number.POSITIVE_INFINITY : 0;
}
