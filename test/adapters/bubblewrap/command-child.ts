/** Runs one command in the sandbox, in a process of its own that a test can kill: folder and script are its arguments. */
import { createCommands } from '../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';

const [, , folder = '', script = ''] = process.argv;
const wanted = { folder, script, readable: [], env: {}, timeoutMs: 600_000, network: false };
await createCommands({ sandbox: 'on', clock: systemClock }).run(
  wanted,
  new AbortController().signal,
);
