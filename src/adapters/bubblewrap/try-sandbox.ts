/** Whether this machine lets a sandbox be made: one is made, and nothing but `true` is run in it. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import { createSandbox } from './create-sandbox.ts';
import { describeSandbox } from './describe-sandbox.ts';
import { findBwrap, noSandbox } from './launch.ts';

const TIMEOUT_MS = 10_000;

/**
 * One line about the sandbox that was made.
 *
 * @throws RefusedError `no-sandbox`, with what the kernel or bwrap said
 */
export async function trySandbox(clock: Clock, bwrap?: string): Promise<string> {
  const program = findBwrap(bwrap);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quorum-try-'));
  try {
    const { exitCode, end } = await createSandbox({ sandbox: 'on', clock, bwrap: program }).run(
      {
        folder,
        readable: [],
        argv: ['true'],
        env: {},
        timeoutMs: TIMEOUT_MS,
        network: false,
        onOutput: () => undefined,
      },
      new AbortController().signal,
    );
    if (exitCode !== 0) throw noSandbox(`a first program in it did not run (${exitCode ?? end}).`);
    return describeSandbox(program);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
