/** A scripted answer made complete: ids, usage and the words of each protocol. */
import type { PromptCount } from './prompt-cache.ts';
import { countTokens } from './prompt-cache.ts';
import type { ScriptedAnswer, ScriptedCall, ScriptedUsage } from './script.ts';

export interface Reply {
  id: string;
  model: string;
  text: string;
  thinking: string;
  toolCalls: { id: string; name: string; json: string }[];
  finish: 'stop' | 'length' | 'refusal' | 'tool-calls';
  usage: ScriptedUsage | undefined;
}

/** An event of a stream; `name` only where the protocol names events. */
export interface StreamEvent {
  name?: string;
  data: unknown;
}

export function toReply(call: ScriptedCall, answer: ScriptedAnswer, count: PromptCount): Reply {
  const text = answer.json === undefined ? (answer.text ?? '') : JSON.stringify(answer.json);
  const toolCalls = (answer.toolCalls ?? []).map((tool, i) => ({
    id: tool.id ?? `tool_${call.n}_${i}`,
    name: tool.name,
    json: answer.rawArgs ?? JSON.stringify(tool.args ?? {}),
  }));
  const output = countTokens(
    text + (answer.thinking ?? '') + toolCalls.map((t) => t.json).join(''),
  );
  const { input, cacheRead, cacheWrite } = count;
  return {
    id: `answer_${call.n}`,
    model: call.model,
    text,
    thinking: answer.thinking ?? '',
    toolCalls,
    finish: answer.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage:
      answer.noUsage === true
        ? undefined
        : { input, cacheRead, cacheWrite, output: Math.max(1, output), ...answer.usage },
  };
}

/** Cuts a text into pieces as a stream would bring it. */
export function toPieces(text: string, size = 24): string[] {
  const pieces: string[] = [];
  for (let i = 0; i < text.length; i += size) pieces.push(text.slice(i, i + size));
  return pieces;
}
