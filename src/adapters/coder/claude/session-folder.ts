/** The folder of one session on this machine: the CLI's own settings, the socket, and the transcript in and out. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';

export interface SessionFolder {
  /** Home and configuration of the CLI; all that it may write besides the task's folder. */
  home: string;
  socket: string;
  remove: () => void;
}

/** A socket's path has at most 107 bytes. */
export function createSessionFolder(root: string = os.tmpdir()): SessionFolder {
  const folder = realpathSync(mkdtempSync(path.join(root, 'quorum-coder-')));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  return {
    home,
    socket: path.join(folder, 'run.sock'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Our own line before those of the CLI: what the session has cost, which only the run before knows. */
const Head = z.strictObject({ type: z.literal('quorum'), totalUsd: z.number().nullable() });

export interface Transcript {
  /** Lines of the CLI. */
  lines: string;
  /** Of the whole session; undefined means unknown. */
  totalUsd: number | undefined;
}

export function writeTranscript({ lines, totalUsd }: Transcript): string {
  if (lines === '') return '';
  const head: z.infer<typeof Head> = { type: 'quorum', totalUsd: totalUsd ?? null };
  return `${JSON.stringify(head)}\n${lines}`;
}

/** A transcript without our line is one of the CLI alone, of unknown cost. */
export function readTranscript(text: string): Transcript {
  const end = text.indexOf('\n');
  const head = Head.safeParse(parseJson(text.slice(0, end)));
  if (!head.success) return { lines: text, totalUsd: undefined };
  return { lines: text.slice(end + 1), totalUsd: head.data.totalUsd ?? undefined };
}

/** Puts a transcript where the CLI of this session can take it up, and returns that place. */
export function placeTranscript(
  { home }: SessionFolder,
  { sessionId, lines }: { sessionId: string; lines: string },
): string {
  // Where the CLI keeps its own: it goes on writing to the file that it took up.
  const folder = path.join(home, 'projects', 'resumed');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${z.uuid().parse(sessionId)}.jsonl`);
  writeFileSync(file, lines);
  return file;
}

/** Kept with the task while a person is asked. A longer session starts over with the answer. */
const MAX_TRANSCRIPT_BYTES = 8_000_000;

/**
 * What the CLI kept of the session; empty when there is nothing. The coder could write there too, so that no link is
 * followed and nothing but a plain file below the folder is read.
 */
export function collectTranscript({ home }: SessionFolder, sessionId: string): string {
  const projects = path.join(home, 'projects');
  const files = foldersIn(projects).map((folder) => path.join(folder, `${sessionId}.jsonl`));
  return files.map(readPlainFile).toSorted((a, b) => b.length - a.length)[0] ?? '';
}

function foldersIn(folder: string): string[] {
  try {
    if (realpathSync(folder) !== folder) return [];
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((each) => each.isDirectory()).map(({ name }) => path.join(folder, name));
  } catch {
    return [];
  }
}

function readPlainFile(file: string): string {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const found = fstatSync(fd);
    // A second name for a file is one that may stand elsewhere.
    const isPlain = found.isFile() && found.nlink === 1 && found.size <= MAX_TRANSCRIPT_BYTES;
    return isPlain ? readFileSync(fd, 'utf8') : '';
  } finally {
    closeSync(fd);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
