/** Reads why something failed: the logs of the failed jobs, what they name in the code, and the commits since it was well. */
import type { BuildJob, BuildRun, CommitRange } from '../../domain/build/build.ts';
import { sourceName } from '../../domain/build/build.ts';
import {
  readingKey,
  type BuildReading,
  type FilePart,
  type JobReading,
} from '../../domain/build/build-view.ts';
import { cutLog } from '../../domain/build/cut-log.ts';
import { findCauses, fingerprintOf, type BuildCause } from '../../domain/build/find-causes.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { indexPaths, resolvePath, type PathIndex } from '../../domain/repository/paths.ts';
import { maskSighted } from '../../domain/secrets/secret-text.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BuildSession } from '../../ports/github/builds.ts';
import type { ActPorts } from '../ports.ts';

export interface FailureAt {
  runs: readonly BuildRun[];
  headSha: string;
  baseSha: string | undefined;
}

interface Context {
  ports: ActPorts;
  session: BuildSession;
}

/** Other jobs fail for the same reason, or are listed by name only. */
const MAX_JOBS = 4;
/** Characters of all logs together. */
const MAX_LOGS = 28_000;
const MAX_PATHS = 20_000;
/** Files that errors name. */
const MAX_FILES = 3;
const MAX_FILE_BYTES = 200_000;
/** Lines before and after the one that is named. */
const AROUND = 25;
const MAX_PART = 6_000;
const MAX_PATCH = 4_000;
const MAX_COMMITS = 30;

export async function readFailure(
  ref: RepositoryRef,
  at: FailureAt,
  context: Context,
): Promise<BuildReading> {
  const { session } = context;
  const { jobs, secrets, more } = await readJobs(ref, at.runs, context);
  const { paths } = await session.read.paths(ref, at.headSha, MAX_PATHS);
  const index = indexPaths(paths);
  const causes = findCauses(jobs.map(toFailed)).map((cause) => resolved(cause, index));
  const named = namedPaths(causes, index);
  const [range, files] = await Promise.all([
    readRange(ref, { ...at, named }, context),
    readParts(ref, { headSha: at.headSha, causes, named }, context),
  ]);
  return {
    key: readingKey(at.runs),
    fingerprint: fingerprintOf(at.runs.map((run) => sourceName(run.source)).join(' '), causes),
    causes,
    jobs,
    ...(range === undefined ? {} : { range }),
    files,
    secrets,
    notRead: [
      ...jobs.flatMap(({ name, why }) => (why === undefined ? [] : [unreadReason(name, why)])),
      ...(more > 0 ? [`${more} more failed jobs`] : []),
    ],
  };
}

function unreadReason(name: string, why: NonNullable<JobReading['why']>): string {
  if (why === 'gone') return `the log of "${name}": GitHub does not keep it any more`;
  return why === 'refused'
    ? `the log of "${name}": the App has no permission \`actions: read\``
    : `the log of "${name}"`;
}

async function readJobs(
  ref: RepositoryRef,
  runs: readonly BuildRun[],
  context: Context,
): Promise<{ jobs: JobReading[]; secrets: number; more: number }> {
  const all: { run: BuildRun; job: BuildJob }[] = [];
  for (const run of runs) {
    const failed = await context.session.builds.failedJobs(ref, run);
    // A workflow that could not start has no jobs: the run itself is what failed.
    const jobs = failed.length === 0 ? [runAsJob(run)] : failed;
    all.push(...jobs.map((job) => ({ run, job })));
  }
  const read = all.slice(0, MAX_JOBS);
  const maxChars = Math.floor(MAX_LOGS / Math.max(1, read.length));
  const readings = [];
  for (const { run, job } of read)
    readings.push(await readJob(ref, { run, job, maxChars }, context));
  return {
    jobs: readings.map(({ job }) => job),
    secrets: readings.reduce((sum, one) => sum + one.secrets, 0),
    more: all.length - read.length,
  };
}

function runAsJob({ name, conclusion = '', url }: BuildRun): BuildJob {
  return { id: 0, name, conclusion, url, steps: [], text: '' };
}

interface OfJob {
  run: BuildRun;
  job: BuildJob;
  maxChars: number;
}

async function readJob(
  ref: RepositoryRef,
  of: OfJob,
  context: Context,
): Promise<{ job: JobReading; secrets: number }> {
  const { run, job } = of;
  const cut = await readLog(ref, of, context);
  const isCut = typeof cut === 'object';
  const text = isCut ? await withoutCredentials(cut.text, context.ports) : { text: '', masked: 0 };
  // Annotations of a check count in addition to its text. For a job they replace a log that is gone.
  const wantsNotes = job.id !== 0 && (job.text !== undefined || !isCut);
  const notes = wantsNotes ? await context.session.builds.notes(ref, job.id) : [];
  const { name, conclusion, url } = job;
  return {
    secrets: isCut ? cut.secrets + text.masked : 0,
    job: {
      run: run.name,
      name,
      conclusion,
      url,
      steps: job.steps.map((step) => step.name),
      log: text.text,
      leftOut: isCut ? cut.leftOut : 0,
      ...(isCut && cut.hidden > 0 ? { hidden: cut.hidden } : {}),
      notes,
      ...(isCut ? {} : { why: cut }),
    },
  };
}

async function readLog(ref: RepositoryRef, { job, maxChars }: OfJob, { session }: Context) {
  if (job.text !== undefined) return cutLog(job.text, { maxChars });
  try {
    const { id, steps } = job;
    return (await session.builds.log(ref, { id, steps, maxChars })) ?? ('gone' as const);
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'github-forbidden')
      return 'refused' as const;
    throw error;
  }
}

/** What a maintained detector finds beyond the shapes that are known anyway: the whole line goes. */
async function withoutCredentials(
  text: string,
  { detectSecrets }: ActPorts,
): Promise<{ text: string; masked: number }> {
  const sighted = (await detectSecrets?.(text, 'job.log')) ?? [];
  return { text: maskSighted(text, sighted), masked: sighted.length };
}

function toFailed({ name, conclusion, steps, log, notes }: JobReading) {
  return { name, conclusion, steps, log, notes };
}

/** The runner's own path to the checkout. The rest after it may be a path of the repository. */
const CHECKOUT =
  /^(?:file:\/\/)?(?:\/home\/runner\/work\/[^/]+\/[^/]+|\/__w\/[^/]+\/[^/]+|\/github\/workspace)\//;

function resolved(cause: BuildCause, index: PathIndex): BuildCause {
  if (cause.place === undefined) return cause;
  const written = cause.place.path.replace(CHECKOUT, '');
  return { ...cause, place: { ...cause.place, path: resolvePath(written, index) ?? written } };
}

/** Files of the repository that errors name, in the order of the causes. */
function namedPaths(causes: readonly BuildCause[], { all }: PathIndex): string[] {
  const paths = causes.flatMap(({ place }) => place?.path ?? []).filter((path) => all.has(path));
  return [...new Set(paths)].slice(0, MAX_FILES);
}

async function readRange(
  ref: RepositoryRef,
  { baseSha, headSha, named }: FailureAt & { named: readonly string[] },
  { session }: Context,
): Promise<BuildReading['range']> {
  if (baseSha === undefined || baseSha === headSha) return undefined;
  const range = await session.builds.range(ref, { baseSha, headSha }).catch(nothingIfGone);
  if (range === undefined) return undefined;
  const touching = await readTouching(ref, { headSha, named, range }, session);
  const first = range.commits.filter(({ sha }) => touching.has(sha));
  const others = range.commits.filter(({ sha }) => !touching.has(sha));
  return {
    commits: [...first, ...others].slice(0, MAX_COMMITS),
    suspects: first.length,
    total: range.total,
    patches: range.files.flatMap(({ path, patch }) =>
      named.includes(path) && patch !== undefined
        ? [{ path, patch: patch.slice(0, MAX_PATCH).toWellFormed() }]
        : [],
    ),
  };
}

/** After a force-push the last green head may be gone. */
function nothingIfGone(error: unknown): undefined {
  if (error instanceof RefusedError) return undefined;
  throw error;
}

interface Touching {
  headSha: string;
  named: readonly string[];
  range: CommitRange;
}

async function readTouching(
  ref: RepositoryRef,
  { headSha, named, range }: Touching,
  { history }: BuildSession,
): Promise<Set<string>> {
  const changed = new Set(range.files.map(({ path }) => path));
  const lists = await Promise.all(
    named
      .filter((path) => changed.has(path))
      .map((path) => history.commits(ref, { path, sha: headSha })),
  );
  return new Set(lists.flatMap(({ commits }) => commits.map(({ sha }) => sha)));
}

async function readParts(
  ref: RepositoryRef,
  of: { headSha: string; causes: readonly BuildCause[]; named: readonly string[] },
  { session }: Context,
): Promise<FilePart[]> {
  if (of.named.length === 0) return [];
  const want = { paths: [...of.named], maxBytes: MAX_FILE_BYTES };
  const files = await session.read.files(ref, of.headSha, want);
  return files.map(({ path, text }) => {
    const line = of.causes.find(({ place }) => place?.path === path)?.place?.line ?? 1;
    const from = Math.max(1, line - AROUND);
    const lines = text.split('\n').slice(from - 1, line + AROUND);
    return { path, from, text: lines.join('\n').slice(0, MAX_PART).toWellFormed() };
  });
}
