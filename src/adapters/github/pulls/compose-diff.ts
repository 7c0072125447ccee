/** Makes the text of `git diff` out of the files that GitHub lists one by one. */
import type { WireFile } from './pull-operations.ts';

export interface ComposedDiff {
  diff: string;
  /** Paths whose changed lines GitHub did not send. */
  leftOut: string[];
}

/** Modes are not told by GitHub's list; plain files are assumed where git needs one. */
const MODE = '100644';

export function composeDiff(files: readonly WireFile[]): ComposedDiff {
  return {
    diff: files.map(renderFile).join(''),
    leftOut: files.filter(isLeftOut).map((file) => file.filename),
  };
}

/** A file without a patch but with changed lines is too long for GitHub; without them it is binary, moved or empty. */
function isLeftOut(file: WireFile): boolean {
  return file.patch === undefined && file.additions + file.deletions > 0;
}

function renderFile(file: WireFile): string {
  const from = file.previous_filename ?? file.filename;
  const [a, b] = [quotePath(`a/${from}`), quotePath(`b/${file.filename}`)];
  const lines = [`diff --git ${a} ${b}`, ...renderStatus(file, from)];
  if (file.patch !== undefined && file.patch !== '') {
    lines.push(`--- ${file.status === 'added' ? '/dev/null' : a}`);
    lines.push(`+++ ${file.status === 'removed' ? '/dev/null' : b}`);
    lines.push(file.patch.replace(/\n$/, ''));
  }
  return `${lines.join('\n')}\n`;
}

function renderStatus(file: WireFile, from: string): string[] {
  switch (file.status) {
    case 'added':
      return [`new file mode ${MODE}`];
    case 'removed':
      return [`deleted file mode ${MODE}`];
    case 'renamed':
    case 'copied': {
      const verb = file.status === 'renamed' ? 'rename' : 'copy';
      return [`${verb} from ${quotePath(from)}`, `${verb} to ${quotePath(file.filename)}`];
    }
    default:
      return [];
  }
}

const ESCAPES: Record<string, string> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** As git quotes paths with `core.quotePath` off: only what would break the line. */
function quotePath(path: string): string {
  const quoted = Array.from(path, (char) => {
    const known = ESCAPES[char];
    if (known !== undefined) return known;
    const code = char.codePointAt(0) ?? 0;
    return code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, '0')}` : char;
  }).join('');
  return quoted === path ? path : `"${quoted}"`;
}
