/** Runs a repository's own commands in a sandbox. */
import { mkdirSync } from 'node:fs';
import type { CommandResult, Commands, CommandWanted } from '../../ports/commands.ts';
import { renderLimit } from '../../domain/sandbox/run-limits.ts';
import { renderRefused } from '../../domain/sandbox/sandbox-hosts.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { createSandbox, type SandboxOptions } from './create-sandbox.ts';
import { createKeptOutput } from './kept-output.ts';

/** Kept of what a command prints, half from its beginning and half from its end. */
const MAX_OUTPUT_BYTES = 400_000;

/** Commands behind bubblewrap, or with a clean environment only where the owner said so. */
export function createCommands(options: SandboxOptions): Commands {
  const sandbox = createSandbox(options);
  return { run: (wanted, signal) => runCommand(sandbox, wanted, signal) };
}

async function runCommand(
  sandbox: Sandbox,
  wanted: CommandWanted,
  signal: AbortSignal,
): Promise<CommandResult> {
  const kept = createKeptOutput(MAX_OUTPUT_BYTES);
  const { folder, readable, writable = [], script, env, timeoutMs, network } = wanted;
  for (const each of [...readable, ...writable]) mkdirSync(each, { recursive: true });
  const {
    exitCode,
    end,
    durationMs,
    refusedHosts = [],
    limitBytes,
  } = await sandbox.run(
    {
      folder,
      readable,
      writable,
      timeoutMs,
      network,
      // One stream for both, so that they stay in the order in which they were written.
      argv: ['/bin/sh', '-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', script],
      env: { CI: 'true', ...env },
      onOutput: kept.add,
    },
    signal,
  );
  signal.throwIfAborted();
  const limit = renderLimit(end, limitBytes);
  if (limit !== undefined) kept.add(Buffer.from(`\nThe command was stopped. ${limit}\n`));
  if (refusedHosts.length > 0) kept.add(Buffer.from(`\n${renderRefused(refusedHosts)}\n`));
  return { exitCode, isTimedOut: end === 'timed-out', durationMs, output: kept.text() };
}
