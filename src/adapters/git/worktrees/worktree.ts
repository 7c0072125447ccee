/** A worktree that Quorum owns: others write in its folder, but all of git's data about it is Quorum's. */
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BranchFacts, ChangedFile, Patch } from '../../../domain/task/patch.ts';
import type { Worktree } from '../../../ports/git.ts';
import { createBaseReader } from '../base-reader.ts';
import { changedFiles, patchOf, toPathText } from '../compare-trees.ts';
import { installedIn, type InstalledPlace } from './installed.ts';
import { secureMirror } from '../mirror.ts';
import { refuseGit, toOutputLine } from '../remote-call.ts';
import { git, gitBytes, runGit } from '../run-git.ts';
import { envOf, takeSnapshot, type Snapshot } from './take-snapshot.ts';

export interface WorktreeParts extends InstalledPlace {
  /** The commit that it was opened at. */
  baseSha: string;
  /** Disk that its changes may use. */
  maxBytes: number;
  close(): Promise<void>;
}

export function openWorktree(parts: WorktreeParts): Worktree {
  return {
    folder: parts.place.folder,
    gitDir: parts.place.mirror,
    base: createBaseReader(parts.place.mirror, parts.baseSha),
    patch: (limits) => looking(parts, (look) => readPatch(parts, look, limits.maxBytes)),
    apply: (patch) => looking(parts, (look) => applyPatch(parts, look, patch)),
    commit: (wanted) => looking(parts, (look) => commitAll(parts, look, wanted)),
    facts: () => looking(parts, (look) => readFacts(parts, look)),
    close: () => parts.close(),
    ...installedIn(parts),
  };
}

/** What is in the folder now. */
interface Look {
  snapshot: Snapshot;
  indexFile: string;
  /** A file that is there for as long as the look lasts. */
  nextIndex: string;
}

/** Looks at the folder through a new index and cleans up behind itself. */
async function looking<T>(
  { place, maxBytes }: WorktreeParts,
  work: (look: Look) => Promise<T>,
): Promise<T> {
  await secureMirror(place.mirror);
  const scratch = await mkdtemp(join(place.admin, 'look-'));
  try {
    const indexFile = join(scratch, 'index');
    const snapshot = await takeSnapshot({ place, indexFile, maxBytes });
    return await work({ snapshot, indexFile, nextIndex: join(scratch, 'next') });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readPatch(
  { place, baseSha }: WorktreeParts,
  { snapshot }: Look,
  maxBytes: number,
): Promise<Patch> {
  const range = { mirror: place.mirror, base: baseSha, head: snapshot.tree };
  const files = [...(await changedFiles(range)), ...leftOutOf(snapshot)];
  const isWhole = !isIncomplete(snapshot);
  const text = isWhole ? await patchOf(range, maxBytes) : undefined;
  return { text: text ?? '', isTooLarge: text === undefined, files };
}

function isIncomplete({ leftOut, isFlood }: Snapshot): boolean {
  return isFlood || leftOut.length > 0;
}

/** Files that were too large to be read are listed by name and size. */
function leftOutOf({ leftOut }: Snapshot): ChangedFile[] {
  return leftOut.map(({ path, bytes }) => ({
    path: toPathText(path),
    change: 'modified',
    mode: '100644',
    added: 0,
    removed: 0,
    isBinary: true,
    bytes,
  }));
}

async function applyPatch(
  { place }: WorktreeParts,
  { snapshot, indexFile, nextIndex }: Look,
  patch: string,
): ReturnType<Worktree['apply']> {
  if (patch.trim() === '') return { outcome: 'applied' };
  if (isIncomplete(snapshot))
    return { outcome: 'refused', reason: 'The folder holds more than could be read.' };
  const { mirror } = place;
  await copyFile(indexFile, nextIndex);
  const bare = { dir: mirror, env: { GIT_DIR: mirror, GIT_INDEX_FILE: nextIndex } };
  const args = ['apply', '--cached', '--whitespace=nowarn', '-'];
  const applied = await runGit({ ...bare, args, input: patch });
  if (applied.code !== 0) return { outcome: 'refused', reason: toOutputLine(applied) };
  const tree = await git({ ...bare, args: ['write-tree'] });
  const written = await runGit({
    dir: mirror,
    env: envOf(place, indexFile),
    args: ['read-tree', '-m', '-u', snapshot.tree, tree],
  });
  if (written.code !== 0) return { outcome: 'refused', reason: toOutputLine(written) };
  return { outcome: 'applied' };
}

async function commitAll(
  { place }: WorktreeParts,
  { snapshot, indexFile }: Look,
  wanted: Parameters<Worktree['commit']>[0],
): Promise<string> {
  if (isIncomplete(snapshot))
    throw refuseGit('the folder holds files that are larger, or more, than can be committed');
  const call = { dir: place.mirror, env: envOf(place, indexFile) };
  const [head = '', tree = ''] = (
    await git({ ...call, args: ['rev-parse', 'HEAD', 'HEAD^{tree}'] })
  ).split('\n');
  if (tree === snapshot.tree) return head;
  const sha = await git({
    dir: place.mirror,
    env: { ...call.env, ...identity(wanted) },
    args: ['commit-tree', snapshot.tree, '-p', head],
    input: `${wanted.message.trimEnd()}\n`,
  });
  await git({ ...call, args: ['update-ref', 'HEAD', sha, head] });
  // So that `git status` in the folder says the truth.
  await rename(indexFile, join(place.admin, 'index'));
  return sha;
}

function identity({ author, at }: Parameters<Worktree['commit']>[0]): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: date,
  };
}

/** No task needs more; of a longer branch only these are listed. */
const MAX_COMMITS = 1000;

async function readFacts(
  { place, baseSha }: WorktreeParts,
  { snapshot, indexFile }: Look,
): Promise<BranchFacts> {
  const call = { dir: place.mirror, env: envOf(place, indexFile) };
  const named = await runGit({ ...call, args: ['symbolic-ref', '--quiet', 'HEAD'] });
  const headSha = await git({ ...call, args: ['rev-parse', '--verify', 'HEAD^{commit}'] });
  const descends = ['merge-base', '--is-ancestor', baseSha, headSha];
  return {
    branch: named.stdout
      .toString()
      .trim()
      .replace(/^refs\/heads\//, ''),
    headSha,
    baseSha,
    isDescended: (await runGit({ ...call, args: descends })).code === 0,
    commits: await readCommits(place.mirror, `${baseSha}..${headSha}`),
    files: await changedFiles({ mirror: place.mirror, base: baseSha, head: headSha }),
    isDirty:
      isIncomplete(snapshot) ||
      snapshot.tree !== (await git({ ...call, args: ['rev-parse', `${headSha}^{tree}`] })),
  };
}

const FIELDS = ['%H', '%P', '%an', '%ae', '%B'];

async function readCommits(mirror: string, range: string): Promise<BranchFacts['commits']> {
  const args = [
    'log',
    '-z',
    '--topo-order',
    '--no-mailmap',
    '--no-color',
    `--max-count=${MAX_COMMITS}`,
    `--format=tformat:${FIELDS.join('%x00')}`,
    '--end-of-options',
    range,
  ];
  const listed = await gitBytes({ dir: mirror, args, env: { GIT_DIR: mirror } });
  const parts = listed.toString().split('\0');
  const count = Math.floor(parts.length / FIELDS.length);
  return Array.from({ length: count }, (_, index) => {
    const [sha = '', parents = '', authorName = '', authorEmail = '', message = ''] = parts.slice(
      index * FIELDS.length,
    );
    return { sha, parents: parents.split(' ').filter(Boolean), authorName, authorEmail, message };
  });
}
