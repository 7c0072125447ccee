/** What a standup looks back on, from the store alone, and where citations are checked. */
import { defaultConfig, type Config } from '../../domain/config/config.ts';
import type { LedgerEntry } from '../../domain/run/ledger.ts';
import { activeTeam } from '../../domain/persona/roster.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { buildRecord } from '../../domain/standup/look-back/build-record.ts';
import {
  recordTexts,
  type RecordStep,
  type StandupRecord,
} from '../../domain/standup/look-back/record.ts';
import type { Viewed } from '../../domain/standup/inventions.ts';
import type { StandupSource } from '../../domain/standup/standup-run.ts';
import type { LedgerFinding } from '../../domain/review/review.ts';
import type { OutputRules } from '../../domain/text/clean-output.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import { collectRun } from '../../record/standup/collect-run.ts';
import type { ThreadRecord } from '../../record/thread-record.ts';
import type { ActPorts } from '../ports.ts';
import { readRecord } from '../read/read-record.ts';
import { settingsNow } from '../read/survey.ts';
import type { ReadSettings } from '../settings/read-settings.ts';

export interface RunRead {
  stored: ThreadRecord;
  record: StandupRecord;
  config: Config;
  /** Participants in the order of their first step. */
  personas: Persona[];
  /** Of the texts that are shown. */
  rules: OutputRules;
  isAborted: boolean;
  /** Of the pull requests of tasks, by number of the task. */
  findings: Record<number, readonly LedgerFinding[]>;
  /** The default branch's head as it was read last. */
  headSha: string;
}

/** Settings are those that the plan was read with last; a thread without a plan, and a week, is read once. */
export async function readRun(
  { thread, source }: { thread: ThreadRef; source: StandupSource },
  {
    ports,
    session,
    readSettings,
  }: { ports: ActPorts; session: GitHubSession; readSettings: ReadSettings },
): Promise<RunRead> {
  const { week } = source;
  if (week !== undefined) {
    const read = await collectWeekRun(thread, { source, week, store: ports.store });
    return toRead(read, await settingsNow(thread, session, { readSettings }));
  }
  if (ports.lookBack !== undefined) {
    const read = await ports.lookBack({ thread, source });
    const settings = await settingsNow(thread, session, { readSettings });
    return toRead({ ...read, stored: { key: threadKey(thread), streams: [] } }, settings);
  }
  const stored = await readRecord(threadKey(thread), ports.store);
  const states = await loadStates(stored, ports.store);
  const planned = collectRun(stored, states, { source, body: '' });
  if (planned.view !== undefined) {
    const { config, personas, repository } = planned.view;
    return toRead({ ...planned, stored }, { config, personas, facts: repository });
  }
  const settings = await settingsNow(thread, session, { readSettings });
  const read = collectRun(stored, states, { source, body: await settings.body() });
  return toRead({ ...read, stored }, settings);
}

async function loadStates(
  { streams }: ThreadRecord,
  store: ActPorts['store'],
): Promise<Map<string, unknown>> {
  const states = new Map<string, unknown>();
  for (const { key } of streams) states.set(key, (await store.load(key))?.state);
  return states;
}

const MOST_THREADS = 40;

interface WeekAsked {
  source: StandupSource;
  week: NonNullable<StandupSource['week']>;
  store: ActPorts['store'];
}

/** What was said last in each of the week's threads, and what the week cost there. */
async function collectWeekRun(
  thread: ThreadRef,
  { source, week: { from, to, threads }, store }: WeekAsked,
): Promise<Collected> {
  const streams: ThreadRecord['streams'][number][] = [];
  const reviews: RecordStep[] = [];
  const calls: LedgerEntry[] = [];
  const numbers = threads.slice(0, MOST_THREADS);
  for (const number of numbers) {
    const record = await readRecord(threadKey({ ...thread, number }), store);
    const own = collectRun(record, await loadStates(record, store), { source, body: '' });
    reviews.push(...(own.input.reviews ?? []));
    streams.push(...record.streams);
    calls.push(...record.streams.flatMap((each) => each.calls.filter(({ at }) => at > from)));
  }
  const named = numbers.map((number) => `#${number}`).join(', ');
  const { run, outcome } = source;
  const request = `Look back on ${named}, from ${from.slice(0, 10)} to ${to.slice(0, 10)}.`;
  return {
    input: { run, thread: thread.number, outcome, request, tasks: [], reviews, calls },
    isAborted: false,
    stored: { key: threadKey(thread), streams },
  };
}

type Collected = ReturnType<typeof collectRun> & { stored: ThreadRecord };

function toRead(
  { input, isAborted, stored }: Collected,
  {
    config,
    personas,
    facts,
  }: Pick<RunRead, 'config'> & {
    personas: readonly Persona[];
    facts: { fullName: string; host?: string; headSha: string };
  },
): RunRead {
  const record = buildRecord(input);
  const team = activeTeam(personas, { board: false });
  const { fullName: repository, host, headSha } = facts;
  return {
    stored,
    record,
    // A look of an older version knows less of standups.
    config: { ...config, standup: { ...defaultConfig().standup, ...config.standup } },
    personas: record.team.flatMap(
      (handle) => team.find((persona) => persona.handle === handle) ?? [],
    ),
    rules: { repository, ...(host !== undefined && { host }) },
    isAborted,
    findings: Object.fromEntries(
      input.tasks.map(({ run, findings = [] }) => [run.order.ref.task, findings]),
    ),
    headSha,
  };
}

const MOST_PATHS = 20_000;
const MOST_FILES = 40;
const MAX_BYTES = 200_000;
const TOTAL_BYTES = 2_000_000;

export interface SeenHead {
  headSha: string;
  viewed: Viewed;
}

/** The head of the default branch, with the texts of some of its files: three calls at most. */
export async function viewHead(
  thread: ThreadRef,
  {
    session,
    record,
    wanted,
  }: { session: GitHubSession; record: StandupRecord; wanted: readonly string[] },
): Promise<SeenHead> {
  const { headSha } = await session.read.repository(thread);
  if (headSha === '') return { headSha, viewed: { paths: [], record: recordTexts(record) } };
  const { paths } = await session.read.paths(thread, headSha, MOST_PATHS);
  const there = resolveAll(wanted, paths).slice(0, MOST_FILES);
  const texts =
    there.length === 0
      ? []
      : await session.code.texts(thread, headSha, {
          paths: there,
          maxBytes: MAX_BYTES,
          totalBytes: TOTAL_BYTES,
        });
  const whole = texts.filter(({ isCut }) => !isCut);
  return {
    headSha,
    viewed: {
      paths,
      texts: Object.fromEntries(whole.map(({ path, text }) => [path, text])),
      record: recordTexts(record),
    },
  };
}

/** Paths as they were written, and those that end with what was written. */
function resolveAll(wanted: readonly string[], paths: readonly string[]): string[] {
  const all = new Set(paths);
  const found = [...new Set(wanted)].flatMap((each) =>
    all.has(each) ? [each] : paths.filter((path) => path.endsWith(`/${each}`)).slice(0, 3),
  );
  return [...new Set(found)];
}
