/** Pull requests that a history holds: the merge and squash commits on the first-parent line of its default branch. */
import { simpleGit, type SimpleGit } from 'simple-git';
import { RefusedError } from '../../domain/event/errors.ts';

export interface PastPull {
  /** Undefined for a commit that names none. */
  number: number | undefined;
  title: string;
  body: string;
  /** Commit that brought it, and the one before on the same branch. */
  sha: string;
  baseSha: string;
  /** ISO time of the commit. */
  mergedAt: string;
}

export interface PastPullsWanted {
  dir: string;
  /** At most so many, newest first. */
  last: number;
  /** Every commit counts, for histories whose commits name no pull request. */
  everyCommit?: boolean | undefined;
}

export interface PastPulls {
  /** Name of the branch that was walked. */
  branch: string;
  pulls: PastPull[];
}

/** Commits that are looked at; beyond them a history is another project. */
const MAX_COMMITS = 20_000;
const FIELD = '%x00';
const RECORD = '%x1e';
const FORMAT = `--format=%H${FIELD}%P${FIELD}%cI${FIELD}%s${FIELD}%b${RECORD}`;
const BRANCHES = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master', 'HEAD'];

/** What GitHub, Bitbucket and GitLab write when they merge, and GitHub when it squashes. */
const MERGE = /^Merge pull request #(\d{1,9}) from \S+|\(pull request #(\d{1,9})\)$/;
const SQUASH = /^(.*\S)\s*\(#(\d{1,9})\)$/;
const MERGE_REQUEST = /^See merge request \S*!(\d{1,9})$/m;

/** @throws RefusedError `no-repository` */
export async function listPastPulls(wanted: PastPullsWanted): Promise<PastPulls> {
  const git = simpleGit(wanted.dir);
  const branch = await findBranch(git, wanted.dir);
  const count = wanted.everyCommit === true ? wanted.last : MAX_COMMITS;
  const args = ['log', `-${count}`, '--first-parent', '--no-show-signature', FORMAT, branch, '--'];
  const pulls: PastPull[] = [];
  for (const record of (await git.raw(args)).split('\x1e')) {
    if (pulls.length >= wanted.last) break;
    const pull = toPull(record.trimStart(), wanted.everyCommit === true);
    if (pull !== undefined) pulls.push(pull);
  }
  return { branch: (await git.raw(['rev-parse', '--abbrev-ref', branch])).trim(), pulls };
}

async function findBranch(git: SimpleGit, dir: string): Promise<string> {
  for (const ref of BRANCHES) {
    const args = ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`];
    const sha = await git.raw(args).catch(() => '');
    if (sha.trim() !== '') return ref;
  }
  throw new RefusedError({
    code: 'no-repository',
    message: `${dir} is in no git repository with a commit.`,
  });
}

function toPull(record: string, everyCommit: boolean): PastPull | undefined {
  const [sha = '', parents = '', mergedAt = '', subject = '', text = ''] = record.split('\0');
  const [baseSha = ''] = parents.split(' ');
  // What began a history came from nowhere.
  if (sha === '' || baseSha === '') return undefined;
  const words = readWords(subject, text.trim());
  if (words === undefined && !everyCommit) return undefined;
  const own = { number: undefined, title: subject, body: text.trim() };
  return { ...(words ?? own), sha, baseSha, mergedAt };
}

/** A merge commit carries the title in its body, a squash commit in its subject. */
function readWords(
  subject: string,
  body: string,
): Pick<PastPull, 'number' | 'title' | 'body'> | undefined {
  const merged = MERGE.exec(subject) ?? MERGE_REQUEST.exec(body);
  if (merged !== null) {
    const [title = '', ...rest] = body.split('\n');
    const number = Number(merged[1] ?? merged[2]);
    return { number, title: title === '' ? subject : title, body: rest.join('\n').trim() };
  }
  const [, title, number] = SQUASH.exec(subject) ?? [];
  return title === undefined ? undefined : { number: Number(number), title, body };
}
