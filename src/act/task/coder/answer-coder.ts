/** The PM answers a coder's question from the repository, or leaves it to a person (CB-7). */
import { pmCaps } from '../../../domain/run/caps.ts';
import type { Config } from '../../../domain/config/config.ts';
import { redactSecrets } from '../../../domain/secrets/secret-text.ts';
import type { Exchange } from '../../../domain/task/exchange.ts';
import { pmPrompt, PmWord } from '../../../domain/task/pm-question.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { BaseReader } from '../../../ports/git.ts';
import { withinBudget } from '../../model/check-caps.ts';
import { runToolLoop } from '../../model/run-tool-loop.ts';
import { PM_TOOL_BYTES, pmTools } from '../../model/pm-tools.ts';
import type { ActPorts } from '../../ports.ts';
import { readJson } from '../../model/read-json.ts';

const MAX_OUTPUT_TOKENS = 2_000;
/** The CLI waits five minutes for its hook. */
const TIMEOUT_MS = 240_000;

export interface Asking {
  plan: ThreadRef;
  run: string;
  config: Config;
  base: BaseReader;
  nonce: string;
  /** On whose money it is. */
  requester?: { id: number };
}

/** Undefined where a person has to answer: also without a model that could, or without money for one. */
export async function answerCoder(
  question: string,
  asking: Asking,
  ports: ActPorts,
): Promise<Exchange | undefined> {
  const { system, task } = pmPrompt(question, asking.nonce);
  const request = {
    model: asking.config.models.aliases.cheap ?? 'cheap',
    tier: 'cheap',
    installation: asking.plan.installationId,
    system: [{ text: system }],
    messages: [{ role: 'user' as const, content: [{ text: task }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: TIMEOUT_MS,
    // The coder waits for the answer and would not ask again.
    maxWaitMs: TIMEOUT_MS,
  };
  const tools = pmTools(asking.base, asking.nonce);
  const model = withinBudget(purseOf(asking), ports);
  try {
    const { text } = await runToolLoop({
      model,
      request,
      tools,
      clock: ports.clock,
      maxBytes: PM_TOOL_BYTES,
    });
    const word = PmWord.safeParse(readJson(text)?.value);
    if (!word.success || word.data.kind === 'escalate') return undefined;
    const { answer, source } = word.data;
    return { question, answer: redactSecrets(answer), source, isEscalated: false };
  } catch {
    // A model that cannot answer is no reason to stop: a person can.
    return undefined;
  }
}

function purseOf({
  plan,
  run,
  config,
  nonce,
  requester,
}: Asking): Parameters<typeof withinBudget>[0] {
  const account = {
    installationId: plan.installationId,
    repositoryId: plan.repositoryId,
    key: threadKey(plan),
    run,
    role: 'pm',
    persona: 'pm',
  };
  return { id: `${run}/pm-${nonce}`, account, caps: pmCaps(config, requester) };
}
