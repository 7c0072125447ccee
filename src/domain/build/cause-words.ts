/** Causes of failed builds as people say them. */
import { codeSpan } from '../text/code-span.ts';
import type { Place, Severity } from '../review/signal.ts';
import type { CauseKind } from './detect/detect.ts';
import type { BuildCause } from './find-causes.ts';

/** Nothing in the repository has to change for these to pass the next time. */
const PASSING: ReadonlySet<CauseKind> = new Set(['network', 'disk']);

/** Whether a failure says nothing about the code: all of its causes lie outside. */
export function isOutside(causes: readonly BuildCause[]): boolean {
  return causes.length > 0 && causes.every(({ kind }) => PASSING.has(kind));
}

const MAX_SAYS = 140;

interface Words {
  says: string;
  /** ` in …`, where the place is known. */
  at: string;
  /** The place as a subject. */
  where: string;
  /** ` …`, where there is a name. */
  name: string;
  job: string;
}

const SENTENCES: Readonly<Record<CauseKind, (words: Words) => string>> = {
  test: ({ name, at, says }) => `the test${name} fails${at}: ${says}`,
  compile: ({ where, says }) => `${where} does not compile: ${says}`,
  lint: ({ where, name, says }) => `${where} breaks the rule${name}: ${says}`,
  dependency: ({ name, at, says }) =>
    `a dependency${name} is missing or does not fit${at}: ${says}`,
  workflow: ({ at, says }) => `the workflow itself is wrong${at}: ${says}`,
  memory: ({ says }) => `the job ran out of memory: ${says}`,
  disk: ({ says }) => `the runner's disk is full: ${says}`,
  timeout: ({ says }) => `the job took too long: ${says}`,
  network: ({ says }) => `the network or a service was away: ${says}`,
  check: ({ job, at, says }) => `the check ${job} says${at}: ${says}`,
  unknown: ({ says }) => `no known cause; the first that looks like one: ${says}`,
};

/** One sentence without a full stop: what failed, where, and the tool's own words. */
export function causeSentence({ kind, subject, place, says, job }: BuildCause): string {
  return SENTENCES[kind]({
    says: codeSpan(shorten(says)),
    at: place === undefined ? '' : ` in ${placeSpan(place)}`,
    where: place === undefined ? 'something' : placeSpan(place),
    name: subject === undefined ? '' : ` ${codeSpan(subject)}`,
    job: codeSpan(job),
  });
}

function shorten(text: string): string {
  return text.length <= MAX_SAYS ? text : `${text.slice(0, MAX_SAYS - 1).toWellFormed()}…`;
}

function placeSpan({ path, line }: Place): string {
  return codeSpan(line === undefined ? path : `${path}:${line}`);
}

/** How much a cause weighs among the facts of a discussion. */
export function causeSeverity(kind: CauseKind): Severity {
  return PASSING.has(kind) || kind === 'unknown' || kind === 'timeout' ? 'medium' : 'high';
}

/** The smallest fix, where the message shows one. */
export function causeFix(cause: BuildCause): string | undefined {
  if (cause.fix !== undefined) return cause.fix;
  if (cause.kind !== 'test') return undefined;
  const name = codeSpan(cause.subject ?? 'the test');
  return `make ${name} pass, or change what it expects where the new behaviour is meant`;
}
