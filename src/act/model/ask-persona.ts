/** Asks one persona's model for one structured answer, within the caps, with every call in the ledger. */
import { z } from 'zod';
import {
  ConsolidationAnswer,
  ConsolidationForm,
} from '../../domain/memory/consolidation/consolidation.ts';
import { RoleMemoryAnswer, RoleMemoryForm } from '../../domain/memory/role/role-memory.ts';
import { StandupAnswer } from '../../domain/standup/standup-answer.ts';
import { Reflection, ReflectionForm } from '../../domain/memory/parse-lessons.ts';
import { ballotOf } from '../../domain/run/ballot.ts';
import { TalkAnswer } from '../../domain/run/talk.ts';
import type { Effect, EffectData } from '../../domain/event/effect.ts';
import { leftOnHost, NO_HOST_CAPS } from '../../domain/config/host-caps.ts';
import { reservedCall, type LedgerEntry, type ModelCall } from '../../domain/run/ledger.ts';
import type { MoneyLeft } from '../../domain/review/reading.ts';
import { isRecord } from '../../domain/config/yaml.ts';
import { callsOf, type ModelRequest } from '../../ports/model.ts';
import type { Waits } from '../../ports/store.ts';
import { personOf, readLeft, reserveWithin, STANDUP_ROLE, type Account } from './check-caps.ts';
import { generateObject } from './generate-object.ts';
import { readHostSpent } from './host-money.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { earlierTries } from '../tries.ts';

type Ask = Extract<EffectData, { kind: 'ask' }>;

const MAX_OUTPUT_TOKENS = 2_000;
/** A file of memory that is written shorter. */
const MAX_CONDENSED_TOKENS = 6_000;
/** Five lessons. With the longest prompt and a repair, a reflection of a run stays below $0.002, apart from thinking. */
const MAX_REFLECTION_TOKENS = 1_000;
/** LS-6. */
const MAX_STANDUP_TOKENS = 1_024;
const TIMEOUT_MS = 120_000;
/** LS-5: nobody waits longer for one of them. */
const STANDUP_TIMEOUT_MS = 30_000;

interface Asking {
  ports: ActPorts;
  /** What the question was given back for last. */
  waits: Waits | undefined;
}

/** Result: `{ value, calls, budget? }`. Throws RefusedError `budget-…` when a cap would be exceeded. */
export async function askPersona(
  effect: Effect,
  data: Ask,
  { ports, waits }: Asking,
): Promise<Performed<'ask'>> {
  const request = { ...toRequest(data), earlierTries: earlierTries(waits) };
  const reservation = `${effect.id}/reserved`;
  // What an earlier attempt settled stays beside what this one does.
  const settled = `${reservation}/${ports.random.id()}`;
  const estimate = ports.estimateUsd(request, { isCached: data.cache === 'read' });
  const entry = (call: ModelCall, id: string): LedgerEntry =>
    toEntry(effect, data, { call, id, ports });
  // Written down before it is spent, so that neither a crash nor a parallel call under-counts.
  const reserved = {
    account: accountOf(effect, data),
    entry: entry(reservedCall(data.model, estimate), reservation),
  };
  const budget = await reserveWithin(data.caps, reserved, ports);
  try {
    const { value, calls } = await generateObject({
      model: ports.model,
      request,
      ...answerOf(data),
    });
    await ports.store.records.settleCall(
      reservation,
      calls.map((call, n) => entry(call, `${settled}/${n}`)),
    );
    const money = await moneyAfter(effect, data, { request, ports });
    return { effectKind: 'ask', result: { value, calls, ...budget, ...money }, githubCalls: {} };
  } catch (error) {
    const calls = callsOf(error);
    await ports.store.records.settleCall(
      reservation,
      calls.map((call, n) => entry(call, `${settled}/${n}`)),
    );
    throw error;
  }
}

/** How an effect's question is put; the same effect gives the same question. */
export function toQuestion(data: Ask): {
  request: ModelRequest;
  schema: z.ZodType;
  form?: z.ZodType;
} {
  return { request: toRequest(data), ...answerOf(data) };
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
    installation: data.thread.installationId,
    ...(data.tier === undefined ? {} : { tier: data.tier }),
    system: [...shared, ...data.prompt.own.map((text) => ({ text }))],
    messages: [{ role: 'user', content: [{ text: data.prompt.task }] }],
    evidence: data.brief,
    maxOutputTokens: mostOutput(data.purpose),
    ...(data.temperature === undefined ? {} : { temperature: data.temperature }),
    timeoutMs: data.purpose === 'standup' ? STANDUP_TIMEOUT_MS : TIMEOUT_MS,
  };
}

function mostOutput(purpose: Ask['purpose']): number {
  if (purpose === 'standup') return MAX_STANDUP_TOKENS;
  if (purpose === 'reflection') return MAX_REFLECTION_TOKENS;
  return purpose === 'consolidation' ? MAX_CONDENSED_TOKENS : MAX_OUTPUT_TOKENS;
}

/** What is read of the answer, and the form that it is asked for in. */
function answerOf(data: Ask): { schema: z.ZodType; form?: z.ZodType } {
  const schema = schemaOf(data);
  // Each lesson is judged by itself, so that a bad one costs no second call.
  if (data.purpose === 'reflection') return { schema, form: ReflectionForm };
  if (data.purpose === 'role-memory') return { schema, form: RoleMemoryForm };
  if (data.purpose === 'consolidation') return { schema, form: ConsolidationForm };
  if (data.hasOneForm !== true) return { schema };
  const part = data.purpose === 'verdict' ? 'verdict' : 'position';
  return {
    // A model that leaves out what is around it has answered all the same.
    schema: z.preprocess((value) => partOf(value, part) ?? value, schema),
    form: ballotOf(data).form,
  };
}

function partOf(value: unknown, part: string): unknown {
  const found = isRecord(value) ? value[part] : undefined;
  return isRecord(found) ? found : undefined;
}

function schemaOf(data: Ask): z.ZodType {
  if (data.purpose === 'answer') return TalkAnswer;
  if (data.purpose === 'reflection') return Reflection;
  if (data.purpose === 'role-memory') return RoleMemoryAnswer;
  if (data.purpose === 'consolidation') return ConsolidationAnswer;
  if (data.purpose === 'standup') return StandupAnswer;
  const { position, verdict } = ballotOf(data);
  return data.purpose === 'verdict' ? verdict : position;
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

function accountOf({ key, run }: Effect, { thread, purpose, persona, caps }: Ask): Account {
  const { installationId, repositoryId } = thread;
  const role = ROLES[purpose];
  return { installationId, repositoryId, key, run, role, persona, ...personOf(caps) };
}

/** The role that the ledger records for each purpose. */
const ROLES: Readonly<Record<Ask['purpose'], string>> = {
  position: 'contributor',
  'lead-alone': 'lead',
  verdict: 'lead',
  answer: 'answerer',
  reflection: 'reflector',
  'role-memory': 'extractor',
  consolidation: 'consolidator',
  standup: STANDUP_ROLE,
};

/** Of a part: whether there is enough for another one is decided elsewhere. */
async function moneyAfter(
  effect: Effect,
  data: Ask,
  { request, ports }: { request: ModelRequest; ports: ActPorts },
): Promise<{ money?: MoneyLeft }> {
  if (data.part === undefined) return {};
  const account = accountOf(effect, data);
  const [ownUsd, onHost] = await Promise.all([
    readLeft(account, data.caps, ports),
    readHostSpent(account, ports),
  ]);
  const leftUsd = Math.min(
    ownUsd,
    leftOnHost(onHost, ports.hostCaps ?? NO_HOST_CAPS)?.usd ?? Infinity,
  );
  const { verdict } = data.part;
  const asked = verdict && { ...request, ...verdict };
  const verdictUsd = asked && ports.estimateUsd(asked, { isCached: false });
  return { money: { leftUsd, ...(verdictUsd === undefined ? {} : { verdictUsd }) } };
}
