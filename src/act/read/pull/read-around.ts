/** Reads the change of a pull request: against its base, or against the head of the last review. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { PullView } from '../../../domain/review/review.ts';
import type { RepositoryFacts } from '../../../ports/github/github-reader.ts';
import type { PullChanges, PullFacts, PullSession } from '../../../ports/github/pulls.ts';
import { readTexts, type ReadTexts, type TextLimits } from './pull-texts.ts';
import { readPaths } from '../survey.ts';
import { readWholeHead } from './whole-head.ts';
import type { LookPull } from './look-pull.ts';

interface Around {
  /** What was not read because head and base have no commit in common. */
  unrelated: string[];
  changes: PullChanges;
  delta: PullView['delta'];
  basePaths: string[] | undefined;
  texts: ReadTexts;
}

/** The change, and what its repository holds around it. */
export async function readAround(
  data: LookPull,
  { session, facts, pull, limits, isUntouched }: AroundAsk,
): Promise<Around> {
  const { thread } = data;
  const [base, { changes, delta, unrelated }] = await Promise.all([
    readPaths(session, thread, facts),
    readChanges(session, data, { pull, limits, isUntouched }),
  ]);
  const basePaths = knowsBase(pull, facts) && !base.isCut ? base.paths : undefined;
  const at = { headSha: pull.headSha, changes, basePaths: basePaths ?? [], limits };
  // A change without a repository around it has no texts but its own.
  const texts =
    facts.headSha === '' ? { head: [], notRead: [] } : await readTexts(session, thread, at);
  return { changes, delta, basePaths, texts, unrelated };
}

interface AroundAsk {
  session: PullSession;
  facts: RepositoryFacts;
  pull: PullFacts;
  limits: TextLimits | undefined;
  isUntouched: boolean;
}

/**
 * Against the default branch the diff itself says what the head has besides: that saves a call. A change without a
 * repository around it has no paths at all, which is another thing than a repository without files.
 */
function knowsBase({ baseRef }: PullFacts, { defaultBranch, headSha }: RepositoryFacts): boolean {
  return baseRef === defaultBranch && headSha !== '';
}

/**
 * Reads the whole change, in which findings are looked for and comments are placed. Also reads the changes since the
 * last review, because only these are judged again. They are absent where that head is gone or its range is too large.
 */
async function readChanges(
  session: PullSession,
  { thread, since }: LookPull,
  { pull, limits, isUntouched }: Omit<AroundAsk, 'session' | 'facts'>,
): Promise<Pick<Around, 'changes' | 'delta' | 'unrelated'>> {
  const { pulls } = session;
  const { headSha, baseSha, changedFiles } = pull;
  const [whole, came] = await Promise.all([
    pulls
      .changes(thread, { baseSha, headSha, filesOfPull: changedFiles })
      .then((changes) => ({ changes, unrelated: [] }))
      .catch((error: unknown) => {
        if (isUntouched || !isNotFound(error)) throw toUnrelated(error);
        return readUnrelated(session, thread, { headSha, limits, error });
      }),
    since === undefined || since === headSha
      ? undefined
      : pulls.changes(thread, { baseSha: since, headSha }).catch(() => undefined),
  ]);
  const isWhole = since !== undefined && came?.isCut === false && whole.unrelated.length === 0;
  return { ...whole, delta: isWhole ? { since, diff: came.diff } : undefined };
}

function isNotFound(error: unknown): error is RefusedError {
  return error instanceof RefusedError && error.code === 'github-not-found';
}

/** The pull request was read a moment ago: what GitHub does not find is a commit that both of its sides come from. */
function toUnrelated(error: unknown): unknown {
  if (!isNotFound(error)) return error;
  return new RefusedError({
    code: 'no-common-history',
    message: 'The branches of this pull request have no commit in common.',
    details: 'Push the work again on top of the branch that it is meant for.',
    cause: error,
    // A commit of a moment ago is not found everywhere yet.
    isEventuallyConsistent: error.isEventuallyConsistent,
  });
}

async function readUnrelated(
  session: PullSession,
  thread: LookPull['thread'],
  { headSha, limits, error }: { headSha: string; limits: AroundAsk['limits']; error: RefusedError },
): Promise<Pick<Around, 'changes' | 'unrelated'>> {
  const head = await readWholeHead(session, thread, { headSha, limits });
  if (head === undefined) throw toUnrelated(error);
  const changes = { diff: head.diff, isCut: true, leftOut: [], unnamedFiles: 0 };
  return { changes, unrelated: head.notRead };
}
