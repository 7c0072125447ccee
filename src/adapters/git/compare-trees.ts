/** What differs between two trees of the mirror, as facts and as a patch that is text. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../../domain/task/patch.ts';
import { gitBytes, runGit } from './run-git.ts';

export interface Range {
  mirror: string;
  base: string;
  /** A commit or a tree. */
  head: string;
}

/** In a bare repository no attributes of a branch are read: no driver, no conversion. */
function diffArgs({ base, head }: Range, form: readonly string[]): string[] {
  return [
    'diff-tree',
    '-r',
    '--find-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=none',
    ...form,
    base,
    head,
  ];
}

function callOf(range: Range, form: readonly string[]) {
  return { dir: range.mirror, args: diffArgs(range, form), env: { GIT_DIR: range.mirror } };
}

export async function changedFiles(range: Range): Promise<ChangedFile[]> {
  const raw = parseRaw(await gitBytes(callOf(range, ['--raw', '-z', '--no-abbrev'])));
  const counts = parseCounts(await gitBytes(callOf(range, ['--numstat', '-z'])));
  const sizes = await sizesOf(
    range.mirror,
    raw.map(({ sha }) => sha),
  );
  return raw.map(({ path, from, change, mode, sha }) => {
    const { added = 0, removed = 0, isBinary = false } = counts.get(path) ?? {};
    return {
      path: toPathText(path),
      ...(from !== undefined && { from: toPathText(from) }),
      change,
      mode: change === 'deleted' ? undefined : mode,
      added,
      removed,
      isBinary,
      bytes: sizes.get(sha) ?? 0,
    };
  });
}

/** A path as people read it; bytes that are no UTF-8 become the replacement character. */
export function toPathText(raw: string): string {
  return Buffer.from(raw, 'latin1').toString();
}

interface RawChange {
  path: string;
  from: string | undefined;
  change: ChangedFile['change'];
  mode: string;
  sha: string;
}

const RAW_HEAD = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) ([A-Z])/;
const CHANGES: Readonly<Record<string, ChangedFile['change']>> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
};

function parseRaw(output: Buffer): RawChange[] {
  const parts = output.toString('latin1').split('\0').values();
  const changes: RawChange[] = [];
  for (const part of parts) {
    const [, mode = '', sha = '', letter = ''] = RAW_HEAD.exec(part) ?? [];
    if (mode === '') continue;
    const first = parts.next().value ?? '';
    const path = letter === 'R' ? (parts.next().value ?? '') : first;
    const from = letter === 'R' ? first : undefined;
    changes.push({ path, from, change: CHANGES[letter] ?? 'modified', mode, sha });
  }
  return changes;
}

interface Counts {
  added: number;
  removed: number;
  isBinary: boolean;
}

function parseCounts(output: Buffer): Map<string, Counts> {
  const parts = output.toString('latin1').split('\0').values();
  const counts = new Map<string, Counts>();
  for (const part of parts) {
    const [, added = '', removed = '', name = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
    if (added === '') continue;
    // Of a rename, two names follow: where it was and where it is.
    const path = name === '' ? [parts.next().value, parts.next().value][1] : name;
    const isBinary = added === '-';
    counts.set(path ?? '', {
      added: isBinary ? 0 : Number(added),
      removed: isBinary ? 0 : Number(removed),
      isBinary,
    });
  }
  return counts;
}

async function sizesOf(mirror: string, shas: readonly string[]): Promise<Map<string, number>> {
  if (shas.length === 0) return new Map();
  const listed = await gitBytes({
    dir: mirror,
    args: ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'],
    env: { GIT_DIR: mirror },
    input: shas.map((sha) => `${sha}\n`).join(''),
  });
  const lines = listed.toString().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [sha = '', type, size] = line.split(' ');
      return type === 'blob' ? [[sha, Number(size)] as const] : [];
    }),
  );
}

const PATCH = ['--patch', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '-U3'];

/**
 * The patch as text, or undefined when it is larger than allowed. Files that are no UTF-8 are written as binary ones,
 * since text could not carry their bytes.
 */
export async function patchOf(range: Range, maxBytes: number): Promise<string | undefined> {
  const plain = await runGit({ ...callOf(range, PATCH), maxBytes });
  if (plain.isCut) return undefined;
  const sections = sectionsOf(plain.stdout);
  if (sections.every(isText)) return sections.join('');
  // In a bare repository these are the only attributes, and they make every file binary.
  const attributes = join(range.mirror, 'binary.attributes');
  await writeFile(attributes, '* -diff\n');
  const config = [['core.attributesFile', attributes]] as const;
  const binary = sectionsOf(await gitBytes({ ...callOf(range, PATCH), config }));
  const text = sections.map((each, index) => (isText(each) ? each : (binary[index] ?? each)));
  const whole = text.join('');
  return Buffer.byteLength(whole) > maxBytes ? undefined : whole;
}

function isText(section: Buffer): boolean {
  return Buffer.from(section.toString()).equals(section);
}

/** One for each file: no line of a hunk or of a binary part begins like its first line. */
function sectionsOf(diff: Buffer): Buffer[] {
  const starts: number[] = [];
  const start = Buffer.from('\ndiff --git ');
  if (diff.length > 0) starts.push(0);
  for (let at = diff.indexOf(start); at !== -1; at = diff.indexOf(start, at + 1))
    starts.push(at + 1);
  return starts.map((from, index) => diff.subarray(from, starts[index + 1]));
}
