/** A process in a sandbox, from its start until nothing of it is left. */
import { statSync } from 'node:fs';
import { RefusedError } from '../../domain/event/errors.ts';
import type { OwnPath } from '../../domain/sandbox/shown-paths.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Sandbox, SandboxResult, SandboxRequest } from '../../ports/sandbox.ts';
import { openEgress, type Egress, type EgressOptions } from './egress/open-egress.ts';
import { handOver } from './view/hand-over.ts';
import { findBwrap, launchBare, launchSandboxed, noSandbox, type Launched } from './launch.ts';
import { MAX_DISK_BYTES, MAX_GROUP_BYTES } from './watch/process-limits.ts';
import type { Outside } from './view/outside.ts';
import { sandboxUser } from './sandbox-user.ts';
import { checkShown } from './view/check-shown.ts';
import { folderToolchain, nodeToolchain, type Toolchain } from './view/toolchain.ts';
import { sleepUntil, watchLimits, type Stop, type Watching } from './watch/watch-limits.ts';

export interface SandboxOptions {
  /** `off`: the owner's word that none is needed; the environment is clean all the same. */
  sandbox: 'on' | 'off';
  clock: Clock;
  /** Folders outside the system's with programs that are wanted inside; by default the running Node, without its folder. */
  toolchains?: readonly string[];
  /** What no sandbox may show: the data directory and credentials. */
  own?: readonly OwnPath[];
  /** Where bwrap is; looked up otherwise. */
  bwrap?: string;
  /** For those that get the network. */
  outside?: Outside;
  /** Which hosts those may connect to; none by default. */
  egress?: EgressOptions;
  /** Memory of all its processes together: kept by the kernel where it can, else by a watch. */
  maxBytes?: number;
  /** `off`: memory is watched, and left to the watch alone. */
  memoryGroup?: 'on' | 'off';
  /** That it may add to the folders that it may write to. */
  maxDiskBytes?: number;
}

/** Between SIGTERM and SIGKILL, in ms: a cancelled coder is gone within 5 s. */
const GRACE_MS = 2_000;
const GONE_MS = 5;
const MAX_ERROR_CHARS = 2_000;

/** A sandbox of bubblewrap on Linux; with `off` a clean environment and nothing else. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { sandbox, clock } = options;
  return {
    sandbox,
    run: async (asked, signal) => {
      checkFolder(asked.folder);
      if (signal.aborted) return { exitCode: undefined, end: 'cancelled', durationMs: 0 };
      const isOpen = sandbox === 'on' && asked.network;
      const egress = isOpen ? await openEgress(options.egress) : undefined;
      const wanted = asked.network ? withOutside(asked, options.outside, egress) : asked;
      const toolchain = toolchainOf(options);
      try {
        if (sandbox === 'on')
          checkShown({ paths: shownIn(wanted, toolchain), own: options.own ?? [] });
        const takeBack = sandbox === 'on' ? await lend(wanted, toolchain) : undefined;
        try {
          const watching = { wanted, clock, signal, ...limitsOf(options) };
          const result = await follow(launch(wanted, { options, toolchain, egress }), watching);
          return { ...result, refusedHosts: egress?.refused() ?? [] };
        } finally {
          await takeBack?.();
        }
      } finally {
        await egress?.close();
      }
    },
  };
}

/** @throws RefusedError `no-folder` */
function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new RefusedError({
    code: 'no-folder',
    message: `There is no folder ${folder} to run anything in.`,
  });
}

function toolchainOf({ toolchains }: SandboxOptions): Toolchain {
  return toolchains === undefined ? nodeToolchain() : folderToolchain(toolchains);
}

function shownIn(
  { folder, writable = [], readable }: SandboxRequest,
  { shown }: Toolchain,
): string[] {
  return [folder, ...writable, ...readable, ...shown];
}

function launch(
  wanted: SandboxRequest,
  {
    options,
    toolchain,
    egress,
  }: { options: SandboxOptions; toolchain: Toolchain; egress: Egress | undefined },
): Launched {
  const { maxBytes } = limitsOf(options);
  const bytes = options.memoryGroup === 'off' ? Number.MAX_SAFE_INTEGER : maxBytes;
  if (options.sandbox === 'off') return launchBare(wanted, toolchain);
  const placed = egress?.placed ?? [];
  return launchSandboxed(findBwrap(options.bwrap), wanted, { toolchain, bytes, placed });
}

function limitsOf(options: SandboxOptions): Pick<Watching, 'maxBytes' | 'maxDiskBytes'> {
  const { maxBytes = MAX_GROUP_BYTES, maxDiskBytes = MAX_DISK_BYTES } = options;
  return { maxBytes, maxDiskBytes };
}

/** Its own words win over this machine's. Without a sandbox, programs use the machine's own proxy. */
function withOutside(
  wanted: SandboxRequest,
  outside: Outside = { env: {}, files: [], proxies: {} },
  egress: Egress | undefined,
): SandboxRequest {
  const { env, files, proxies } = outside;
  return {
    ...wanted,
    env: { ...env, ...(egress?.env ?? proxies), ...wanted.env },
    readable: [...wanted.readable, ...files, ...(egress?.readable ?? [])],
    argv: egress?.wrap(wanted.argv) ?? wanted.argv,
  };
}

async function follow(launched: Launched, watching: Watching): Promise<SandboxResult> {
  try {
    return await watch(launched, watching);
  } finally {
    launched.clean();
  }
}

/** What it may write becomes the sandbox user's where the App is root; the answer takes it back. */
async function lend(wanted: SandboxRequest, { shown }: Toolchain): Promise<() => Promise<void>> {
  const user = sandboxUser();
  if (user === undefined) return () => Promise.resolve();
  return handOver({ ...wanted, readable: [...wanted.readable, ...shown] }, user).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw noSandbox(`the App is root and cannot hand its folder to user ${user.uid} (${why}).`);
    },
  );
}

async function watch(launched: Launched, watching: Watching): Promise<SandboxResult> {
  const { wanted, clock, signal } = watching;
  const started = clock.now();
  const over = new AbortController();
  const said = readOutput(launched, wanted);
  let end: SandboxResult['end'] = 'exited';
  const stop: Stop = (why) => {
    if (end !== 'exited') return;
    end = why;
    const isPatient = why === 'timed-out' || why === 'cancelled';
    void stopIt(launched, clock, { signal: over.signal, isPatient });
  };
  const onAbort = (): void => stop('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  watchLimits(launched, { ...watching, signal: over.signal }, stop);
  try {
    const exitCode = await exitOf(launched);
    await untilGone(launched, clock);
    if (end === 'exited' && exitCode !== 0) end = launched.enforcedBound() ?? end;
    if (end === 'exited' && !launched.isReported())
      throw noSandbox(
        `${said().trim() || `bwrap ended with ${exitCode ?? 'a signal'}`}${asWhom()}`,
      );
    return {
      exitCode: end === 'exited' ? exitCode : undefined,
      end,
      durationMs: clock.now() - started,
      ...limitOf(end, watching),
    };
  } finally {
    over.abort();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Root may make namespaces where the user that it becomes may not. */
function asWhom(): string {
  const user = sandboxUser();
  return user === undefined ? '' : ` (as user ${user.uid}, to whom the App gives up root)`;
}

/** Passes output on, writes the input; what bwrap itself complains of is in the beginning of standard error. */
function readOutput({ child }: Launched, wanted: SandboxRequest): () => string {
  let errors = '';
  child.stdout?.on('data', (piece: Buffer) => wanted.onOutput(piece, 'stdout'));
  child.stderr?.on('data', (piece: Buffer) => {
    if (errors.length < MAX_ERROR_CHARS) errors += piece.toString();
    wanted.onOutput(piece, 'stderr');
  });
  // It may end without having read everything.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(wanted.input ?? '');
  return () => errors.slice(0, MAX_ERROR_CHARS);
}

function exitOf({ child }: Launched): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(noSandbox(error.message)));
    child.on('close', (code) => resolve(code ?? undefined));
  });
}

async function stopIt(
  launched: Launched,
  clock: Clock,
  { signal, isPatient }: { signal: AbortSignal; isPatient: boolean },
): Promise<void> {
  if (isPatient) {
    launched.terminate();
    if (await sleepUntil(clock, GRACE_MS, signal)) return;
  }
  launched.kill();
}

function limitOf(
  end: SandboxResult['end'],
  { maxBytes, maxDiskBytes }: Watching,
): Pick<SandboxResult, 'limitBytes'> {
  if (end === 'memory-limit') return { limitBytes: maxBytes };
  return end === 'disk-limit' ? { limitBytes: maxDiskBytes } : {};
}

/** What was left behind dies a moment later. Without a sandbox a dead child may stay uncollected: that is not waited for. */
async function untilGone(launched: Launched, clock: Clock): Promise<void> {
  for (let waited = 0; launched.isLeft() && waited < GRACE_MS; waited += GONE_MS) {
    launched.kill();
    await clock.sleep(GONE_MS);
  }
}
