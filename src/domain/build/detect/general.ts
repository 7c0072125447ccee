/** What any project's build can die of: the machine, the network, the workflow itself. */
import { sight, toSourcePlace, type CauseKind, type Detector } from './detect.ts';

/** Patterns that say all there is to say in one line. */
const ONE_LINERS: readonly {
  kind: CauseKind;
  pattern: RegExp;
  fix?: string;
}[] = [
  {
    kind: 'memory',
    pattern:
      /JavaScript heap out of memory|java\.lang\.OutOfMemoryError|Cannot allocate memory|^MemoryError\b|fatal error: runtime: out of memory|(?:signal: 9|SIGKILL)|exit code 137\b|^(?:\S{1,200}: )?(?:line \d+: +\d+ )?Killed\b/,
    fix: 'find what grew, or give the job more memory',
  },
  {
    kind: 'disk',
    pattern: /No space left on device|ENOSPC\b/i,
    fix: 'free the disk in the workflow before this step, or cache less',
  },
  {
    kind: 'timeout',
    pattern:
      /exceeded the maximum execution time of|^error: The action .{1,200} has timed out after|panic: test timed out after|^error: The operation was canceled/i,
    fix: 'find what hangs; raise `timeout-minutes` only when the work itself grew',
  },
  {
    kind: 'network',
    pattern:
      /\b(?:ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ESOCKETTIMEDOUT)\b|Could not resolve host|Temporary failure in name resolution|Connection (?:reset by peer|timed out)|TLS handshake timeout|i\/o timeout|Read timed out|\b(?:502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out|429 Too Many Requests)\b|The hosted runner (?:lost communication|encountered an error)|received a shutdown signal|Failed to download action/i,
    fix: 'run the failed jobs again; retry the download where this happens often',
  },
  {
    kind: 'workflow',
    pattern:
      /Invalid workflow file|Unable to resolve action|Can't find 'action\.yml'|Unrecognized (?:named-value|function)|Unexpected (?:value|input\(s\)) '|Required property is missing|The workflow is not valid|^error: Input required and not supplied/,
    fix: 'correct the workflow file',
  },
];

/** `.github/workflows/ci.yml#L10`, or with a bracket: `(Line: 10, Col: 5)`. */
const WORKFLOW_PLACE = /(\.github\/workflows\/[\w.-]+\.ya?ml)(?:#L(\d+)| ?\(Line: (\d+))?/;

const oneLiner: Detector = (log, at) => {
  const says = log.line(at);
  const found = ONE_LINERS.find(({ pattern }) => pattern.test(says));
  if (found === undefined) return undefined;
  const place = WORKFLOW_PLACE.exec(says);
  const base = { kind: found.kind, says, ...(found.fix === undefined ? {} : { fix: found.fix }) };
  return sight(base, toSourcePlace(place?.[1], place?.[2] ?? place?.[3]));
};

/** `sh: 1: vitest: not found`, `/…/x.sh: line 3: ruff: command not found`, `'tsc' is not recognized …`. */
const noCommand: Detector = (log, at) => {
  const says = log.line(at);
  const match =
    /(?:^|: )(?:line \d+: |\d+: )?([\w.@/-]{1,60}): (?:command )?not found$/.exec(says) ??
    /^'([\w.@/-]{1,60})' is not recognized as an internal or external command/.exec(says);
  const subject = match?.[1];
  if (subject === undefined) return undefined;
  const fix = `install what brings \`${subject}\` before this step`;
  return { kind: 'dependency', says, subject, fix };
};

export const GENERAL: readonly Detector[] = [oneLiner, noCommand];
