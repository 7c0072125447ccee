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
import { reservedCall, type LedgerEntry, type ModelCall } from '../domain/ledger.ts';
import type { MoneyLeft } from '../domain/reading.ts';
import { isRecord } from '../domain/yaml.ts';
import { callsOf, type ModelRequest } from '../ports/model.ts';
import { checkCaps, readSpent, type Account } from './caps.ts';
import { generateObject } from './converse.ts';
import type { ActPorts, Performed } from './ports.ts';

type Ask = Extract<EffectData, { kind: 'ask' }>;

const MAX_OUTPUT_TOKENS = 2_000;
const TIMEOUT_MS = 120_000;

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
    const budget = await checkCaps(accountOf(effect, data), data.caps, ports);
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
    ...accountOf(effect, data),
    id,
    at: new Date(ports.clock.now()).toISOString(),
  };
}

function accountOf({ key, run }: Effect, { thread, purpose, persona }: Ask): Account {
  return { repositoryId: thread.repositoryId, key, run, role: ROLES[purpose], persona };
}

/** How the ledger calls whoever was asked. */
const ROLES: Readonly<Record<Ask['purpose'], string>> = {
  position: 'contributor',
  'lead-alone': 'lead',
  verdict: 'lead',
  answer: 'answerer',
};

/** Of a part: whether there is enough for another one is decided elsewhere. */
async function moneyAfter(
  effect: Effect,
  data: Ask,
  { request, ports }: { request: ModelRequest; ports: ActPorts },
): Promise<{ money?: MoneyLeft }> {
  if (data.part === undefined) return {};
  const spent = await readSpent(accountOf(effect, data), ports);
  const { threadUsd, dayUsd, repositoryDayUsd } = data.caps;
  const leftUsd = Math.min(
    threadUsd - spent.threadUsd,
    dayUsd - spent.talkedUsd,
    repositoryDayUsd - spent.repositoryUsd,
  );
  const { verdict } = data.part;
  const asked = verdict && { ...request, ...verdict };
  const verdictUsd = asked && ports.estimateUsd(asked, { isCached: false });
  return { money: { leftUsd, ...(verdictUsd === undefined ? {} : { verdictUsd }) } };
}
