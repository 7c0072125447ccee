/** Reads what only some comments ask for: merges, memory, reports and tensions. */
import { addCalls } from '../../../domain/run/ledger.ts';
import type { MergeStanding } from '../../../domain/task/merge-view.ts';
import type { TalkView } from '../../../domain/run/talk.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../../ports/github/github-reader.ts';
import type { GitHubSession } from '../../../ports/github/github.ts';
import { readValue } from '../../standup/change-value.ts';
import { readReportAnswers, readReport } from '../read-report.ts';
import { readMergeStanding } from '../../task/merge-pull.ts';
import { listNotes } from '../../memory/list-notes.ts';
import type { ReadMemory } from '../../memory/read-memory.ts';
import { workAt } from '../../task/coder/coding-runtime.ts';
import type { ActPorts } from '../../ports.ts';
import type { ReadSettings } from '../../settings/read-settings.ts';
import type { TeamNames } from '../../settings/team-names.ts';

export interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  teamNames: TeamNames;
  readMemory: ReadMemory;
}

/** A comment and the conversation that it is in. */
export interface Heard {
  comment: CommentFacts;
  comments: CommentFacts[];
  review?: NonNullable<TalkView['review']>;
}

export interface Reading extends Context {
  session: GitHubSession;
  talk: Heard;
}

/** Cheap looks for commands that need more than others; whether a line counts as one, the parser tells. */
const NEEDS_MERGE = /^ {0,3}\/pm[ \t]{1,9}(?:explain|ok-to-run)\b/im;

const NEEDS_REPORT = /^ {0,3}\/pm[ \t]{1,9}(?:report|done)\b/im;

const NEEDS_MEMORY =
  /^ {0,3}\/pm[ \t]{1,9}(?:memory|forget|correct|change[ \t]{1,9}(?:m:)?[0-9a-f]{10})\b/im;

/** Only a list says of each note whether what it cites is still there. */
const NEEDS_CODE = /^ {0,3}\/pm[ \t]{1,9}memory[ \t]{0,9}[.,!]?[ \t]{0,9}$/im;

const NEEDS_ANSWERS = /^ {0,3}\/pm[ \t]{1,9}correct\b/im;

const NEEDS_TENSIONS = /^ {0,3}\/pm[ \t]{1,9}tensions?\b/im;

/** What only some commands need. */
export async function readAsked(
  thread: ThreadRef,
  asked: Pick<TalkView, 'repository' | 'issue' | 'config'> & { body: string },
  { ports, session, readMemory }: Reading,
): Promise<
  Pick<
    TalkView,
    'merge' | 'memory' | 'memoryMore' | 'memoryUntold' | 'report' | 'answers' | 'tensions'
  >
> {
  const { body, repository, issue } = asked;
  const [merge, memory, report, answers, tensions] = await Promise.all([
    issue.isPull && NEEDS_MERGE.test(body) ? readMerge(thread, session, ports) : undefined,
    readNotes(thread, asked, { ports, session, readMemory }),
    NEEDS_REPORT.test(body) ? readReport(thread, repository, ports.store) : undefined,
    NEEDS_ANSWERS.test(body) ? readReportAnswers(thread, ports.store) : undefined,
    readTensions(thread, body, ports),
  ]);
  return {
    ...(merge && { merge }),
    ...memory,
    ...(report && { report }),
    ...(answers && { answers }),
    ...tensions,
  };
}

async function readNotes(
  thread: ThreadRef,
  { body, repository, config }: Pick<TalkView, 'repository' | 'config'> & { body: string },
  { ports, session, readMemory }: Pick<Reading, 'ports' | 'session' | 'readMemory'>,
): Promise<Pick<TalkView, 'memory' | 'memoryMore' | 'memoryUntold'>> {
  if (!config.memory.enabled || !NEEDS_MEMORY.test(body)) return {};
  const { headSha } = repository;
  const { clock } = ports;
  const listing = { session, config, readMemory, clock, ...(NEEDS_CODE.test(body) && { headSha }) };
  const listed = await listNotes(thread, listing);
  if (listed === undefined) return {};
  const { notes, more, isUntold } = listed;
  return { memory: notes, memoryUntold: isUntold, ...(more > 0 && { memoryMore: more }) };
}

async function readTensions(
  { repositoryId }: ThreadRef,
  body: string,
  { store }: ActPorts,
): Promise<Pick<TalkView, 'tensions'>> {
  if (!NEEDS_TENSIONS.test(body)) return {};
  return { tensions: await readValue(store.standups, repositoryId, 'tensions') };
}

async function readMerge(
  thread: ThreadRef,
  { counts }: GitHubSession,
  ports: ActPorts,
): Promise<MergeStanding> {
  const session = workAt(ports, thread);
  const standing = await readMergeStanding(thread, session);
  addCalls(counts, session.counts);
  return standing;
}
