/** Where the Claude Code CLI is on this machine. */
import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { RefusedError } from '../../../domain/event/errors.ts';

/** What was measured; the flags of others may differ. */
export const CLAUDE_VERSION = '2.1.330';

/**
 * The given file, else the native package in node_modules (which needs no install scripts), else PATH.
 *
 * @throws RefusedError `coder-unavailable`, with how to get it
 */
export function findClaude(given: string | undefined): string {
  const found = given ?? inPackages() ?? onPath();
  if (found === undefined || !isFile(found))
    throw new RefusedError({
      code: 'coder-unavailable',
      message: `Claude Code was not found${found === undefined ? '' : ` at ${found}`}.`,
      details: `Install it with \`npm install -g @anthropic-ai/claude-code@${CLAUDE_VERSION}\` under Node 22 or later, or name its program in \`CLAUDE_BIN\`.`,
    });
  return realpathSync(found);
}

function inPackages(): string | undefined {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), 'claude');
  } catch {
    return undefined;
  }
}

function onPath(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'claude'))
    .find((file) => path.isAbsolute(file) && isFile(file));
}

/** What is named is shown to the coder's sandbox: a folder would be shown with all that is in it. */
function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
