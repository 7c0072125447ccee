/** Commits of any content on an emulator's repository, made in one go by git itself: bytes, modes, links, thousands of files. */
import { execFileSync } from 'node:child_process';
import { REPO, type TestWorld } from './a-world.ts';

/** What a commit makes of a path: text, bytes, nothing, or something with a mode of its own. */
export type Change =
  string | Buffer | null | { mode: '100755' | '120000'; text: string } | { submodule: string };
export type Changes = Readonly<Record<string, Change>>;

export interface Commit {
  changes: Changes;
  /** Absent: it is the first of a history of its own. */
  parent?: string;
  /** As git names people; somebody whom the emulator does not know when absent. */
  by?: string;
}

/** Writes the objects and returns the commit's sha; no branch moves and no webhook is sent. */
export function writeCommit(
  gitDir: string,
  { changes, parent, by = 'Ann <ann@example.com>' }: Commit,
): string {
  const ref = 'refs/tests/last';
  const head = [
    `commit ${ref}`,
    `committer ${by} 1767600000 +0000`,
    'data 6\nChange',
    ...(parent === undefined ? [] : [`from ${parent}`]),
    '',
  ].join('\n');
  const parts = Object.entries(changes).map(([path, change]) => toCommand(quote(path), change));
  const input = Buffer.concat([Buffer.from(`reset ${ref}\n\n${head}`), ...parts]);
  const at = ['--git-dir', gitDir];
  execFileSync('git', [...at, 'fast-import', '--quiet', '--force'], { input });
  return execFileSync('git', [...at, 'rev-parse', ref])
    .toString()
    .trim();
}

function toCommand(path: string, change: Change): Buffer {
  if (change === null) return Buffer.from(`D ${path}\n`);
  if (typeof change === 'object' && 'submodule' in change)
    return Buffer.from(`M 160000 ${change.submodule} ${path}\n`);
  const { mode, text } =
    typeof change === 'object' && 'mode' in change ? change : { mode: '100644', text: change };
  const bytes = Buffer.from(text);
  return Buffer.concat([
    Buffer.from(`M ${mode} inline ${path}\ndata ${bytes.length}\n`),
    bytes,
    Buffer.from('\n'),
  ]);
}

function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

export interface Place {
  /** By `ana` when nobody else is named. */
  by?: string;
  /** The world's own when no fork is named. */
  repository?: string;
}

/** Makes or moves a branch. */
export async function moveBranch(
  { emulator }: TestWorld,
  branch: string,
  { sha, by = 'ana', repository = REPO }: Place & { sha: string },
): Promise<void> {
  const person = emulator.as(by);
  const refs = `/repos/${repository}/git/refs`;
  const move = person.request('PATCH', `${refs}/heads/${branch}`, { sha, force: true });
  await move.catch(() => person.request('POST', refs, { ref: `refs/heads/${branch}`, sha }));
}

/** The commit that a branch is at. */
export async function tipOf({ emulator }: TestWorld, branch = 'main'): Promise<string> {
  const found = await emulator.as('ana').request('GET', `/repos/${REPO}/git/ref/heads/${branch}`);
  return (found as { object: { sha: string } }).object.sha;
}

export interface Opening extends Place {
  branch?: string;
  title?: string;
  body?: string;
  draft?: boolean;
}

/** A pull request whose branch has one commit on the default branch's tip. */
export async function openPullOf(
  world: TestWorld,
  changes: Changes,
  opening: Opening = {},
): Promise<number> {
  const { branch = 'change', by = 'ana', repository = REPO, ...words } = opening;
  const { gitDir } = world.emulator.repository(repository);
  const sha = writeCommit(gitDir, { changes, parent: await tipOf(world) });
  await moveBranch(world, branch, { sha, by, repository });
  const head = repository === REPO ? branch : `${repository.split('/')[0]}:${branch}`;
  const pull = { title: 'Change it', body: 'As agreed.', head, ...words };
  return (await world.emulator.as(by).openPull(REPO, pull)).number;
}

/** One more commit, by `ana`, on a branch of the world's own repository; returns its sha. */
export async function pushTo(
  world: TestWorld,
  changes: Changes,
  { branch = 'change' } = {},
): Promise<string> {
  const { gitDir } = world.emulator.repository(REPO);
  const { id } = (await world.emulator.as('ana').request('GET', '/user')) as { id: number };
  const by = `ana <${id}+ana@users.noreply.github.com>`;
  const sha = writeCommit(gitDir, { changes, parent: await tipOf(world, branch), by });
  await moveBranch(world, branch, { sha });
  return sha;
}

/** Its author says that it is ready for review, or that it is a draft again. */
export async function setDraft(
  { emulator }: TestWorld,
  number: number,
  isDraft: boolean,
): Promise<void> {
  const ana = emulator.as('ana');
  const pull = await ana.request('GET', `/repos/${REPO}/pulls/${number}`);
  const deed = isDraft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview';
  const query = `mutation($id:ID!){${deed}(input:{pullRequestId:$id}){clientMutationId}}`;
  const variables = { id: (pull as { node_id: string }).node_id };
  await ana.request('POST', '/graphql', { query, variables });
}
