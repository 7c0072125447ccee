/** Reads what was said and changed in work that is over, and the files of roles that something of it may belong into. */
import { permitUnless, type Permit } from '../../domain/run/permit/permit.ts';
import { withoutCommands } from '../../domain/commands/command-line.ts';
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { ROLE_PATHS } from '../../domain/memory/role/role-memory.ts';
import {
  shownQuestion,
  type AnsweredQuestion,
  type RoleSource,
  type SaidInThread,
} from '../../domain/memory/role/role-run.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { trustOf } from '../../domain/prompt/quarantine.ts';
import { addCalls } from '../../domain/run/ledger.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../ports/github/github-reader.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import { pullsAt, type ActPorts, type Performed } from '../ports.ts';
import { readReportAnswers } from '../read/read-report.ts';
import { settingsNow } from '../read/survey.ts';
import { readPermissions, speakersIn } from '../settings/read-permissions.ts';
import { roleTexts } from './role-texts.ts';

const MAX_COMMENTS = 60;
const MAX_SAID = 2_000;
const MAX_BODY = 4_000;
const MAX_DIFF = 20_000;
const MAX_ANSWERED = 20;

export async function lookAtRoles(
  { thread, source }: DataOf<'look-roles'>,
  { ports, readSettings }: EffectContext,
): Promise<Performed<'look-roles'>> {
  const session = ports.github.at(thread);
  const wanted = { readSettings, files: Object.values(ROLE_PATHS) };
  const { config, personas, texts: found } = await settingsNow(thread, session, wanted);
  const isCut = found.some((file) => file.isCut);
  const merged = await readMerged(thread, source, { session, ports });
  const permit = mayPropose(config, { isCut, isMerged: merged.isMerged });
  const said = permit.kind === 'allowed' ? await readSaid(thread, source, session) : [];
  const answered = permit.kind === 'allowed' ? await readAnswered(thread, source, ports) : [];
  const texts = await roleTexts(new Map(found.map(({ path, text }) => [path, text])), ports);
  const pm = findPm(personas);
  return {
    effectKind: 'look-roles',
    result: {
      ...(permit.kind === 'refused' && { off: permit.reason }),
      config,
      material: { said, ...(answered.length > 0 && { answered }), diff: merged.diff },
      texts,
      ...(pm && { pm }),
      nonce: ports.random.id(),
    },
    githubCalls: session.counts,
  };
}

/** Of a task, its plan's record has them. */
async function readAnswered(
  thread: ThreadRef,
  { task }: RoleSource,
  { store }: ActPorts,
): Promise<AnsweredQuestion[]> {
  const answers = await readReportAnswers(task?.plan ?? thread, store);
  return answers.slice(-MAX_ANSWERED).map(({ question, answer }) => ({
    question: shownQuestion(question),
    answer: shownQuestion(answer),
  }));
}

function mayPropose(
  { enabled, memory }: Config,
  { isCut, isMerged }: { isCut: boolean; isMerged: boolean },
): Permit {
  return permitUnless([
    [!enabled, 'Quorum is switched off here'],
    [!memory.enabled || !memory.proposals, 'proposals for memory are switched off here'],
    [!isMerged, 'the pull request was not merged'],
    [isCut, 'a file of role memory is too large to be read'],
  ]);
}

function findPm(personas: readonly Persona[]): Persona | undefined {
  const active = personas.filter((each) => each.active);
  return active.find(({ role }) => /\b(?:pm|product manager)\b/i.test(role)) ?? active[0];
}

interface Reading {
  session: GitHubSession;
  ports: ActPorts;
}

/** What was merged. A thread without a task has nothing that would have to be. */
async function readMerged(
  thread: ThreadRef,
  { task }: RoleSource,
  { session, ports }: Reading,
): Promise<{ isMerged: boolean; diff: string }> {
  if (task === undefined) return { isMerged: true, diff: '' };
  const { pulls, counts } = pullsAt(ports, thread);
  const { isMerged, baseSha, headSha } = await pulls.pull(thread);
  const diff = isMerged ? await pulls.changes(thread, { baseSha, headSha }).catch(noDiff) : NO_DIFF;
  addCalls(session.counts, counts);
  return { isMerged, diff: diff.diff.slice(0, MAX_DIFF).toWellFormed() };
}

const NO_DIFF = { diff: '' };

/** A branch may be gone: what was said is there all the same. */
function noDiff(error: unknown): typeof NO_DIFF {
  if (error instanceof QuorumError && !error.retryable) return NO_DIFF;
  throw error;
}

/** The thread itself, and the plan that a task is of. */
async function readSaid(
  thread: ThreadRef,
  { task, begunAt }: RoleSource,
  session: GitHubSession,
): Promise<SaidInThread[]> {
  if (task === undefined) return readThread(thread, session, { name: 'thread' });
  const { body } = await session.read.issue(task.plan);
  const { tasks } = parsePlan(body);
  const others = tasks.filter(({ number }) => number !== task.task);
  const isFirst = others.every(({ status }) => status !== 'completed');
  // Earlier statements are proposed with the first task of a plan, and not again with each task.
  const since = isFirst ? undefined : begunAt;
  return [
    ...(await readThread(task.plan, session, { name: 'plan', since })),
    ...(await readThread(thread, session, { name: 'pull request' })),
  ];
}

interface Wanted {
  name: string;
  since?: string | undefined;
}

async function readThread(
  thread: ThreadRef,
  session: GitHubSession,
  { name, since }: Wanted,
): Promise<SaidInThread[]> {
  const [issue, all] = await Promise.all([
    session.read.issue(thread),
    session.read.comments(thread, MAX_COMMENTS),
  ]);
  const from = since === undefined ? 0 : Date.parse(since);
  const comments = all.filter(({ createdAt }) => Date.parse(createdAt) >= from);
  const known = new Map([[issue.author.id, issue.authorPermission]]);
  const { of } = await readPermissions(thread, session, { people: speakersIn(comments), known });
  const isOwnText = !issue.author.isBot && since === undefined;
  const opening = {
    source: `${name} ${thread.number}`,
    by: issue.author.login,
    trust: trustOf(issue.authorPermission),
    text: issue.body.slice(0, MAX_BODY).toWellFormed(),
  };
  const said = comments.flatMap((comment) => {
    const trust = comment.isOurs ? ('stranger' as const) : trustOf(of(comment.author.id));
    return toSaid(comment, `${name} ${thread.number}, comment`, trust);
  });
  return [...(isOwnText ? [opening] : []), ...said];
}

/** Our own questions are kept for their answers. Comments by other automated accounts are left out. */
function toSaid(
  { author, isOurs, body }: CommentFacts,
  source: string,
  trust: SaidInThread['trust'],
): SaidInThread[] {
  if (author.isBot && !isOurs) return [];
  const text = withoutCommands(body).slice(0, MAX_SAID).toWellFormed().trim();
  return text === '' ? [] : [{ source, by: author.login, trust, text }];
}
