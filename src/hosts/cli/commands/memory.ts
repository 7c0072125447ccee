/** `quorum memory`: what the team remembers of a repository, read from a clone, and one entry forgotten there. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseMemory } from '../../../act/memory/read-memory.ts';
import {
  checkedOutIn,
  commitMemory,
  findClone,
  listBlobs,
  readMemoryClone,
  readFilesAt,
  type MemoryClone,
} from '../../../adapters/local/memory/memory-clone.ts';
import { systemClock } from '../../../adapters/system/system-clock.ts';
import { resolveConfig } from '../../../domain/config/config-file.ts';
import {
  applyChange,
  PERSONAS_FOLDER,
  USES_FILE,
} from '../../../domain/memory/file/apply-change.ts';
import {
  describeEntries,
  newestFirst,
  pathsToRead,
  renderExport,
  renderListedRef,
  searchEntries,
  type CodeNow,
  type ListedEntry,
} from '../../../domain/memory/recall/listed-entry.ts';
import type { MemoryEntry, MemorySource } from '../../../domain/memory/memory-entry.ts';
import type { MemoryUses } from '../../../domain/memory/file/memory-use.ts';
import { counted } from '../../../domain/text/counted.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import { refuseBrokenConfig } from '../refuse-broken-config.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { renderTable } from '../terminal/table.ts';
import { printable } from '../terminal/terminal-text.ts';
import { findConfig } from './config-command.ts';
import type { MemoryFlags } from './memory-command.ts';

interface Opened {
  root: string;
  branch: string;
  clone: MemoryClone;
  entries: readonly MemoryEntry[];
  uses: MemoryUses;
  /** `memory.expireDays`. */
  days: number | undefined;
}

/** ConfigError `folder-missing`, `clone-missing` or `memory-missing`. */
async function open({ repo }: MemoryFlags, io: Io): Promise<Opened> {
  const dir = path.resolve(io.cwd, repo);
  if (!existsSync(dir))
    throw usageError('folder-missing', `There is no folder ${dir}. Name a clone with --repo.`);
  const root = await findClone(dir);
  if (root === undefined)
    throw usageError(
      'clone-missing',
      `${dir} is not in a git repository. Run this in a clone, or name one with --repo.`,
    );
  const source = await findConfig(root);
  const { config, problems } = resolveConfig(source === undefined ? [] : [source]);
  refuseBrokenConfig(problems, 'local');
  const { branch, expireDays } = config.memory;
  const clone = await readMemoryClone(root, branch, [PERSONAS_FOLDER, USES_FILE]);
  if (clone === undefined)
    throw usageError(
      'memory-missing',
      `This clone has no branch ${branch}. Run git fetch origin ${branch}:refs/remotes/origin/${branch}. If GitHub has none either, the team remembers nothing yet.`,
    );
  warn({ branch, clone }, io);
  return { root, branch, clone, days: expireDays, ...parseMemory(clone.files, today()) };
}

function warn({ branch, clone }: Pick<Opened, 'branch' | 'clone'>, io: Io): void {
  for (const file of clone.unread)
    io.err(printable(`note ${file} is not read: it is over 1 MB, or not text in UTF-8\n`));
  if (clone.hasDiverged)
    io.err(`note ${branch} and origin/${branch} differ; ${branch} is read. Merge them.\n`);
}

function today(): string {
  return new Date(systemClock.now()).toISOString().slice(0, 10);
}

async function describe(
  { root, clone, uses, days }: Opened,
  entries: readonly MemoryEntry[],
): Promise<ListedEntry[]> {
  const code = await readCode(root, clone.codeSha, entries);
  return describeEntries({ entries, uses, today: today(), days, code });
}

async function readCode(
  root: string,
  sha: string | undefined,
  entries: readonly MemoryEntry[],
): Promise<CodeNow | undefined> {
  if (sha === undefined) return undefined;
  const tree = await listBlobs(root, sha);
  const texts = await readFilesAt(root, sha, pathsToRead(entries, tree));
  const files = texts.map(({ path: file, text }) => {
    return [file, { text, blobSha: tree.get(file) ?? '' }] as const;
  });
  return { tree, files: new Map(files) };
}

export async function listMemory(flags: MemoryFlags, io: Io): Promise<ExitCode> {
  const opened = await open(flags, io);
  const listed = await describe(opened, newestFirst(opened.entries));
  if (flags.json === true) outJson(io, listed);
  else {
    io.out(renderList(listed, io));
    io.out(`${countEntries(listed.length)} on ${opened.clone.readFrom}\n`);
  }
  return EXIT.ok;
}

export async function searchMemory(
  { text, ...flags }: MemoryFlags & { text: string },
  io: Io,
): Promise<ExitCode> {
  const opened = await open(flags, io);
  const listed = await describe(opened, searchEntries(opened.entries, text));
  if (flags.json === true) outJson(io, listed);
  else if (listed.length > 0) io.out(renderList(listed, io));
  else io.out(printable(`No entry is about ${text}. quorum memory list shows all of them.\n`));
  return EXIT.ok;
}

export async function showMemory(
  { id, ...flags }: MemoryFlags & { id: string },
  io: Io,
): Promise<ExitCode> {
  const opened = await open(flags, io);
  const entry = find(opened.entries, id);
  const [listed] = await describe(opened, [entry]);
  if (listed === undefined) return EXIT.failure;
  if (flags.json === true) outJson(io, listed);
  else io.out(renderEntry(listed, io));
  return EXIT.ok;
}

export async function exportMemory(flags: MemoryFlags, io: Io): Promise<ExitCode> {
  const opened = await open(flags, io);
  const listed = await describe(opened, newestFirst(opened.entries).toReversed());
  if (flags.json === true) outJson(io, listed);
  else io.out(printable(renderExport(listed)));
  return EXIT.ok;
}

/** ConfigError `memory-unknown` or `memory-checked-out`; RefusedError `git-failed`. */
export async function forgetMemory(
  { id, ...flags }: MemoryFlags & { id: string },
  io: Io,
): Promise<ExitCode> {
  const { root, branch, clone, entries } = await open(flags, io);
  const entry = find(entries, id);
  const folder = await checkedOutIn(root, branch);
  if (folder !== undefined)
    throw usageError(
      'memory-checked-out',
      `${branch} is checked out in ${folder}. Remove the entry's line there, or check out another branch first.`,
    );
  const at = new Date(systemClock.now()).toISOString();
  const target = { kind: 'entry', id: entry.id } as const;
  const { files, removed } = applyChange(clone.files, { kind: 'forget', target }, at);
  const message = `Forget ${entry.id}`;
  const commit = await commitMemory(root, { branch, head: clone.head, message, files });
  const push = `git push origin ${branch}`;
  if (flags.json === true) outJson(io, { ok: true, branch, commit, removed, push });
  else
    io.out(
      printable(
        `Forgot ${entry.id}: ${entry.text}\nThe commit ${commit.slice(0, 10)} is on ${branch} in this clone only. The team stops using the entry after:\n  ${push}\n`,
      ),
    );
  return EXIT.ok;
}

/** Prompts and notes show ids as `m:ID`, so that form is accepted too. */
function find(entries: readonly MemoryEntry[], shown: string): MemoryEntry {
  const id = shown.replace(/^m:/i, '');
  const found = entries.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  const hint = nearest(
    id,
    entries.map((entry) => entry.id),
  );
  const next =
    hint === undefined ? 'quorum memory list shows all of them.' : `Did you mean ${hint}?`;
  throw usageError('memory-unknown', `No entry has the id ${id}. ${next}`);
}

function countEntries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

function renderList(listed: readonly ListedEntry[], io: Io): string {
  const { bold } = createPaint(io);
  const rows = listed.map(({ id, persona, state, uses, category, text }) =>
    [id, persona, state, String(uses), `[${category}] ${text}`].map(printable),
  );
  const head = ['id', 'persona', 'state', 'uses', 'says'].map(bold);
  return renderTable([head, ...rows], { columns: io.columns });
}

function renderEntry(entry: ListedEntry, io: Io): string {
  const { bold, dim } = createPaint(io);
  const { author, uses, kept, dismissed, lastUsedAt } = entry;
  const used = lastUsedAt === null ? 'never' : `${counted(uses, 'time')}, last ${lastUsedAt}`;
  const facts = [
    ['persona', entry.persona],
    ['category', entry.category],
    ['state', entry.state],
    ['from', `${renderSource(entry.source)}${author === null ? '' : `, ${author}`}`],
    ['trust', entry.trust],
    ['written', entry.createdAt],
    ['used', used],
    ['findings', `${kept} kept, ${dismissed} dismissed`],
    ...entry.refs.map((ref) => ['cites', renderListedRef(ref)]),
  ].map(([label = '', value = '']) => [dim(label), printable(value)]);
  const table = renderTable(facts, { columns: io.columns, indent: 2 });
  return `${bold(entry.id)} ${printable(entry.text)}\n\n${table}`;
}

function renderSource(source: MemorySource): string {
  if (source.kind === 'hand') return 'an edit of the file';
  const what = source.kind === 'run' ? `run ${source.run}` : `comment ${source.commentId}`;
  return `${what} in #${source.thread}`;
}
