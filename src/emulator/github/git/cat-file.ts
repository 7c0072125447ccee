/** Looks objects up in one long-lived `git cat-file` for each repository. Starting a process takes longer than a lookup. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { childEnv } from './git-process.ts';

export interface ObjectInfo {
  sha: string;
  type: string;
  bytes: number;
}

export interface ObjectContents extends ObjectInfo {
  contents: Buffer;
}

interface Question {
  wants: 'info' | 'contents';
  resolve: (answer: ObjectContents | undefined) => void;
  reject: (error: Error) => void;
}

type CatFile = ChildProcessByStdio<Writable, Readable, null>;

/** Answers in the order of the questions, as git gives them. */
class ObjectReader {
  readonly #child: CatFile;
  readonly #waiting: Question[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The next answer cannot be complete with fewer bytes. */
  #wanted = 1;

  constructor(gitDir: string, onClose: () => void) {
    this.#child = spawn('git', [`--git-dir=${gitDir}`, 'cat-file', '--batch-command'], {
      env: childEnv(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdout.on('data', (piece: Buffer) => this.#take(piece));
    // A program that does not close the emulator can still end.
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if (stream instanceof Socket) stream.unref();
    // The `close` event rejects the questions that are left.
    this.#child.stdin.on('error', () => undefined);
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('close', (code) => {
      onClose();
      this.#end(new Error(`git cat-file on ${gitDir} ended with ${code ?? 'a signal'}`));
    });
  }

  ask(wants: Question['wants'], name: string): Promise<ObjectContents | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wants, resolve, reject });
      this.#child.stdin.write(`${wants} ${name}\n`);
    });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end();
    await closed;
  }

  #end(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes >= this.#wanted && this.#answerNext());
  }

  /** Returns false when the next answer is incomplete. */
  #answerNext(): boolean {
    const [next] = this.#waiting;
    if (next === undefined || this.#bytes === 0) return false;
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    const lineEnd = all.indexOf('\n');
    if (lineEnd < 0) return false;
    const info = parseInfo(all.toString('utf8', 0, lineEnd));
    const start = lineEnd + 1;
    const length = info !== undefined && next.wants === 'contents' ? info.bytes + 1 : 0;
    this.#wanted = start + length;
    if (all.length < this.#wanted) return false;
    this.#waiting.shift();
    this.#pieces = [all.subarray(this.#wanted)];
    this.#bytes = all.length - this.#wanted;
    this.#wanted = 1;
    const contents = Buffer.from(all.subarray(start, Math.max(start, start + length - 1)));
    next.resolve(info && { ...info, contents });
    return true;
  }
}

/** Parses `<sha> <type> <size>`. Any other line means that the name stands for no object, or for more than one. */
function parseInfo(line: string): ObjectInfo | undefined {
  const [, sha, type, size] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(line) ?? [];
  return sha === undefined || type === undefined ? undefined : { sha, type, bytes: Number(size) };
}

const readers = new Map<string, ObjectReader>();

function readerOf(gitDir: string): ObjectReader {
  const known = readers.get(gitDir);
  if (known !== undefined) return known;
  const reader: ObjectReader = new ObjectReader(gitDir, () => {
    if (readers.get(gitDir) === reader) readers.delete(gitDir);
  });
  readers.set(gitDir, reader);
  return reader;
}

/**
 * Finds the object that a name stands for: a ref, an id, `ref^{commit}` or `id:path`. Undefined for a missing object.
 */
export async function readInfo(gitDir: string, name: string): Promise<ObjectInfo | undefined> {
  if (isUnaskable(name)) return undefined;
  return readerOf(gitDir).ask('info', name);
}

/** {@link readInfo} with the object's bytes. */
export async function readContents(
  gitDir: string,
  name: string,
): Promise<ObjectContents | undefined> {
  if (isUnaskable(name)) return undefined;
  return readerOf(gitDir).ask('contents', name);
}

/** A question is one line, so a name with a line break cannot be asked. */
function isUnaskable(name: string): boolean {
  return name === '' || /[\n\0]/.test(name);
}

/** Ends the processes of all repositories below a folder. The next question to one of them starts a new process. */
export async function closeReaders(dir: string): Promise<void> {
  const below = [...readers].filter(([gitDir]) => gitDir.startsWith(`${dir}/`));
  await Promise.all(below.map(([, reader]) => reader.close()));
}
