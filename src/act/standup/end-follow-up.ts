/** A follow-up issue was closed: by what, and what that means to its tension. */
import { isGone } from '../../domain/tension/tension-evidence.ts';
import { endFollowUp, type FollowUpEnd } from '../../domain/tension/move-tension.ts';
import type { Tension } from '../../domain/tension/tension.ts';
import { toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { changeValue, readValue } from './change-value.ts';

const MOST_PATHS = 20_000;
const MAX_BYTES = 200_000;

export async function endFollowUpIssue(
  { thread, by, isDeleted }: DataOf<'end-follow-up'>,
  { ports, at }: EffectContext,
): Promise<Performed<'end-follow-up'>> {
  const session = ports.github.at(thread);
  const { standups } = ports.store;
  const { repositoryId: repository, number: issue } = thread;
  const done = (tension?: Tension): Performed<'end-follow-up'> => ({
    effectKind: 'end-follow-up',
    result: tension === undefined ? {} : { tension },
    githubCalls: session.counts,
  });
  const before = await readValue(standups, repository, 'tensions');
  const found = before.tensions.findLast((each) => each.issue === issue);
  // An attempt that ended with the process may have moved it already. It is reported all the same.
  const isRejected = found?.state === 'rejected' && found.notPlanned !== issue;
  if (found?.state !== 'accepted' && !isRejected) return done(found);
  const end: FollowUpEnd | undefined =
    isDeleted === true ? { kind: 'deleted' } : await howItEnded(thread, { found, by, session });
  if (end === undefined) return done();
  const book = await changeValue(standups, { repository, name: 'tensions' }, (now) =>
    endFollowUp(now, { issue, end, at }),
  );
  return done(book.tensions.find(({ number }) => number === found.number));
}

interface Ending {
  found: Tension;
  by: string;
  session: GitHubSession;
}

/** Undefined while the issue is open. */
async function howItEnded(thread: ThreadRef, ending: Ending): Promise<FollowUpEnd | undefined> {
  const { session, by } = ending;
  const closed = await session.code.threads(toRepositoryRef(thread), { state: 'closed' });
  const own = closed.find(({ number }) => number === thread.number);
  if (own === undefined) return undefined;
  if (own.stateReason === 'not_planned' || own.stateReason === 'duplicate')
    return { kind: 'not-planned', by };
  return (await commitOf(thread, ending)) ?? { kind: 'completed', issue: thread.number };
}

/** The newest commit of a cited file, once the cited lines are gone, and the pull request that brought it in. */
async function commitOf(
  thread: ThreadRef,
  { found: { evidence }, session }: Ending,
): Promise<FollowUpEnd | undefined> {
  const cited = evidence.places.filter(({ lines }) => lines.length > 0).map(({ path }) => path);
  const [path] = cited;
  if (path === undefined) return undefined;
  const { headSha } = await session.read.repository(thread);
  const [{ paths }, files] = await Promise.all([
    session.read.paths(thread, headSha, MOST_PATHS),
    session.read.files(thread, headSha, { paths: cited, maxBytes: MAX_BYTES }),
  ]);
  const texts = Object.fromEntries(files.map((file) => [file.path, file.text]));
  if (!isGone(evidence, { paths, texts })) return undefined;
  const { commits } = await session.history.commits(thread, { path, sha: headSha });
  const [newest] = commits;
  if (newest === undefined) return undefined;
  const pull = await session.history.broughtIn(thread, newest.sha);
  return pull === undefined
    ? { kind: 'merged', sha: newest.sha }
    : { kind: 'merged', sha: pull.mergeSha, pull: pull.number };
}
