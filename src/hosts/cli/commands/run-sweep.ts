/** `quorum sweep`: what in the working tree's code is worth an issue; none is opened. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { createDryRun } from '../../../act/dry-run.ts';
import type { Perform } from '../../../act/perform.ts';
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import { openPlainTree } from '../../../adapters/local/plain-tree.ts';
import {
  openLocalRepository,
  type LocalRepository,
} from '../../../adapters/local/local-repository.ts';
import type { WorkingTree } from '../../../adapters/local/working-tree.ts';
import { createSecretDetector } from '../../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../adapters/secrets/secretlint.ts';
import { ofKind, type Run } from '../../../domain/run/state/run-record.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { RunAuthority } from '../../../domain/run/run-authority.ts';
import type { Actor } from '../../../domain/run/thread-ref.ts';
import { isBelow } from '../../../domain/repository/watch-paths.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { performAtTerminal, runAtTerminal } from '../at-terminal.ts';
import { createBasics } from '../basics.ts';
import { createBoard } from '../terminal/progress-display.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { isWorthAnIssue, toWatchJson } from '../sweep/watch-json.ts';
import { renderWatch } from '../sweep/render-watch.ts';

interface Flags {
  json?: true;
  loops: readonly string[];
  path?: string;
  dir: string;
}

/** What is built. */
const LOOPS = ['code-watch'];
/** Whoever is at this machine. */
const YOU: Actor = { id: 2, login: 'you', isBot: false };
/** Whoever asks pays, and the terminal outranks the repository. */
const YOURS: RunAuthority = { kind: 'terminal', waives: ['enabled', 'role'] };

export async function sweep(flags: Flags, io: Io): Promise<ExitCode> {
  checkFlags(flags);
  const dir = path.resolve(io.cwd, flags.dir);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError('folder-missing', `${dir} is not a directory. Name one with --dir.`);
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = { ...createBasics(quiet, { to: 'err' }), env: io.env };
  const tree = await openTree(dir);
  if (tree.paths.length === 0)
    throw usageError('path-unknown', `There is no file in ${dir}. Name a repository with --dir.`);
  const asked = toPath(flags.path, { dir, cwd: io.cwd, tree });
  const run = await watch({ basics, dir, tree, asked }, flags, io);
  const seen = run.watch;
  if (seen === undefined)
    throw new RefusedError({
      code: 'not-watched',
      message: `The code was not searched: ${run.endReason ?? 'nobody said why'}.`,
    });
  if (flags.json === true) outJson(io, toWatchJson(run, seen));
  else io.out(renderWatch(run, seen, io));
  return seen.candidates.some(isWorthAnIssue) ? EXIT.failure : EXIT.ok;
}

function checkFlags({ loops }: Flags): void {
  const unknown = loops.find((name) => !LOOPS.includes(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, LOOPS);
    throw usageError(
      'loop-unknown',
      `There is no loop ${JSON.stringify(unknown)}.${meant === undefined ? '' : ` Did you mean ${meant}?`} There is: ${LOOPS.join(', ')}.`,
    );
  }
}

/** Files as they are on disk; what only git knows, from its repository. */
async function openTree(dir: string): Promise<WorkingTree> {
  const [disk, git] = [await openPlainTree(dir), await openGitTree(dir)];
  if (git === undefined) return disk;
  const { fullName, branch, headSha, user } = git;
  return {
    ...disk,
    fullName,
    branch,
    headSha,
    user,
    commits: (of, limit) => git.commits(of, limit),
    pastIssues: (limit) => git.pastIssues(limit),
  };
}

function toPath(
  wanted: string | undefined,
  { dir, cwd, tree }: { dir: string; cwd: string; tree: WorkingTree },
): string {
  if (wanted === undefined) return '';
  const asked = path.relative(dir, path.resolve(cwd, wanted)).split(path.sep).join('/');
  if (tree.paths.some((each) => isBelow(each, asked))) return asked;
  throw usageError('path-unknown', `There is no file or folder ${wanted} in ${dir}.`);
}

interface Stage {
  basics: Basics;
  dir: string;
  tree: WorkingTree;
  asked: string;
}

async function watch(stage: Stage, flags: Flags, io: Io): Promise<Run<'code_watch'>> {
  const { basics, dir, tree, asked } = stage;
  const markerSecret = randomBytes(32).toString('base64url');
  const local = await openLocalRepository({
    dir,
    tree,
    clock: basics.clock,
    issue: { number: 1, title: 'Code watch', body: '' },
    markerSecret,
    onWrite: () => undefined,
  });
  const board = createBoard({
    write: (text) => io.err(text),
    isLive: io.isTty && flags.json !== true,
    columns: io.columns,
    paint: createPaint(io),
  });
  const run = await runAtTerminal({
    basics,
    thread: local.thread,
    trigger: {
      kind: 'requested',
      thread: local.thread,
      actor: YOU,
      label: 'code-watch',
      meaning: 'code-watch',
      by: 'cli',
      authority: YOURS,
      path: asked,
    },
    config: 'local',
    perform: (store) => createWatchPerform(local, { basics, store, markerSecret }),
    onLook: (now) => board.show([{ name: '', title: 'Code watch', run: now }]),
  });
  const watched = ofKind(run, 'code_watch');
  if (watched !== undefined) return watched;
  throw new RefusedError({ code: 'not-watched', message: 'The code watch never started.' });
}

async function createWatchPerform(
  { github }: LocalRepository,
  { basics, store, markerSecret }: { basics: Basics; store: Store; markerSecret: string },
): Promise<Perform> {
  const perform = await performAtTerminal({
    basics,
    github,
    store,
    markerSecret,
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
  });
  return createDryRun(perform);
}
