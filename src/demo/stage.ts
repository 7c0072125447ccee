/** Sets the demonstration's stage: people, a repository with a past, and issues that were settled long ago. */
import type { GitHubEmulator } from '../emulator/github/emulator-interface.ts';
import type { Clock } from '../ports/clock.ts';
import { BEGINNINGS } from './project/beginnings.ts';
import { toCommits, type Change } from './project/project-commits.ts';
import { GROWTH } from './project/growth.ts';
import { PAST_ISSUES, type PastIssue } from './project/past-issues.ts';
import { MAINTAINER, OWNER, PEOPLE, REPOSITORY } from './project/people.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_DAY = 193;

/** Fills an empty emulator. Everything gets the date that it would have had. */
export async function setStage(
  emulator: GitHubEmulator,
  clock: Clock,
  { isSandboxed, more = [] }: { isSandboxed: boolean; more?: readonly Change[] } = {
    isSandboxed: true,
  },
): Promise<void> {
  const at = (daysAgo: number): void => emulator.setClockOffset(-daysAgo * DAY_MS);
  at(FIRST_DAY);
  for (const { login, name } of PEOPLE) emulator.createUser(login, name);
  await emulator.createRepository({
    owner: OWNER,
    name: 'csvpeek',
    description: 'Look into CSV files from a terminal',
    history: toCommits(
      [...BEGINNINGS, ...GROWTH, ...(isSandboxed ? [] : [WITHOUT_SANDBOX]), ...more],
      clock.now(),
    ),
  });
  for (const { login, permission } of PEOPLE)
    emulator.addCollaborator(REPOSITORY, login, permission);
  await replayPast(emulator, at);
  at(0);
}

/** The repository's half of the word that takes the sandbox down. */
const WITHOUT_SANDBOX: Change = {
  message: 'Let the team run our tests without a sandbox',
  author: MAINTAINER,
  daysAgo: 1,
  edit: [['.github/quorum.yml', 'merge:\n', 'coder:\n  sandbox: off\nmerge:\n']],
};

/** In the order in which it all happened, so that activity sorts as it would. */
async function replayPast(emulator: GitHubEmulator, at: (daysAgo: number) => void): Promise<void> {
  for (const issue of PAST_ISSUES) {
    at(issue.daysAgo);
    // Labels are for those who may put them on.
    const { number } = await emulator
      .as(issue.author)
      .openIssue(REPOSITORY, { title: issue.title, body: issue.body });
    await emulator.as('chloe-marchetti').label(REPOSITORY, number, issue.labels);
    await settle(emulator, number, { issue, at });
  }
}

async function settle(
  emulator: GitHubEmulator,
  number: number,
  { issue, at }: { issue: PastIssue; at: (daysAgo: number) => void },
): Promise<void> {
  for (const comment of issue.comments) {
    at(comment.daysAgo);
    await emulator.as(comment.author).comment(REPOSITORY, number, comment.body);
  }
  if (issue.closed === undefined) return;
  at(issue.closed.daysAgo);
  await emulator.as(issue.closed.by).close(REPOSITORY, number, issue.closed.reason);
}
