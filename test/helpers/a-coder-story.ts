/** Plans whose tasks carry no change: the real Claude Code writes it, in its fence, its model played by a script. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  startModelServer,
  type ModelServer,
} from '../../src/emulator/model-server/start-model-server.ts';
import type { ScriptedAnswer, ScriptedCall } from '../../src/emulator/model-server/script.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { aPlanWorld, testOf, type PlanWorld } from './a-plan-story.ts';
import { aProjectWorld } from './a-real-project.ts';
import { branchesOf } from './what-is-left.ts';
import type { Changes } from './commits.ts';

/** One call of a tool, once it is known in which folder the CLI works. */
export type Move = (folder: string) => ScriptedAnswer;

export interface CoderWorld extends PlanWorld {
  server: ModelServer;
  /** What the coder's tools said, in their order. */
  heard: string[];
  /** Every session of the coder does this, then says that it is done. Other callers get `pm`'s answer. */
  plays(moves: readonly Move[], pm?: (call: ScriptedCall) => ScriptedAnswer): void;
  branches(): Promise<string[]>;
}

export interface CoderStory {
  settings?: string;
  /** A project of its own instead of the small one in Node. */
  project?: Changes;
  /** The model behind the alias `cheap`, which the PM's answers come from. */
  pm?: 'sonnet' | 'offline';
  /** Of the small one's world. */
  clock?: Clock;
  /** What the host's environment says besides. */
  env?: Record<string, string>;
}

/** Without a price of the provider's list in play: the aliases of everybody but the coder are offline. */
export async function aCoderWorld({
  settings = 'merge:\n  mode: auto\n',
  pm = 'offline',
  project,
  clock = systemClock,
  env: hostSays = {},
}: CoderStory = {}): Promise<CoderWorld> {
  const apiKey = ['sk', 'ant', 'played', 'k7f3q9x2m5v8b1n4'].join('-');
  const server = await startModelServer({ clock: systemClock, apiKey });
  onTestFinished(() => server.close());
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quorum-models-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const models = path.join(folder, 'models.yml');
  writeFileSync(models, `cheap: ${pm}\nstandard: offline\nstrong: offline\n`);
  const env = {
    ...hostSays,
    CLAUDE_BIN: process.env['CLAUDE_BIN'],
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: server.url,
    QUORUM_MODELS: models,
  };
  const world =
    project === undefined
      ? await aPlanWorld(settings, { env, clock })
      : await aProjectWorld(project, env);
  const heard: string[] = [];
  return Object.assign(world, {
    server,
    heard,
    plays: (
      moves: readonly Move[],
      answer: (call: ScriptedCall) => ScriptedAnswer = () => DONE,
    ) => {
      playMoves(server, { moves, heard, answer });
    },
    branches: () => branchesOf(world),
  });
}

interface Moves {
  moves: readonly Move[];
  heard: string[];
  answer: (call: ScriptedCall) => ScriptedAnswer;
}

/** Every session of the coder makes these moves; other callers get the answer. */
export function playMoves(
  server: Pick<ModelServer, 'setScript'>,
  { moves, heard, answer }: Moves,
): void {
  let at = '';
  server.setScript((call) => {
    if (!call.toolNames.includes('Bash')) return answer(call);
    const said = call.toolResults.map(({ text }) => text);
    if (call.turn === 0) return bash('pwd')('');
    if (call.turn === 1) at = said.join('').trim();
    else heard.push(...said);
    return moves[call.turn - 1]?.(at) ?? DONE;
  });
}

export const DONE: ScriptedAnswer = {
  toolCalls: [
    {
      name: 'StructuredOutput',
      args: { result: 'done', summary: 'Says it, with a test.', decisions: ['none'] },
    },
  ],
};

export function write(file: string, content: string): Move {
  return (folder) => ({
    toolCalls: [{ name: 'Write', args: { file_path: path.join(folder, file), content } }],
  });
}

export function bash(command: string): Move {
  return () => ({ toolCalls: [{ name: 'Bash', args: { command, description: 'a step' } }] });
}

export function ask(question: string, options: string[] = []): Move {
  const args = { question, kind: 'product', options, tried: 'Read the task.' };
  return () => ({ toolCalls: [{ name: 'mcp__quorum__ask_pm', args }] });
}

/** Both files of a function that says a word; `says` is what it really says. */
export function sayIt(name: string, says = name): Move[] {
  const code = `export function ${name}(name) {\n  return \`${says}, \${name}\`;\n}\n`;
  return [write(`src/${name}.js`, code), write(`test/${name}.test.js`, testOf(name, name))];
}

/** A task that says what to do and leaves it to the coder. */
export function wordTask(number: number, name: string): NewTask {
  return {
    number,
    title: `A function that says ${name}`,
    dependencies: [],
    estimate: '2-5 min',
    files: [
      { path: `src/${name}.js`, note: 'the function' },
      { path: `test/${name}.test.js`, note: 'its test' },
    ],
    description: `Add \`${name}(name)\`, which says the word and the name.`,
  };
}
