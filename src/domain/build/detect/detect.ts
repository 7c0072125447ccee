/** The input of a detector of causes: the lines of a log, and a look around one of them. */
import type { Place } from '../../review/signal.ts';

/** What goes wrong in builds, the more telling of two first: without a workflow nothing installs, without that nothing compiles. */
export const CAUSE_KINDS = [
  'workflow',
  'memory',
  'disk',
  'dependency',
  'compile',
  'lint',
  'test',
  'timeout',
  'check',
  'network',
  'unknown',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** One thing that a log says went wrong. */
export interface Sight {
  kind: CauseKind;
  /** The tool's own words, one line. */
  says: string;
  /** Name of the test, package, rule or command. */
  subject?: string;
  /** As the log writes it; it may be of the runner's disk. */
  place?: Place;
  /** The smallest fix, where the message shows one. */
  fix?: string;
}

/** Looks at one line; `undefined` when it says nothing to this detector. */
export type Detector = (log: LogText, at: number) => Sight | undefined;

export interface LogText {
  /** The line so many after the one at hand; empty beyond the end. */
  line(at: number): string;
  /** First match in the lines after `at`, at most `within` of them, ending where `until` matches. */
  after(at: number, pattern: RegExp, bounds: { within: number; until?: RegExp }): Match;
  /** Nearest match in the lines before `at`. */
  before(at: number, pattern: RegExp, within: number): Match;
}

type Match = RegExpExecArray | undefined;

export function createLogText(lines: readonly string[]): LogText {
  const line = (at: number): string => lines[at] ?? '';
  return {
    line,
    after: (at, pattern, { within, until }) => {
      for (let index = at + 1; index <= at + within && index < lines.length; index += 1) {
        if (until?.test(line(index)) === true) return undefined;
        const match = pattern.exec(line(index));
        if (match !== null) return match;
      }
      return undefined;
    },
    before: (at, pattern, within) => {
      for (let index = at - 1; index >= 0 && index >= at - within; index -= 1) {
        const match = pattern.exec(line(index));
        if (match !== null) return match;
      }
      return undefined;
    },
  };
}

/** A place from what a pattern caught. */
export function toSourcePlace(
  path: string | undefined,
  line: string | undefined,
): Place | undefined {
  if (path === undefined || path === '') return undefined;
  const number = Number(line);
  return Number.isSafeInteger(number) && number > 0 ? { path, line: number } : { path };
}

/** A sight whose place may be missing. */
export function sight(found: Omit<Sight, 'place'>, place: Place | undefined): Sight {
  return place === undefined ? found : { ...found, place };
}
