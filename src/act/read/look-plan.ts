/** Reads a plan's issue, the settings that hold for it, and who may have approved it. */
import { permitUnless, type Permit } from '../../domain/run/permit/permit.ts';
import { withoutCommands } from '../../domain/commands/command-line.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { Config } from '../../domain/config/config.ts';
import { isBefore } from '../../domain/plan/approval.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { findWriter } from '../../domain/plan/body/body-versions.ts';
import { DOCS_FILES } from '../../domain/plan/docs-tasks.ts';
import type { PlanView } from '../../domain/plan/plan-view.ts';
import { parseMarker } from '../../domain/github/marker.ts';
import { diffIn } from '../../domain/task/diff-block.ts';
import { taskOfQuestion, type Said } from '../../domain/task/exchange.ts';
import { hasPermission, threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import { findWork } from '../recover/find-work.ts';
import { isAsleep } from './look-rest.ts';
import { readPermissions, speakersIn } from '../settings/read-permissions.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import type { UnsignedReason } from '../settings/signatures.ts';
import { surveyIssue } from './survey.ts';
import { findHands, findUnheld } from '../task/look-tasks.ts';
import { workAt } from '../task/coder/coding-runtime.ts';

/** One call where the server can. */
export async function lookAtPlan(
  data: LookData,
  context: { ports: ActPorts; readSettings: ReadSettings; readUnsignedReason: UnsignedReason },
): Promise<Performed<'look-plan'>> {
  const { ports, readSettings, readUnsignedReason } = context;
  const { thread, actor, thumbs, hasQuestions } = data;
  const session = ports.github.at(thread);
  const people = actor === undefined ? [] : [actor];
  const seen = await surveyIssue(session, thread, { people, comments: 0, pastIssues: 0 });
  const { facts: repository, issue, settingsFrom: paths } = seen;
  const { config, personas } = await readSettings(thread, { session, facts: repository, paths });
  const result: PlanView = { repository, issue, config, personas: [...personas] };
  if (actor !== undefined) {
    const { of } = await readPermissions(thread, session, { people, known: seen.permissions });
    result.actorPermission = of(actor.id);
    if (data.isForOneTask !== true) Object.assign(result, await writerOf(issue, thread, ports));
  }
  if (thumbs !== undefined) result.thumbs = await thumbsOn(data, thumbs, { issue, ports });
  Object.assign(result, await docsIn(thread, result, session));
  if (await isAsleep(thread, config, session)) result.isAsleep = true;
  if (hasQuestions === true) result.said = await saidIn(thread, session, ports);
  const coding = mayCode(ports, config);
  if (coding.kind === 'allowed') Object.assign(result, await readUnsignedReason(thread, result));
  else result.whyNoCoder = coding.reason;
  Object.assign(result, unwritableReason(issue.body, config, ports));
  if (ports.codingRuntime !== undefined)
    Object.assign(result, await workOn({ thread, view: result }, data, ports));
  return { effectKind: 'look-plan', result, githubCalls: session.counts };
}

/** Which of the documents that a plan may have to write are there; only where that is wanted. */
async function docsIn(
  thread: ThreadRef,
  { config, repository: { headSha } }: PlanView,
  { read }: GitHubSession,
): Promise<Pick<PlanView, 'docs'>> {
  if (!config.plans.docsTasks || headSha === '') return {};
  const wanted = { paths: [...DOCS_FILES], maxBytes: 1_000 };
  const there = await read.files(thread, headSha, wanted);
  return { docs: there.map(({ path }) => path) };
}

type LookData = Extract<EffectData, { kind: 'look-plan' }>;

/** Where its tasks stand, besides what the plan's text says. */
async function workOn(
  about: { thread: ThreadRef; view: PlanView },
  { isForOneTask, isUnknown, held = [], expected = [] }: LookData,
  ports: ActPorts,
): Promise<Pick<PlanView, 'found' | 'unheld' | 'hasOthers' | 'hands'>> {
  if (isForOneTask === true) return {};
  const found = isUnknown === true ? await findWork(about, ports) : undefined;
  // What was found again is taken up, not given back.
  const taken = (found ?? []).map(({ task }) => task);
  const seen = await findUnheld({ ...about, held: [...held, ...taken] }, ports);
  const { unheld, hasOthers } = seen;
  const hands = await findHands({ ...about, expected }, workAt(ports, about.thread));
  return {
    ...(found !== undefined && { found }),
    ...(unheld.length > 0 && { unheld }),
    ...(hasOthers && { hasOthers }),
    ...(hands.length > 0 && { hands }),
  };
}

function mayCode({ codingRuntime }: ActPorts, { coder }: Config): Permit {
  const lack = codingRuntime?.lacksRunner?.(coder.runner);
  return permitUnless([
    [coder.runner === 'off', 'writing code is switched off here (`coder.runner: off`)'],
    [codingRuntime === undefined, 'the App here writes no code (`QUORUM_CODER`)'],
    [lack !== undefined, lack ?? ''],
  ]);
}

/** Tasks that carry their own diff need no coder. */
function unwritableReason(
  body: string,
  { coder }: Pick<Config, 'coder'>,
  { codingRuntime }: ActPorts,
): Pick<PlanView, 'whyUnwritable'> {
  // A workflow brings its own.
  const lack = coder.runner === 'actions' ? undefined : codingRuntime?.lacksCoder;
  const open = parsePlan(body).tasks.filter(({ status }) => status !== 'completed');
  const isCarried = open.some(({ description }) => diffIn(description) !== undefined);
  if (lack === undefined || open.length === 0 || isCarried) return {};
  return { whyUnwritable: `${lack}, and no task carries its change as a \`diff\` block` };
}

/** The later of two moments; undefined where GitHub does not tell when the text was edited last. */
function lastOf(shownAt: string, editedAt: string | null | undefined): string | undefined {
  if (editedAt === undefined) return undefined;
  return editedAt === null || isBefore(editedAt, shownAt) ? shownAt : editedAt;
}

/** Who gave the text what its digest is of; nothing where GitHub does not tell. */
async function writerOf(
  { author, body, lastEditedAt }: PlanView['issue'],
  thread: ThreadRef,
  ports: ActPorts,
): Promise<Pick<PlanView, 'writer'>> {
  if (lastEditedAt === undefined) return {};
  const by =
    lastEditedAt === null
      ? author
      : findWriter(body, await workAt(ports, thread).plans.history(thread));
  return by === undefined || by.isBot ? {} : { writer: { id: by.id, login: by.login } };
}

/** People who left a thumbs-up after that second and may approve: an older one says nothing about the text. */
async function thumbsOn(
  { thread }: LookData,
  { commentId, since: from }: NonNullable<LookData['thumbs']>,
  { issue, ports }: { issue: PlanView['issue']; ports: ActPorts },
): Promise<{ id: number; login: string }[]> {
  const since = lastOf(from, issue.lastEditedAt);
  if (since === undefined) return [];
  const session = workAt(ports, thread);
  const reactions = await session.work.reactions(thread, commentId);
  const fresh = reactions.filter(
    ({ content, by, createdAt }) => content === '+1' && !by.isBot && isBefore(since, createdAt),
  );
  const found: { id: number; login: string }[] = [];
  for (const { by } of fresh) {
    const { id, login } = by;
    const held = await session.read.permission(thread, { id, login });
    if (hasPermission(held, 'write')) found.push({ id, login });
  }
  return found;
}

const MAX_COMMENTS = 100;

/** Where our questions stand, and what people said who may write. */
async function saidIn(
  thread: ThreadRef,
  session: GitHubSession,
  { markerSecret }: ActPorts,
): Promise<Said[]> {
  const comments = await session.read.comments(thread, MAX_COMMENTS);
  const roles = await readPermissions(thread, session, {
    people: speakersIn(comments),
    known: new Map(),
  });
  return comments.flatMap(({ isOurs, author, body }): Said[] => {
    if (isOurs) {
      const marker = parseMarker(body, markerSecret, threadKey(thread));
      const task = marker && taskOfQuestion(marker.key);
      return task === undefined ? [] : [{ kind: 'question', task }];
    }
    // A command is for us, not for the coder.
    const text = withoutCommands(body);
    if (author.isBot || text === '' || !hasPermission(roles.of(author.id), 'write')) return [];
    const { id, login } = author;
    return [{ kind: 'said', by: { id, login }, text }];
  });
}
