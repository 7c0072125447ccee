/** What the PM may look at: one commit, and nothing else of this machine (CB-3). */
import { z } from 'zod';
import { RefusedError } from '../domain/errors.ts';
import { REF, refusePath } from '../domain/task/pm-question.ts';
import type { BaseReader } from '../ports/git.ts';
import { defineTool, type LoopTool } from './converse.ts';

// Limits of CB-3.
const MAX_LINES = 500;
const MAX_MATCHES = 100;
const MAX_FILES = 200;
const MAX_COMMITS = 50;
const MAX_DIFF_LINES = 300;

const Path = z.string().max(400).default('').describe('Relative to the repository');

export function pmTools(base: BaseReader): LoopTool[] {
  return [
    defineTool({
      name: 'read_file',
      description: `Reads a file, at most ${MAX_LINES} numbered lines.`,
      args: z.object({
        path: Path,
        offset: z.number().int().min(1).default(1),
        limit: z.number().int().min(1).max(MAX_LINES).default(MAX_LINES),
      }),
      run: async ({ path, offset, limit }) => {
        const lines = (await base.file(allowed(path))).split('\n');
        const shown = lines.slice(offset - 1, offset - 1 + limit);
        return shown.map((line, n) => `${offset + n}\t${line}`).join('\n');
      },
    }),
    defineTool({
      name: 'grep',
      description: `Finds lines that hold this very text, at most ${MAX_MATCHES}.`,
      args: z.object({ text: z.string().min(1).max(200), path: Path }),
      run: async ({ text, path }) =>
        // Each begins with the commit.
        top((await base.grep(text, allowed(path))).replaceAll(/^[0-9a-f]{40}:/gm, ''), MAX_MATCHES),
    }),
    defineTool({
      name: 'list_files',
      description: `Lists files below a folder, at most ${MAX_FILES}.`,
      args: z.object({ path: Path }),
      run: async ({ path }) => top(await base.paths(allowed(path)), MAX_FILES),
    }),
    ...(base.history === undefined ? [] : historyTools(base.history)),
  ];
}

function historyTools(history: NonNullable<BaseReader['history']>): LoopTool[] {
  return [
    defineTool({
      name: 'git_log',
      description: `Lists commits, newest first, at most ${MAX_COMMITS}.`,
      args: z.object({ n: z.number().int().min(1).max(MAX_COMMITS).default(10), path: Path }),
      run: ({ n, path }) => history.log(n, allowed(path)),
    }),
    defineTool({
      name: 'git_diff',
      description: `What changed since a commit, at most ${MAX_DIFF_LINES} lines.`,
      args: z.object({ ref: z.string().regex(REF), path: Path }),
      run: async ({ ref, path }) =>
        top(withoutHidden(await history.diff(ref, allowed(path))), MAX_DIFF_LINES),
    }),
  ];
}

function allowed(path: string): string {
  const message = refusePath(path);
  if (message === undefined) return path;
  throw new RefusedError({ code: 'path-refused', message });
}

function withoutHidden(diff: string): string {
  const files = diff.split(/^(?=diff --git )/m);
  return files.filter((file) => !/^diff --git .*[/ ]\.env/i.test(file)).join('');
}

/** Without what is not shown; a search finds it otherwise. */
function top(text: string, most: number): string {
  const lines = text
    .split('\n')
    .filter((line) => refusePath(line.split(':')[0] ?? '') !== 'That is not shown.');
  const left = lines.length - most;
  return left <= 0 ? lines.join('\n') : `${lines.slice(0, most).join('\n')}\n(${left} more lines)`;
}
