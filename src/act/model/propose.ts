/** Lets the PM think about a plan: it looks at one commit with tools that only read, and ends with a checked value. */
import type { Effect, EffectData } from '../../domain/event/effect.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { ModelCall } from '../../domain/run/ledger.ts';
import { inline, prompt } from '../../domain/prompt/prompt-text.ts';
import { PmProposal } from '../../domain/plan/draft.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BaseReader } from '../../ports/git.ts';
import { withCalls, type Model, type ModelRequest } from '../../ports/model.ts';
import type { Waits } from '../../ports/store.ts';
import { apiReader } from './api-reader.ts';
import { withinBudget } from './check-caps.ts';
import { generateObject } from './generate-object.ts';
import { runToolLoop, type LoopTool } from './run-tool-loop.ts';
import { PM_TOOL_BYTES, pmTools } from './pm-tools.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { readJson } from './read-json.ts';
import { earlierTries } from '../tries.ts';

type Propose = Extract<EffectData, { kind: 'propose' }>;

const MAX_OUTPUT_TOKENS = 8_000;
const TIMEOUT_MS = 300_000;
/** People unfold it; more says nothing more. */
const MAX_LOOKED = 60;
const MAX_PROBLEM = 2_000;

/** @throws RefusedError `budget-…` when a cap would be exceeded, InvalidOutputError when no plan can be read */
export async function proposePlan(
  effect: Effect,
  data: Propose,
  { ports, waits }: { ports: ActPorts; waits: Waits | undefined },
): Promise<Performed<'propose'>> {
  const { thread, caps } = data;
  const session = ports.github.at(thread);
  const { installationId, repositoryId } = thread;
  const account = { installationId, repositoryId, key: effect.key, run: effect.run, ...PM };
  const model = withinBudget({ id: effect.id, account, caps }, ports);
  const looked: string[] = [];
  const base = data.sha === '' ? undefined : await readerAt(data, { ports, session });
  const nonce = data.nonce ?? ports.random.id();
  const tools = base === undefined ? [] : pmTools(base, nonce).map((tool) => noting(tool, looked));
  const request = { ...toProposeRequest(data), earlierTries: earlierTries(waits) };
  const { word, calls } = await think({ model, request, tools, clock: ports.clock });
  const result = { word, calls, looked: looked.slice(0, MAX_LOOKED) };
  return { effectKind: 'propose', result, githubCalls: session.counts };
}

/** How the PM's question is put; the same effect gives the same question. */
export function toProposeRequest(data: Propose): ModelRequest {
  const { shared, own, task } = data.prompt;
  return {
    model: data.model,
    installation: data.thread.installationId,
    ...(data.tier === undefined ? {} : { tier: data.tier }),
    system: [...shared, ...own].map((text) => ({ text })),
    messages: [{ role: 'user', content: [{ text: task }] }],
    evidence: data.brief,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: TIMEOUT_MS,
  };
}

const PM = { role: 'pm', persona: 'pm' };

/** Git where it is at hand, else GitHub's own files (CB-3). */
function readerAt(
  { thread, sha }: Propose,
  { ports, session }: { ports: ActPorts; session: ReturnType<ActPorts['github']['at']> },
): Promise<BaseReader> | BaseReader {
  const { codingRuntime } = ports;
  return codingRuntime === undefined
    ? apiReader(session, toRepositoryRef(thread), sha)
    : codingRuntime.git.read(toRepositoryRef(thread), sha);
}

function noting(tool: LoopTool, looked: string[]): LoopTool {
  return {
    ...tool,
    run: (args, signal) => {
      looked.push(`${tool.name} ${JSON.stringify(args)}`.slice(0, 200));
      return tool.run(args, signal);
    },
  };
}

interface Thinking {
  model: Model;
  request: ModelRequest;
  tools: readonly LoopTool[];
  clock: ActPorts['clock'];
}

/** With tools while it looks; what cannot be read then is asked for once more, without them. */
async function think(thinking: Thinking): Promise<{ word: PmProposal; calls: ModelCall[] }> {
  const { model, request } = thinking;
  const { text, calls } = await runToolLoop({ ...thinking, maxBytes: PM_TOOL_BYTES });
  const json = readJson(text);
  const read = PmProposal.safeParse(json?.value);
  if (read.success) return { word: read.data, calls };
  const problem =
    json === undefined ? 'it is no JSON' : read.error.issues.slice(0, 10).map(toLine).join('; ');
  const said = text.trim() === '' ? '(nothing)' : text;
  const again = prompt`Your answer cannot be used: ${inline(problem, MAX_PROBLEM)}\nAnswer again with the corrected JSON and nothing else.`;
  const messages = [
    ...request.messages,
    { role: 'assistant' as const, text: said },
    { role: 'user' as const, content: [{ text: again }] },
  ];
  try {
    const mended = await generateObject({
      model,
      request: { ...request, messages },
      schema: PmProposal,
      name: 'proposal',
    });
    return { word: mended.value, calls: [...calls, ...mended.calls] };
  } catch (error) {
    throw error instanceof QuorumError ? withCalls(error, calls) : error;
  }
}

function toLine({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `${path.length === 0 ? 'answer' : path.join('.')}: ${message}`;
}
