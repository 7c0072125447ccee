/** `quorum sweep`: what in the working tree's code is worth an issue; none is opened. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { openGitTree } from '../../../adapters/local/git-tree.ts';
import { openPlainTree } from '../../../adapters/local/plain-tree.ts';
import type { WorkingTree } from '../../../adapters/local/working-tree.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { isBelow } from '../../../domain/repository/watch-paths.ts';
import { watchTree } from '../../sweep/watch-tree.ts';
import { createBasics } from '../basics.ts';
import { createBoard } from '../terminal/progress-display.ts';
import { checkFileOnDisk } from '../check-file-on-disk.ts';
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

export async function sweep(flags: Flags, io: Io): Promise<ExitCode> {
  checkFlags(flags);
  const dir = path.resolve(io.cwd, flags.dir);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usageError('folder-missing', `${dir} is not a directory. Name one with --dir.`);
  await checkFileOnDisk(dir, { io });
  const quiet = { ...io, env: { ...io.env, LOG_LEVEL: io.env['LOG_LEVEL'] ?? 'error' } };
  const basics = { ...createBasics(quiet, { to: 'err' }), env: io.env };
  const tree = await openTree(dir);
  if (tree.paths.length === 0)
    throw usageError('path-unknown', `There is no file in ${dir}. Name a repository with --dir.`);
  const asked = toPath(flags.path, { dir, cwd: io.cwd, tree });
  const board = createBoard({
    write: (text) => io.err(text),
    isLive: io.isTty && flags.json !== true,
    columns: io.columns,
    paint: createPaint(io),
  });
  const { run, seen } = await watchTree({
    basics,
    dir,
    tree,
    path: asked,
    onLook: (now) => board.show([{ name: '', title: 'Code watch', run: now }]),
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
