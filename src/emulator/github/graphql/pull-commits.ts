/** The commits of a pull request in GraphQL's form, each with its checks. */
import { comparePull } from '../changes/compare-pull.ts';
import { authorIdOf } from '../changes/push-payload.ts';
import type { Commit, Person } from '../git/objects.ts';
import { account, nodeId, type World } from '../world/world.ts';
import { connection, toUserOnly, type Paging, type Place } from './answer-parts.ts';
import { toCheckSuites } from './check-runs.ts';
import { toRollup } from './status-rollup.ts';

/** Oldest first. The head is there also where git finds nothing to compare. */
export async function toPullCommits(place: Place): Promise<object[]> {
  const { repository, thread } = place;
  const headSha = thread.pull?.headSha ?? '';
  const commits = await comparePull(repository, thread).then(
    (found) => found.commits,
    (): Commit[] => [],
  );
  const before = commits.filter(({ sha }) => sha !== headSha);
  const head = commits.find(({ sha }) => sha === headSha);
  const all = [
    ...before.map((one) => toCommit(place, one.sha, one)),
    toCommit(place, headSha, head),
  ];
  return all.map((commit, index) => ({
    __typename: 'PullRequestCommit',
    id: nodeId('PRC', thread.id + (all.length - 1 - index)),
    commit,
  }));
}

function toCommit(place: Place, oid: string, commit: Commit | undefined): object {
  return {
    __typename: 'Commit',
    oid,
    abbreviatedOid: oid.slice(0, 7),
    ...(commit && toText(place.world, commit)),
    checkSuites: toCheckSuites(place, oid),
    statusCheckRollup: () => toRollup(place, oid),
  };
}

function toText(world: World, { message, author, committer }: Commit): object {
  const [messageHeadline = '', ...rest] = message.split('\n');
  return {
    message,
    messageHeadline,
    messageBody: rest.join('\n').trim(),
    authoredDate: author.date,
    committedDate: committer.date,
    author: toPerson(world, author),
    committer: toPerson(world, committer),
    authors: (paging: Paging) => connection([toPerson(world, author)], paging),
  };
}

function toPerson(world: World, { name, email, date }: Person): object {
  const id = authorIdOf(email);
  return { name, email, date, user: id === undefined ? null : toUserOnly(account(world, id)) };
}
