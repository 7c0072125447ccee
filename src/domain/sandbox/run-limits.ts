/** Messages about a sandboxed run that passed a limit. */

const MB = 1_000_000;

/** A sentence with the code that docs/troubleshooting.md explains; undefined when no limit was passed. */
export function renderLimit(end: string, limitBytes: number | undefined): string | undefined {
  const size = limitBytes === undefined ? 'its limit' : `${Math.floor(limitBytes / MB)} MB`;
  switch (end) {
    case 'too-many-processes':
      return 'It started too many processes.';
    case 'disk-limit':
      return `It wrote more than ${size} to disk (\`coder.worktreeLimitMb\`) [disk-limit].`;
    case 'memory-limit':
      return `It used more than ${size} of memory [memory-limit].`;
    default:
      return undefined;
  }
}
