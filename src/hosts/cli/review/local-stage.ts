/** A working tree or a diff as something to review; what cannot be read is said with its line. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { TextLimits } from '../../../act/read/pull/pull-texts.ts';
import { openLocalChanges, type LocalChanges } from '../../../adapters/local/local-changes.ts';
import { openLocalPulls } from '../../../adapters/local/local-pulls.ts';
import type { Diff } from '../../../domain/diff/diff.ts';
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import { RefusedError, type ConfigError } from '../../../domain/event/errors.ts';
import type { Actor, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubPulls } from '../../../ports/github/pulls.ts';
import type { Basics } from '../../host-parts.ts';
import { usageError } from '../report-failure.ts';
import type { Io } from '../terminal/io.ts';
import type { Source } from './source.ts';

export interface ReviewStage {
  github: GitHubPulls;
  thread: ThreadRef;
  /** What is reviewed, in a few words for people. */
  what: string;
  /** Whether there is nothing to review, where that is known beforehand. */
  isEmpty: boolean;
}

export interface LocalStageOptions {
  io: Io;
  dir: string;
  basics: Basics;
  markerSecret: string;
}

/** Some 150,000 lines: a larger change is beyond every reader, and each of its lines is held several times. */
export const LOCAL_LIMITS = { fileBytes: 1_000_000, totalBytes: 8_000_000 };

/** On disk reading is cheap. */
export const LOCAL_TEXTS: TextLimits = { files: 3_000, bytes: 400_000, total: 8_000_000 };
/** The user of this machine. */
export const YOU: Actor = { id: 2, login: 'you', isBot: false };

type LocalSource = Exclude<Source, { kind: 'pull' }>;

export interface LocalStage extends ReviewStage {
  /** The commit that the settings come from; HEAD when absent. */
  baseSha: string | undefined;
}

/** Opens it. ConfigError `folder-missing`, `diff-missing`, `diff-malformed`, `no-repository`, `no-ref`. */
export async function openLocalStage(
  source: LocalSource,
  options: LocalStageOptions,
): Promise<LocalStage> {
  const { basics, markerSecret, dir } = options;
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError('folder-missing', `${dir} is not a directory. Name one with --dir.`);
  const changes = await readChanges(source, options).catch(asUsage);
  if (source.kind === 'diff') refuseMalformed(parseDiff(changes.diff), changes);
  const { github, thread } = await openLocalPulls({
    dir,
    changes,
    clock: basics.clock,
    markerSecret,
  });
  const isEmpty = changes.files.length === 0;
  return { github, thread, what: nameOf(source, changes), isEmpty, baseSha: changes.baseSha };
}

function readChanges(source: LocalSource, { io, dir }: LocalStageOptions): Promise<LocalChanges> {
  const limits = LOCAL_LIMITS;
  if (source.kind === 'tree')
    return openLocalChanges({
      dir,
      limits,
      ...(source.base === undefined ? {} : { base: source.base }),
    });
  return openLocalChanges({ dir, limits, diffText: openDiff(source.file, io) });
}

/** In pieces: a diff may be larger than memory. */
async function* openDiff(file: string, io: Io): AsyncIterable<Uint8Array | string> {
  if (file !== '-') {
    const full = path.resolve(io.cwd, file);
    if (statSync(full, { throwIfNoEntry: false })?.isFile() !== true)
      throw usageError('diff-missing', `${file} cannot be read. Name a file with a diff, or -.`);
    yield* createReadStream(full);
  } else if (io.streamStdin === undefined) yield await io.readStdin();
  else yield* io.streamStdin();
}

/** What the command line asks for is not there: the exit code says so. */
export function asUsage(error: unknown): never {
  if (error instanceof RefusedError && USAGE.has(error.code)) throw toUsage(error);
  throw error;
}

const USAGE = new Set<ErrorCode>(['no-repository', 'no-ref']);

function toUsage({ code, message, details }: RefusedError): ConfigError {
  return usageError(code, details === undefined ? message : `${message} ${details}`);
}

const MAX_TOLD = 5;

/** Half a diff would be half a review that looks like a whole one. */
function refuseMalformed({ problems }: Diff, { leftOut }: LocalChanges): void {
  const fatal = problems.filter(({ code }) => code !== 'too-many-files');
  if (fatal.length === 0) return;
  const shift = leftOut.length === 0 ? '' : ` (not counting ${leftOut.length} that are too large)`;
  const lines = fatal
    .slice(0, MAX_TOLD)
    .map(({ line, code, message }) => `line ${line}${shift}: ${message} (${code})`);
  const more = fatal.length > MAX_TOLD ? `; and ${fatal.length - MAX_TOLD} more` : '';
  throw usageError('diff-malformed', `The diff cannot be read. ${lines.join('; ')}${more}.`);
}

function nameOf(source: LocalSource, { baseSha }: LocalChanges): string {
  if (source.kind === 'diff') return 'the diff';
  const since = source.base ?? baseSha?.slice(0, 8);
  return since === undefined ? 'the working tree' : `the working tree since ${since}`;
}
