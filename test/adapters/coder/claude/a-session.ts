/** The real Claude Code in its fence, its model played by a script on loopback: no key, nothing of this machine's own. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox } from '../../../../src/adapters/bubblewrap/create-sandbox.ts';
import { createClaudeCoder } from '../../../../src/adapters/coder/claude/claude.ts';
import type { ClaudeModel } from '../../../../src/adapters/coder/claude/claude-model.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import type { ScriptedAnswer, ScriptedCall } from '../../../../src/emulator/model-server/script.ts';
import { systemClock, systemRandom } from '../../../../src/adapters/system/system-clock.ts';
import { trusted, type PromptText } from '../../../../src/domain/prompt/prompt-text.ts';
import type { CoderOutcome } from '../../../../src/domain/task/coder-task.ts';
import type { Coder, CoderPlace } from '../../../../src/ports/coder.ts';
import { noBwrap } from '../../../helpers/no-bwrap.ts';
import { gitFolder } from '../../../hosts/cli/git-folder.ts';
import { aTask, type TaskGiven } from '../a-task.ts';

const CLAUDE_BIN = process.env['CLAUDE_BIN'];

/** Why the CLI cannot run here; undefined when it can. */
export const noClaude: string | undefined =
  CLAUDE_BIN !== undefined && existsSync(CLAUDE_BIN) ? noBwrap : 'CLAUDE_BIN names no program';

/** The key that only the gateway may know. */
export const REAL_KEY = ['sk', 'real', 'k7f3q9x2m5v8b1n4'].join('-');

export const MODEL = 'claude-sonnet-5-5';

export interface Session {
  folder: string;
  git: (...args: string[]) => string;
  server: ModelServer;
  coder: Coder;
  run: (more?: TaskGiven, place?: PlaceGiven, signal?: AbortSignal) => Promise<CoderOutcome>;
}

/** What answers is given as plain text. */
type PlaceGiven = Partial<Omit<CoderPlace, 'ask'>> & {
  ask?: (question: string) => Promise<string | undefined>;
};

export interface SessionOptions {
  files?: Readonly<Record<string, string>>;
  sandbox?: 'on' | 'off';
  model?: Partial<ClaudeModel>;
  memory?: (section: string) => Promise<string | undefined>;
  threads?: string;
}

/** A repository with one commit, a model server, and a coder for both. */
export async function aSession({
  files = {},
  sandbox = 'on',
  model,
  memory,
  threads,
}: SessionOptions = {}): Promise<Session> {
  const { dir: folder, git } = gitFolder({ 'a.txt': 'one\n', ...files });
  const server = await startModelServer({ clock: systemClock, apiKey: REAL_KEY });
  onTestFinished(() => server.close());
  const coder = createClaudeCoder({
    sandbox: createSandbox({ sandbox, clock: systemClock }),
    clock: systemClock,
    random: systemRandom,
    bin: CLAUDE_BIN,
    models: [
      {
        pool: 'sonnet',
        provider: 'anthropic',
        id: MODEL,
        price: { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
        baseUrl: server.url,
        apiKey: REAL_KEY,
        ...model,
      },
    ],
  });
  const gitDir = path.join(folder, '.git');
  return {
    folder,
    git,
    server,
    coder,
    run: (more, { ask: say, ...place } = {}, signal = new AbortController().signal) => {
      const answers = {
        ...(say && { ask: async (question: string) => toText(await say(question)) }),
        ...(memory && { memory: async (section: string) => toText(await memory(section)) }),
        ...(threads !== undefined && { threads: async () => trusted(threads) }),
      };
      return coder.run(aTask(more), { folder, gitDir, ...place, ...answers }, signal);
    },
  };
}

function toText(text: string | undefined): PromptText | undefined {
  return text === undefined ? undefined : trusted(text);
}

export const DONE: ScriptedAnswer = {
  toolCalls: [
    {
      name: 'StructuredOutput',
      args: { result: 'done', summary: 'Did what was asked.', decisions: ['none'] },
    },
  ],
};

export function bash(command: string): ScriptedAnswer {
  return { toolCalls: [{ name: 'Bash', args: { command, description: 'a step' } }] };
}

export function ask(question: string): ScriptedAnswer {
  const args = { question, kind: 'product', options: ['a', 'b'], tried: 'Looked at both.' };
  return { toolCalls: [{ name: 'mcp__quorum__ask_pm', args }] };
}

/** Plays steps in their order and then the result; gives what each step's tools said. */
export function playSteps(server: ModelServer, steps: readonly ScriptedAnswer[]): string[] {
  const results: string[] = [];
  server.setScript((call: ScriptedCall) => {
    results.push(...call.toolResults.map(({ text }) => text));
    return steps[call.turn] ?? DONE;
  });
  return results;
}
