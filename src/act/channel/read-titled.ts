/** What GitHub says at this moment of the thread that an announcement is about. */
import type { Announcement } from '../../domain/channel/announce/announcement.ts';
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../domain/plan/plan-digest.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import { readOpenHead } from './open-head.ts';

export interface Titled {
  announcement: Announcement;
  /** Of the thread. */
  body: string;
  /** Of the plan as it is shown, or the head of the pull request; absent where it could not be approved. */
  digest?: string;
  of?: 'head';
  /** It asks for what nobody can do any more. */
  isOver?: true;
}

/** A deleted thread has no title, but its announcement may still be sent. */
export async function readTitled(
  { announcement }: Waiting,
  repository: RepositoryRef,
  session: GitHubSession,
): Promise<Titled> {
  const { subject } = announcement;
  if (subject.number === undefined) return { announcement, body: '' };
  try {
    const issue = await session.read.issue({ ...repository, number: subject.number });
    const url = issue.isPull ? subject.url.replace('/issues/', '/pull/') : subject.url;
    const titled = { ...announcement, subject: { ...subject, title: issue.title, url } };
    const { body } = issue;
    if (titled.event === 'needs-human' && titled.headSha !== undefined) {
      const head = await readOpenHead(session, { ...repository, number: subject.number });
      const asked = { announcement: titled, body };
      return head === titled.headSha
        ? { ...asked, digest: head, of: 'head' }
        : { ...asked, isOver: true };
    }
    if (titled.event !== 'plan-proposed') return { announcement: titled, body };
    const { digest, ...shown } = listTasks(body);
    const proposed = { announcement: { ...titled, ...shown }, body };
    return digest === undefined ? proposed : { ...proposed, digest };
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return { announcement, body: '' };
    throw error;
  }
}

/** `digest`: of a plan that could be approved. */
function listTasks(body: string): { tasks?: number; details: string; digest?: string } {
  const plan = parsePlan(body);
  const { tasks, problems } = plan;
  if (tasks.length === 0) return { details: '' };
  const details = tasks.map(({ number, title }) => `${number}. ${title}`).join('\n');
  const shown = { tasks: tasks.length, details };
  return problems.length > 0 ? shown : { ...shown, digest: planDigest(plan) };
}
