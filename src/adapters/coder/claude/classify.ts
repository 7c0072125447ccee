/** What came of a session, from its `result` event: neither the exit code nor `subtype` alone says it. */
import { z } from 'zod';
import { renderLimit } from '../../../domain/sandbox/run-limits.ts';
import type { CoderOutcome, CoderReport } from '../../../domain/task/coder-task.ts';
import type { SandboxResult } from '../../../ports/sandbox.ts';
import type { ResultEvent, Seen } from './events.ts';
import { Question, toolName } from './tools.ts';

/** An outcome without what every session reports. */
export type End = CoderOutcome extends infer O
  ? O extends unknown
    ? Omit<O, keyof CoderReport>
    : never
  : never;

export interface Ended {
  seen: Seen;
  end: SandboxResult['end'];
  limitBytes?: SandboxResult['limitBytes'];
  exitCode: number | undefined;
  /** The last of standard error. */
  said: string;
}

const Output = z.object({
  result: z.enum(['done', 'could-not']),
  summary: z.string(),
  decisions: z.array(z.string()),
});

const LIMITS: Readonly<Record<string, string>> = {
  error_max_turns: 'turns',
  error_max_budget_usd: 'budget',
};
const MAX_REASON_CHARS = 1_000;

export function classify({ seen, end, exitCode, said, limitBytes }: Ended): End {
  if (end === 'cancelled') return { outcome: 'cancelled', reason: 'It was stopped.' };
  if (end === 'timed-out') return { outcome: 'timed-out', reason: 'Its time was up.' };
  const limit = renderLimit(end, limitBytes);
  if (limit !== undefined) return failed(limit);
  const { result, lostServers } = seen;
  if (lostServers.length > 0)
    return failed(`The tools of the team did not start: ${lostServers.join(', ')}.`);
  if (result === undefined)
    return failed(
      `Claude Code ended without a result (${exitCode === undefined ? 'killed' : `exit code ${exitCode}`})${said === '' ? '' : `: ${said}`}`,
    );
  return classifyResult(result);
}

function classifyResult(result: ResultEvent): End {
  const { subtype } = result;
  const isParked = [result.terminal_reason, result.stop_reason].includes('tool_deferred');
  if (isParked) return asked(result);
  const told = result.errors?.[0] ?? result.result ?? subtype;
  const limit = LIMITS[subtype];
  if (limit !== undefined) return failed(`It ran out of ${limit}. ${told}`);
  // Errors of the model come as a success that is an error.
  if (result.is_error === true || subtype !== 'success') {
    const status = result.api_error_status;
    return failed(`Claude Code failed${status ? ` (the model answered ${status})` : ''}: ${told}`);
  }
  const output = Output.safeParse(result.structured_output);
  if (!output.success) return failed(`It ended without the result that was asked for: ${told}`);
  const { summary, decisions } = output.data;
  return output.data.result === 'done'
    ? { outcome: 'done', summary, decisions }
    : failed(`It could not do the task: ${summary}`);
}

function asked({ deferred_tool_use: call }: ResultEvent): End {
  const question = Question.safeParse(call?.input);
  if (call?.name !== toolName('ask_pm') || !question.success)
    return failed(`It waits for a call of ${call?.name ?? 'nothing'}, which nobody can answer.`);
  const { question: text, options = [], tried = '' } = question.data;
  return { outcome: 'asked', question: text, options, tried };
}

function failed(reason: string): End {
  return { outcome: 'failed', reason: reason.trim().slice(0, MAX_REASON_CHARS) };
}
