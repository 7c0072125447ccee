/** What the PM may look at: one commit, and nothing else of this machine (CB-3). */
import { z } from 'zod';
import { RefusedError } from '../../domain/event/errors.ts';
import type { PromptText } from '../../domain/prompt/prompt-text.ts';
import { quarantine } from '../../domain/prompt/quarantine.ts';
import { REF, refusePath } from '../../domain/task/pm-question.ts';
import type { BaseReader } from '../../ports/git.ts';
import { defineTool, type LoopTool } from './run-tool-loop.ts';

// Limits of CB-3.
const MAX_LINES = 500;
const MAX_MATCHES = 100;
const MAX_FILES = 200;
const MAX_COMMITS = 50;
const MAX_DIFF_LINES = 300;
const MOST_CHARS = 8_000;
/** For the loop's own cut, which would take the end of a block: more than so many characters and a label can have. */
export const PM_TOOL_BYTES = 32 * 1024;

const Path = z.string().max(400).default('').describe('Relative to the repository');

/** What was read is data like any other text of a repository: each answer is a block between `delimiter`s. */
export function pmTools(base: BaseReader, delimiter: string): LoopTool[] {
  const show = (source: string, text: string, firstLine?: number): PromptText => {
    const lines = firstLine === undefined ? {} : { firstLine };
    const about = { source, trust: 'stranger' as const, most: MOST_CHARS, ...lines };
    return quarantine({ ...about, text }, delimiter).block;
  };
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
        return show(`file ${path}`, shown.join('\n'), offset);
      },
    }),
    defineTool({
      name: 'grep',
      description: `Finds lines that hold this very text, at most ${MAX_MATCHES}.`,
      args: z.object({ text: z.string().min(1).max(200), path: Path }),
      run: async ({ text, path }) =>
        // Each begins with the commit.
        show(
          `lines with ${JSON.stringify(text)}`,
          top(
            (await base.grep(text, allowed(path))).replaceAll(/^[0-9a-f]{40}:/gm, ''),
            MAX_MATCHES,
          ),
        ),
    }),
    defineTool({
      name: 'list_files',
      description: `Lists files below a folder, at most ${MAX_FILES}.`,
      args: z.object({ path: Path }),
      run: async ({ path }) =>
        show(`names below ${path}`, top(await base.paths(allowed(path)), MAX_FILES)),
    }),
    ...(base.history === undefined ? [] : historyTools(base.history, show)),
  ];
}

function historyTools(
  history: NonNullable<BaseReader['history']>,
  show: (source: string, text: string) => PromptText,
): LoopTool[] {
  return [
    defineTool({
      name: 'git_log',
      description: `Lists commits, newest first, at most ${MAX_COMMITS}.`,
      args: z.object({ n: z.number().int().min(1).max(MAX_COMMITS).default(10), path: Path }),
      run: async ({ n, path }) => show('commits', await history.log(n, allowed(path))),
    }),
    defineTool({
      name: 'git_diff',
      description: `What changed since a commit, at most ${MAX_DIFF_LINES} lines.`,
      args: z.object({ ref: z.string().regex(REF), path: Path }),
      run: async ({ ref, path }) =>
        show(
          `changes since ${ref}`,
          top(withoutHidden(await history.diff(ref, allowed(path))), MAX_DIFF_LINES),
        ),
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
