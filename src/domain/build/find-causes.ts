/** Says why a build failed, from what its log says: the cause first, what follows from it after. */
import { createHash } from 'node:crypto';
import type { Place } from '../review/signal.ts';
import { COMPILED } from './detect/compiled.ts';
import {
  CAUSE_KINDS,
  type CauseKind,
  createLogText,
  type Detector,
  type Sight,
} from './detect/detect.ts';
import { GENERAL } from './detect/general.ts';
import { NODE } from './detect/node.ts';
import { PYTHON } from './detect/python.ts';
import { gradeOf } from './log-line.ts';

/** Why one job failed. */
export interface BuildCause extends Sight {
  /** The job that says so. */
  job: string;
}

/** What is known of one job that failed. */
export interface FailedJob {
  name: string;
  /** GitHub's word: `failure`, `timed_out`, `startup_failure`. */
  conclusion: string;
  /** Names of the steps that failed. */
  steps: readonly string[];
  /** Already cut to what matters. */
  log: string;
  /** What the job or the check says at places, the failures of it. */
  notes: readonly { path: string; line: number; message: string }[];
}

const DETECTORS: readonly Detector[] = [...PYTHON, ...NODE, ...COMPILED, ...GENERAL];
/** More of one log repeats itself. */
const MAX_CAUSES = 12;

/** Never throws; linear in the length of the logs. Empty for no jobs, else at least one cause a job. */
export function findCauses(jobs: readonly FailedJob[]): BuildCause[] {
  return jobs.flatMap((job) => causesOf(job).map((sight) => ({ ...sight, job: job.name })));
}

function causesOf(job: FailedJob): Sight[] {
  const found = [...read(job.log), ...job.notes.flatMap(toSight)];
  if (job.conclusion === 'timed_out' && !found.some(({ kind }) => kind === 'timeout'))
    found.push({ kind: 'timeout', says: 'the job ran longer than it may' });
  if (job.conclusion === 'startup_failure' && !found.some(({ kind }) => kind === 'workflow'))
    found.push({
      kind: 'workflow',
      says: 'the workflow could not be started',
      fix: 'correct the workflow file',
    });
  const different = withoutRepeats(found);
  const [first] = different;
  return first === undefined ? [unknown(job)] : inOrder(different).slice(0, MAX_CAUSES);
}

function read(log: string): Sight[] {
  const lines = log.split('\n');
  const text = createLogText(lines);
  const found: Sight[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    for (const detect of DETECTORS) {
      const sight = detect(text, at);
      if (sight === undefined) continue;
      found.push({ ...sight, says: toOneLine(sight.says) });
      break;
    }
  }
  return found;
}

/** An annotation is what a tool says at a place; its words tell of what kind it is. */
function toSight({ path, line, message }: FailedJob['notes'][number]): Sight[] {
  // Actions puts a failed step's exit code on the workflow's folder.
  if (path === '.github') return read(message);
  const [known] = read(`${path}:${line}:1: error: ${message}`);
  const says = toOneLine(message);
  return [{ kind: known?.kind ?? 'check', says, place: { path, line } }];
}

const MAX_SAYS = 240;

function toOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_SAYS ? line : `${line.slice(0, MAX_SAYS - 1).toWellFormed()}…`;
}

/** Runners say the same again in their summary, with less of it: the one with a place is kept. */
function withoutRepeats(found: readonly Sight[]): Sight[] {
  const kept = new Map<string, Sight>();
  for (const sight of found) {
    const key = keyOf(sight);
    const known = kept.get(key);
    if (known === undefined || (known.place === undefined && sight.place !== undefined))
      kept.set(key, known === undefined ? sight : { ...known, ...sight });
  }
  return [...kept.values()];
}

/** One of each is enough: a network, a memory, a clock. */
const ONCE: ReadonlySet<string> = new Set<CauseKind>(['network', 'memory', 'timeout']);

function keyOf({ kind, subject, says, place }: Sight): string {
  if (ONCE.has(kind)) return kind;
  if (kind === 'test') return `test ${nameOf(subject ?? says)}`;
  if (kind === 'dependency') return `dependency ${subject ?? place?.path ?? says}`;
  const where = place === undefined ? says : `${place.path}:${place.line} ${subject}`;
  return `${kind} ${where}`;
}

/** `suite > name`, `suite › name` and `suite.name` are one test. */
function nameOf(subject: string): string {
  return subject
    .replaceAll(/\s*[>›:]+\s*|\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The more telling first; of one kind, in the order of the log. */
function inOrder(found: readonly Sight[]): Sight[] {
  return found.toSorted((a, b) => CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind));
}

/** The first line that names an error, in its own words. */
function unknown({ log, steps, conclusion }: FailedJob): Sight {
  const lines = log.split('\n');
  const said =
    lines.find((line) => gradeOf(line) === 2) ?? lines.find((line) => gradeOf(line) === 1);
  const [step] = steps;
  const where = step === undefined ? `the job ended as ${conclusion}` : `the step "${step}" failed`;
  return { kind: 'unknown', says: toOneLine(said ?? where) };
}

/** One name for the same failure: what differs between two runs of it (lines, times, addresses) is left out. */
export function fingerprintOf(source: string, causes: readonly BuildCause[]): string {
  const first = new Map<string, BuildCause>();
  for (const cause of causes) if (!first.has(cause.job)) first.set(cause.job, cause);
  const keys = [...first.values()].map((cause) => stableKey(cause)).toSorted();
  return createHash('sha256')
    .update([source, ...keys].join('\n'))
    .digest('hex')
    .slice(0, 20);
}

function stableKey({ job, kind, subject, says, place }: BuildCause): string {
  // A test is known by its name, whatever it says this time.
  if (kind === 'test' && subject !== undefined) return [job, kind, nameOf(subject)].join(' ');
  return [job, kind, subject ?? '', fileOf(place), stable(says)].join(' ');
}

function fileOf(place: Place | undefined): string {
  return place === undefined ? '' : place.path.slice(place.path.lastIndexOf('/') + 1);
}

function stable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/(?:[a-z]:)?(?:[\\/][\w.@-]+){2,}/g, '/')
    .replaceAll(/\b0x[0-9a-f]+\b|\b[0-9a-f]{7,}\b|\d+/g, '#')
    .replaceAll(/\s+/g, ' ');
}
