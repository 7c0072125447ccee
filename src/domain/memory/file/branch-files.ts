/** What the memory branch may hold, and the two files that it begins with. */
import { FRICTIONS_FILE } from '../friction.ts';

const FOLDERS: ReadonlySet<string> = new Set(['personas', 'sessions', 'state', 'journal']);
const FILES: ReadonlySet<string> = new Set([
  'insights.jsonl',
  'peers.json',
  'commitments.jsonl',
  FRICTIONS_FILE,
  '.gitattributes',
  'README.md',
]);

/** Portable names: none that a file system or git reads as something else. */
const SEGMENT = /^(?!\.{1,2}$)(?!\.git$)[\w.-]{1,100}$/i;
const MAX_DEPTH = 6;

/** A file that holds more is not written: it could not be read back. */
export const MAX_MEMORY_FILE_BYTES = 1_000_000;

/** Whether Quorum may write a file at this path of the memory branch. */
export function isMemoryPath(path: string): boolean {
  if (FILES.has(path)) return true;
  const [folder = '', ...rest] = path.split('/');
  if (!FOLDERS.has(folder) || rest.length === 0 || rest.length >= MAX_DEPTH) return false;
  return rest.every((segment) => SEGMENT.test(segment));
}

const README = `# Quorum's memory

Quorum keeps here what its team learned in this repository. The branch shares no history with your code and is never
merged into it.

- \`personas/\`: what each persona learned: \`core.md\`, \`working.md\` and \`self.md\`
- \`journal/\`: what happened in each thread
- \`sessions/\`, \`insights.jsonl\`, \`peers.json\`, \`commitments.jsonl\`: discussions, insights, and what the team promised
- \`frictions.jsonl\`: what got in the way of tasks, such as gates that failed
- \`state/\`: figures that Quorum needs

You may edit or delete every file, by hand or in a pull request against this branch. Your changes are kept: Quorum reads
the branch before it writes, and it never pushes by force. If you delete the branch, Quorum creates it again when it has
something to write.

Everyone who can read this repository can read this branch. Do not store secrets here; Quorum refuses to write them.
`;

/** Both sides of a merge are kept line by line. */
const ATTRIBUTES = '*.md merge=union\n*.jsonl merge=union\n';

/** What a new branch begins with, beside what is written to it. */
export const FIRST_MEMORY_FILES: ReadonlyMap<string, string> = new Map([
  ['README.md', README],
  ['.gitattributes', ATTRIBUTES],
]);
