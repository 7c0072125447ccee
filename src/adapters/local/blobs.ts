/** Many files of a commit at once: one `git cat-file` for all of them. */
import { spawn } from 'node:child_process';
import { toSourceFile } from '../../domain/repository/source-file.ts';
import type { SourceFile } from '../../domain/run/view.ts';

export interface BlobsWanted {
  root: string;
  sha: string;
  paths: readonly string[];
  /** Larger texts are cut at a line. */
  maxBytes: number;
  /** Of all texts together; those that come later are left out. */
  totalBytes: number;
}

/** What is larger is no source that a person wrote; it is passed over without being kept. */
const MAX_BLOB_BYTES = 4_000_000;
const HEADER = /^[0-9a-f]+ (\w+) (\d+)$/;
const NEWLINE = 10;

/** In the order asked for; what is missing or binary is left out. Without git's answer there is nothing. */
export async function readBlobs(want: BlobsWanted): Promise<SourceFile[]> {
  // A path with a line end would be two requests.
  const paths = want.paths.filter((path) => !path.includes('\n'));
  if (paths.length === 0) return [];
  const child = spawn('git', ['-c', 'core.fsmonitor=false', 'cat-file', '--batch', '--buffer'], {
    cwd: want.root,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
    },
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(paths.map((path) => `${want.sha}:${path}\n`).join(''));
  const found: SourceFile[] = [];
  let bytes = 0;
  try {
    for await (const { path, text } of readBatch(child.stdout, paths)) {
      const file = toSourceFile(path, text, want.maxBytes);
      if (file === undefined) continue;
      bytes += Math.min(text.length, want.maxBytes);
      if (bytes > want.totalBytes) break;
      found.push(file);
    }
  } finally {
    child.kill();
  }
  return found;
}

async function* readBatch(
  output: AsyncIterable<Buffer>,
  paths: readonly string[],
): AsyncGenerator<{ path: string; text: Buffer }> {
  const bytes = createByteReader(output);
  for (const path of paths) {
    const line = await bytes.line();
    if (line === undefined) return;
    const [header, kind, size = '0'] = HEADER.exec(line) ?? [];
    if (header === undefined) continue;
    const length = Number(size);
    const text = length > MAX_BLOB_BYTES ? await bytes.skip(length) : await bytes.take(length);
    await bytes.skip(1);
    if (kind === 'blob' && text !== undefined) yield { path, text };
  }
}

interface ByteReader {
  /** Without its end; undefined when nothing comes any more. */
  line(): Promise<string | undefined>;
  take(length: number): Promise<Buffer | undefined>;
  /** Keeps nothing of what is passed over. */
  skip(length: number): Promise<undefined>;
}

function createByteReader(output: AsyncIterable<Buffer>): ByteReader {
  const stream = output[Symbol.asyncIterator]();
  let have: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const next = await stream.next();
    if (next.done !== true) have = Buffer.concat([have, next.value]);
    return next.done !== true;
  };
  return {
    async line() {
      while (!have.includes(NEWLINE)) if (!(await more())) return undefined;
      const end = have.indexOf(NEWLINE);
      const line = have.toString('utf8', 0, end);
      have = have.subarray(end + 1);
      return line;
    },
    async take(length) {
      while (have.length < length) if (!(await more())) return undefined;
      const taken = have.subarray(0, length);
      have = have.subarray(length);
      return taken;
    },
    async skip(length) {
      let left = length;
      while (left > have.length) {
        left -= have.length;
        have = Buffer.alloc(0);
        if (!(await more())) return undefined;
      }
      have = have.subarray(left);
      return undefined;
    },
  };
}
