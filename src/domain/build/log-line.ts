/** One line of a job's log: what belongs to the runner is taken off, and how much it tells of an error. */

export interface LogLine {
  /** 1-based, in the whole log, empty lines not counted. */
  number: number;
  text: string;
  /** How much it says of what went wrong: 2 names an error, 1 may, 0 does not. */
  grade: 0 | 1 | 2;
}

/** Longer lines are minified code or data; their beginning says what they are. */
export const MAX_LINE = 500;
/** More of one line is not even looked at: a log may be one line of many megabytes. */
export const MAX_READ = 4_000;

const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?/;
const ESCAPE = String.fromCharCode(27);
/** Colours, cursor movements, window titles and links of a terminal (ECMA-48). */
const TERMINAL = new RegExp(
  `${ESCAPE}(?:\\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\\][^${String.fromCharCode(7)}${ESCAPE}]{0,2000}(?:${String.fromCharCode(7)}|${ESCAPE}\\\\)?|.)?`,
  'g',
);

/** The time at the start of a line, to the second; the empty string where the line has no time. */
export function stampOf(raw: string): string {
  return STAMP.test(raw) ? raw.slice(0, 19) : '';
}

/** Without the runner's time, colours, and what a progress bar overwrote. Groups and errors keep a readable mark. */
export function bareLine(raw: string): string {
  const text = raw.replace(/^\u{feff}/u, '').replace(STAMP, '');
  const uncoloured = text.includes(ESCAPE) ? text.replaceAll(TERMINAL, '') : text;
  return toMark(lastShown(uncoloured).trimEnd());
}

/** A progress bar goes back to the start of its line again and again. */
function lastShown(text: string): string {
  if (!text.includes('\r')) return text;
  return text.split('\r').findLast((part) => part.trim() !== '') ?? '';
}

const MARKS: Readonly<Record<string, string>> = {
  group: '▸ ',
  error: 'error: ',
  warning: 'warning: ',
  notice: 'notice: ',
  command: '$ ',
  debug: 'debug: ',
  section: '▸ ',
};

/** `##[group]Run npm test` is how a runner writes down a step (docs.github.com, "Workflow commands"). */
function toMark(text: string): string {
  const mark = /^##\[(\w{1,20})\]/.exec(text);
  if (mark === null) return text;
  const [all, word = ''] = mark;
  if (word === 'endgroup') return '';
  return `${MARKS[word] ?? ''}${text.slice(all.length)}`;
}

/** What follows is the runner tidying up: nothing of it is why a job failed. */
export function isCleanUp(text: string): boolean {
  return text === 'Post job cleanup.' || /^▸ (?:Post |Complete job)/.test(text);
}

/** Says that a step ended badly, and nothing of why. */
const EXIT = /^error: Process completed with exit code \d+\.?$/;

/** What any of the patterns below needs: most lines have none of it, and are done with. */
const MAY_TELL =
  /err|fail|fatal|except|panic|traceback|not ok|[✗✕×✖✘❌●]|denied|refused|cannot|can't|not |no space|unable|invalid|missing|mismatch|kill|abort|undef|expect|assert|timed out|exceeded|memory|137|ECONN|ETIMED|EAI_|ENOTF|\.go:\d|\.py:\d|^E |^e: |^\s*\d{1,3}\) |reformat|^Diff in|\[warn\]|<<< |--> |lock/i;

/** Words of compilers, test runners and package managers that stand only where something went wrong. */
const NAMES_ERROR: readonly RegExp[] = [
  /^error: /,
  /\berror TS\d{3,5}\b/,
  /^(?:error|warning|fatal)(?:\[[A-Z]?\d{2,5}\])?: /i,
  /:\d{1,6}(?::\d{1,5})?:? (?:fatal )?error\b/i,
  /\b[A-Z]\w{1,40}(?:Error|Exception|Failure)\b(?= ?[:[(]|$)/,
  /^\s*(?:✗|✕|×|✖|✘|❌)\s?\S/,
  /^\s*●\s+\S/,
  /^\s{0,4}(?:FAIL|FAILED|ERROR|FAILURE)\b/,
  /--- FAIL: /,
  /^\s*not ok \d/,
  /\bpanicked at\b/,
  /^panic: /,
  /^Traceback \(most recent call last\)/,
  /^E {2,}\S/,
  /\bnpm (?:ERR!|error) /,
  /\bERR_PNPM_\w+/,
  /^\s*\[(?:ERROR|FATAL)\]/,
  /\bBUILD (?:FAILED|FAILURE)\b/,
  /^e: \S/,
  /\bCannot find (?:module|package) /,
  /\bheap out of memory\b|\bCannot allocate memory\b|\bNo space left on device\b|\bexit code 137\b/i,
  /\b(?:ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b/,
  /\bCould not resolve (?:host|dependencies|all)\b/i,
  /^\S{1,200}\.go:\d{1,6}:\d{1,4}: /,
  /^\S{1,200}\.py:\d{1,6}(?::\d{1,4})?: (?:error|[A-Z]{1,4}\d{2,4})\b/,
  /^\s+\d{1,6}:\d{1,4}\s+error\s/,
  /^\s*\d{1,3}\) \S/,
  /\bexceeded the maximum execution time\b|\btimed out after\b|\bTest timed out\b/i,
  /^would reformat |^Diff in |^\[warn\] \S+\.\w+$/,
  /\.\.\. FAILED$|> .{1,200} FAILED$/,
  /<<< (?:FAILURE|ERROR)!/,
  /^\s*--> \S{1,300}:\d{1,6}:\d/,
];
const MAY_NAME_ERROR =
  /\b(?:errors?|fail(?:ed|ures?|ing|s)?|fatal|exception|denied|refused|cannot|can't|not found|unable to|invalid|missing|mismatch|killed|abort(?:ed)?|undefined|unexpected|expected|assert(?:ion)?|lock ?file|fix)\b|\.lock\b/i;
/** Sentences of success and options that have the same words in them. */
const IS_FINE =
  /\b(?:0|no|zero|without)\s+(?:errors?|failures?|failed|problems?|vulnerabilities)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?0\b|\bfail-fast\b|\bcontinue-on-error\b|\bnpm warn\b|\bpassed\b|^\s*(?:✓|✔|√|ok \d)/i;

/** How much a line, already without what belongs to the runner, says of an error. */
export function gradeOf(text: string): LogLine['grade'] {
  if (!MAY_TELL.test(text)) return 0;
  if (EXIT.test(text)) return 1;
  const isFine = IS_FINE.test(text);
  if (NAMES_ERROR.some((pattern) => pattern.test(text))) return isFine ? 1 : 2;
  return !isFine && MAY_NAME_ERROR.test(text) ? 1 : 0;
}
