/** The coder that is the Claude Code CLI: sandboxed, its model behind a gateway, its questions answered or parked. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RefusedError } from '../../../domain/event/errors.ts';
import { scrubSecrets } from '../../../domain/secrets/scrub.ts';
import { endOfText } from '../../../domain/text/whole-words.ts';
import type { CoderOutcome, CoderTask } from '../../../domain/task/coder-task.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import type { Coder, CoderPlace } from '../../../ports/coder.ts';
import type { Sandbox, SandboxResult } from '../../../ports/sandbox.ts';
import { claudeArgs, claudeEnv } from './claude-args.ts';
import { classify, type End } from './classify.ts';
import { runCost, shareOut, totalUsdOf } from './gateway/cost.ts';
import { createEventReader, type Seen } from './events.ts';
import { findClaude } from './find-claude.ts';
import { startGateway } from './gateway/gateway.ts';
import { createMeter, type Meter } from './gateway/meter.ts';
import type { ClaudeModel } from './claude-model.ts';
import {
  collectTranscript,
  createSessionFolder,
  placeTranscript,
  readTranscript,
  writeTranscript,
  type SessionFolder,
} from './session-folder.ts';
import { createCoderTools, type CoderTools } from './tools.ts';

export interface ClaudeCoderOptions {
  sandbox: Sandbox;
  clock: Clock;
  random: Random;
  /** The first is the coder's own default. */
  models: readonly ClaudeModel[];
  /** The CLI's program (`CLAUDE_BIN`); looked up when absent. */
  bin?: string | undefined;
}

/** Before everything else on standard input, so that no task can begin with a command of the CLI. */
const FIRST_LINE = 'You are the coder of this repository. Your instructions follow.';

const MAX_SAID_CHARS = 1_000;
const MINUTE_MS = 60_000;

/** Claude Code in a sandbox without network; the keys of `models` stay in this process. */
export function createClaudeCoder(options: ClaudeCoderOptions): Coder {
  return {
    name: 'claude',
    isPaid: true,
    runsCommands: true,
    run: async (task, place, signal) => {
      const bin = findClaude(options.bin);
      const model = chooseModel(options.models, task.model);
      const session = createSessionFolder();
      try {
        return await runSession({ options, task, place, bin, model, session }, signal);
      } finally {
        session.remove();
      }
    },
  };
}

/** @throws RefusedError `coder-unavailable` */
function chooseModel(models: readonly ClaudeModel[], wanted: string | undefined): ClaudeModel {
  const found = wanted === undefined ? models[0] : models.find(({ pool }) => pool === wanted);
  if (found !== undefined) return found;
  const has = models.map(({ pool }) => `\`${pool}\``).join(', ');
  throw new RefusedError({
    code: 'coder-unavailable',
    message: `There is no model ${wanted ?? ''} that Claude Code can use here.`,
    details: `It takes models that speak Anthropic's Messages API; this host has ${has === '' ? 'none: set `ANTHROPIC_API_KEY`' : has}.`,
  });
}

interface Running {
  options: ClaudeCoderOptions;
  task: CoderTask;
  place: CoderPlace;
  bin: string;
  model: ClaudeModel;
  session: SessionFolder;
}

async function runSession(running: Running, signal: AbortSignal): Promise<CoderOutcome> {
  const { options, task, place, model, session } = running;
  const token = randomBytes(24).toString('base64url');
  const { limits, resume } = task;
  const before = resume === undefined ? undefined : readTranscript(resume.transcript);
  const sessionId = resume?.sessionId ?? options.random.id();
  const tools = createCoderTools({
    ask: async (question) => await place.ask?.(question),
    answer: resume?.answer,
    memory: place.memory,
    threads: place.threads,
  });
  const { clock } = options;
  const { spent: onCall, reserved: onReserved } = place;
  const meter = createMeter({ model, limits, clock, onCall, onReserved });
  const socketPath = session.socket;
  const serving = { socketPath, token, model, meter, tools, clock, stop: signal };
  const gateway = await startGateway(serving);
  try {
    const from =
      before === undefined
        ? { id: sessionId }
        : { resume: placeTranscript(session, { sessionId, lines: before.lines }) };
    const ran = await runCli(running, { token, tools, from }, signal);
    // What it left behind may still cost something.
    await gateway.close();
    const earlierUsd = before === undefined ? 0 : before.totalUsd;
    return toOutcome(running, { ran, meter, tools, sessionId, earlierUsd });
  } finally {
    await gateway.close();
  }
}

interface Ran {
  result: SandboxResult;
  seen: Seen;
  end: End;
}

async function runCli(
  { options, task, place, bin, model, session }: Running,
  {
    token,
    tools,
    from,
  }: { token: string; tools: CoderTools; from: { id: string } | { resume: string } },
  signal: AbortSignal,
): Promise<Ran> {
  const bridge = path.join(import.meta.dirname, `bridge${path.extname(import.meta.filename)}`);
  const { home, socket } = session;
  const cliEnv = claudeEnv({ home, socket, token, model, usd: task.limits.usd });
  const events = createEventReader();
  let said = '';
  const result = await options.sandbox.run(
    {
      folder: place.folder,
      writable: [session.home],
      readable: [session.socket, bin, process.execPath, bridge, ...readableIn(place)],
      argv: [
        bin,
        ...claudeArgs({
          task,
          model: model.id,
          session: from,
          tools: tools.names,
          bridge: [process.execPath, bridge, session.socket, token],
        }),
      ],
      env: { ...place.env, ...cliEnv },
      // A continued session gets no prompt: the answer comes as the result of the call that waits.
      ...('id' in from && { input: `${FIRST_LINE}\n\n${task.prompt}` }),
      timeoutMs: task.limits.minutes * MINUTE_MS,
      network: false,
      onOutput: (piece, where) => {
        if (where === 'stdout') events.push(piece);
        else said = (said + piece.toString()).slice(-2 * MAX_SAID_CHARS);
      },
    },
    signal,
  );
  const seen = events.seen();
  const { exitCode } = result;
  const ending = { ...result, seen, exitCode, said: endOfText(said, MAX_SAID_CHARS).trim() };
  return { result, seen, end: classify(ending) };
}

function toOutcome(
  { model, session }: Running,
  from: {
    ran: Ran;
    meter: Meter;
    tools: CoderTools;
    sessionId: string;
    earlierUsd: number | undefined;
  },
): CoderOutcome {
  const { ran, meter, tools, earlierUsd } = from;
  const { result, seen, end } = ran;
  const sessionId = seen.sessionId ?? from.sessionId;
  const lines = collectTranscript(session, sessionId);
  const clean = (text: string): string => scrubSecrets(text, [model.apiKey]);
  return scrubbed(
    {
      sessionId,
      turns: meter.answers(),
      durationMs: result.durationMs,
      calls: shareOut(meter.calls, runCost(seen.result, earlierUsd)),
      transcript: writeTranscript({ lines, totalUsd: totalUsdOf(seen.result) }),
      notes: tools.notes.map(clean),
      ...end,
    },
    clean,
  );
}

/** What a model said leaves this process without anything that looks like a key. */
function scrubbed(outcome: CoderOutcome, clean: (text: string) => string): CoderOutcome {
  switch (outcome.outcome) {
    case 'done':
      return {
        ...outcome,
        summary: clean(outcome.summary),
        decisions: outcome.decisions.map(clean),
      };
    case 'asked':
      return {
        ...outcome,
        question: clean(outcome.question),
        options: outcome.options.map(clean),
        tried: clean(outcome.tried),
      };
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return { ...outcome, reason: clean(outcome.reason) };
  }
}

function readableIn({ gitDir, readable = [] }: CoderPlace): string[] {
  return [...gitFolders(gitDir), ...readable];
}

/** The git data of a worktree, and what it shares with the repository that it hangs on. */
function gitFolders(gitDir: string): string[] {
  const shared = path.join(gitDir, 'commondir');
  if (!existsSync(gitDir)) return [];
  if (!existsSync(shared)) return [gitDir];
  return [path.resolve(gitDir, readFileSync(shared, 'utf8').trim()), gitDir];
}
