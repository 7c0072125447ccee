/** Who writes the code of the demonstration's plan: Claude Code with a scripted model, or the diffs that the tasks carry. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createSandbox } from '../adapters/bubblewrap/create-sandbox.ts';
import { startModelServer } from '../emulator/model-server/start-model-server.ts';
import { RefusedError } from '../domain/event/errors.ts';
import type { Env } from '../hosts/environment/env-file.ts';
import type { Basics } from '../hosts/host-parts.ts';
import { filled } from '../hosts/environment/host-settings.ts';
import { codeByScript } from './coder-script.ts';

export interface DemoCoder {
  /** `claude`: the real command line; `patch`: what the tasks carry. */
  name: 'claude' | 'patch';
  /** Which it is and why, in a sentence. */
  says: string;
  /** What the App finds in its environment. */
  env: Env;
  /** Whether what it runs is sandboxed. */
  isSandboxed: boolean;
  /** Answers that the scripted model has given so far. */
  answers(): number;
  close(): Promise<void>;
}

export interface CoderWanted {
  /** Claude Code's program; without one that is there the tasks carry their own change. */
  claudeBin?: string | undefined;
  /** Where bubblewrap is; looked up otherwise. */
  bwrap?: string | undefined;
}

/**
 * Claude Code behind bubblewrap where both are there. Without a sandbox only what the demonstration itself wrote is run: its
 * own repository's tests, on the diffs of its own plan.
 */
export async function openCoder(
  { clock, random }: Pick<Basics, 'clock' | 'random'>,
  { claudeBin, bwrap }: CoderWanted,
): Promise<DemoCoder> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-coder-'));
  const clean = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const patch = { name: 'patch', isSandboxed: true, answers: () => 0, close: clean } as const;
  const why = await missingSandboxReason(dir, { clock, bwrap });
  if (why !== undefined) {
    const says = `${why.replace(/\.?$/, '.')} The tasks carry their own diffs, and the demonstration's own tests run without a sandbox; other repositories' would be refused`;
    return { ...patch, says, isSandboxed: false, env: { ...LOCAL, QUORUM_SANDBOX: 'off' } };
  }
  const program = filled(claudeBin);
  if (program === undefined || !existsSync(program)) {
    const missing = program === undefined ? 'CLAUDE_BIN is not set' : `there is no ${program}`;
    const says = `The tasks carry their own diffs, applied behind bubblewrap: ${missing}`;
    return { ...patch, says, env: LOCAL };
  }
  // Nobody else on this machine may use up the script's answers.
  const apiKey = random.id();
  const server = await startModelServer({ clock, script: codeByScript, apiKey });
  const models = path.join(dir, 'models.yml');
  await writeFile(models, modelsFile(server.url));
  return {
    name: 'claude',
    says: 'The tasks are written by Claude Code behind bubblewrap, its model played by a script',
    isSandboxed: true,
    env: { ...LOCAL, CLAUDE_BIN: program, QUORUM_MODELS: models, [KEY]: apiKey },
    answers: () => server.calls.length,
    close: async () => {
      await server.close();
      await clean();
    },
  };
}

const LOCAL = { QUORUM_CODER: 'local' };
const KEY = 'QUORUM_DEMO_KEY';

/** No alias names it: the discussions stay with the offline rules. */
function modelsFile(baseUrl: string): string {
  const price = { input: 0, output: 0 };
  const entry = { provider: 'anthropic', model: 'claude-sonnet-5-5', baseUrl, keyEnv: KEY, price };
  return `${JSON.stringify({ scripted: entry })}\n`;
}

const TRY_MS = 20_000;

async function missingSandboxReason(
  folder: string,
  { clock, bwrap }: { clock: Basics['clock']; bwrap: string | undefined },
): Promise<string | undefined> {
  try {
    await createSandbox({ sandbox: 'on', clock, ...(bwrap !== undefined && { bwrap }) }).run(
      {
        folder,
        readable: [],
        argv: ['/bin/true'],
        env: {},
        timeoutMs: TRY_MS,
        network: false,
        onOutput: () => undefined,
      },
      new AbortController().signal,
    );
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
}
