/**
 * What newer versions of gh ask for in GraphQL, without gh: the fields of `--json` and of feature detection, from its
 * `api/query_builder.go` and `internal/featuredetection`.
 */
import { expect, test } from 'vitest';
import { NAME, REPO, start, type Started } from './start.ts';

const PERSON = 'login,...on User{id,name}';
const SHARED = `assignees(first:100){nodes{id,login,name},totalCount},author{${PERSON}},body,closed,
  comments(first:100){nodes{id,author{${PERSON}},authorAssociation,body,createdAt,includesCreatedEdit,isMinimized,
    minimizedReason,reactionGroups{content,users{totalCount}},url,viewerDidAuthor},pageInfo{hasNextPage,endCursor},totalCount},
  createdAt,closedAt,id,labels(first:100){nodes{id,name,description,color},totalCount},
  milestone{number,title,description,dueOn},number,
  projectCards(first:100){nodes{project{name}column{name}},totalCount},
  projectItems(first:100){nodes{id,project{id,title}},totalCount},
  reactionGroups{content,users{totalCount}},state,title,updatedAt,url`;
const PULL = `${SHARED},additions,
  autoMergeRequest{authorEmail,commitBody,commitHeadline,mergeMethod,enabledAt,enabledBy{${PERSON}}},
  baseRefName,baseRefOid,changedFiles,
  commits(first:100){nodes{commit{authors(first:100){nodes{name,email,user{id,login}}},messageHeadline,messageBody,oid,
    committedDate,authoredDate}}},
  deletions,files(first:100){nodes{additions,deletions,path}},fullDatabaseId,headRefName,headRefOid,headRepository{id,name},
  headRepositoryOwner{id,login,...on User{name}},isCrossRepository,isDraft,
  latestReviews(first:100){nodes{author{login},authorAssociation,submittedAt,body,state}},
  maintainerCanModify,mergeable,mergeCommit{oid},mergedAt,mergedBy{${PERSON}},mergeStateStatus,
  potentialMergeCommit{oid},reviewDecision,
  reviewRequests(first:100){nodes{requestedReviewer{__typename,...on User{login},...on Team{organization{login}name,slug}}}},
  reviews(first:100){nodes{id,author{login},authorAssociation,submittedAt,body,state,commit{oid},
    reactionGroups{content,users{totalCount}}}pageInfo{hasNextPage,endCursor}totalCount},
  statusCheckRollup: commits(last:1){nodes{commit{statusCheckRollup{contexts(first:100){nodes{__typename
    ...on StatusContext{context,state,targetUrl,createdAt,description,isRequired(pullRequestNumber:2)},
    ...on CheckRun{name,checkSuite{workflowRun{event,workflow{name}}},status,conclusion,startedAt,completedAt,detailsUrl,
      isRequired(pullRequestNumber:2)}},pageInfo{hasNextPage,endCursor}}}}}}`;
const COUNTS = `commits(last:1){nodes{commit{statusCheckRollup{contexts{checkRunCount,checkRunCountsByState{state,count},
  statusContextCount,statusContextCountsByState{state,count}}}}}}`;

async function withPull(): Promise<Started & { sha: string }> {
  const started = await start({}, false);
  const alice = started.github.as('alice');
  await alice.openIssue(NAME, { title: 'First', labels: ['bug'] });
  const main = `/repos/${NAME}/git/ref/heads/main`;
  const { object } = (await alice.request('GET', main)) as { object: { sha: string } };
  const ref = { ref: 'refs/heads/feature', sha: object.sha };
  await alice.request('POST', `/repos/${NAME}/git/refs`, ref);
  const file = { message: 'Add c', content: 'Yw==', branch: 'feature' };
  const put = await alice.request('PUT', `/repos/${NAME}/contents/c.txt`, file);
  await alice.openPull(NAME, { title: 'The second', head: 'feature' });
  return { ...started, sha: (put as { commit: { sha: string } }).commit.sha };
}

test('every field that gh offers of issues, pull requests and lists is answered', async () => {
  const { github, as, octokit, sha } = await withPull();
  const at = { ...REPO, head_sha: sha, sha };
  const failed = { status: 'completed', conclusion: 'failure' } as const;
  await octokit.rest.checks.create({ ...at, name: 'lint', ...failed });
  await octokit.rest.repos.createCommitStatus({ ...at, context: 'ci', state: 'success' });
  github.repository(NAME).rules = new Map([
    ['main', { from: 'protection', checks: [{ context: 'ci' }], isStrict: false, hasQueue: false }],
  ]);
  const bob = as(github.createUserToken('bob'));
  const answer: { repository: Record<string, Record<string, unknown>> } = await bob.graphql(
    `query { repository(owner:"acme",name:"widgets") {
      issue(number:1) { ${SHARED},isPinned,stateReason }
      pullRequest(number:2) { ${PULL} }
      counted: pullRequest(number:2) { ${COUNTS} }
      issues(first:1,states:[OPEN],orderBy:{field:CREATED_AT,direction:DESC},filterBy:{labels:["bug"]}) { totalCount nodes { number } }
      pullRequests(first:1,states:[MERGED]) { totalCount nodes { number } }
      labels(first:2,orderBy:{field:NAME,direction:DESC}) { nodes { name } }
      assignableUsers(first:100) { nodes { id login name } }
      milestones(first:1) { nodes { title } }
      viewerPermission visibility hasIssuesEnabled hasWikiEnabled isFork parent { id } description url
      mergeCommitAllowed rebaseMergeAllowed squashMergeAllowed
    } }`,
  );
  const { repository } = answer;
  expect(repository['issue']).toMatchObject({ number: 1, state: 'OPEN', stateReason: null });
  expect(repository['pullRequest']).toMatchObject({
    mergeStateStatus: 'CLEAN',
    files: { nodes: [{ path: 'c.txt', additions: 1, deletions: 0 }] },
    headRepositoryOwner: { login: 'acme' },
    statusCheckRollup: {
      nodes: [
        {
          commit: {
            statusCheckRollup: {
              contexts: {
                nodes: [
                  { name: 'lint', conclusion: 'FAILURE', isRequired: false },
                  { context: 'ci', state: 'SUCCESS', isRequired: true },
                ],
              },
            },
          },
        },
      ],
    },
  });
  expect(JSON.stringify(repository['counted'])).toContain(
    '"checkRunCountsByState":[{"state":"FAILURE","count":1}]',
  );
  expect(repository['issues']).toEqual({ totalCount: 1, nodes: [{ number: 1 }] });
  expect(repository['pullRequests']).toEqual({ totalCount: 0, nodes: [] });
  expect(repository['labels']).toEqual({ nodes: [{ name: 'wontfix' }, { name: 'question' }] });
  expect(repository['viewerPermission']).toBe('WRITE');
});

test('feature detection finds what GitHub has', async () => {
  const { github, as } = await start();
  const answer: Record<string, { fields: { name: string }[] }> = await as(
    github.createUserToken('bob'),
  ).graphql(
    `query { Issue: __type(name: "Issue") { fields(includeDeprecated: true) { name } }
      PullRequest: __type(name: "PullRequest") { fields(includeDeprecated: true) { name } }
      WorkflowRun: __type(name: "WorkflowRun") { fields(includeDeprecated: true) { name } } }`,
  );
  const names = (type: string): string[] => (answer[type]?.fields ?? []).map(({ name }) => name);
  expect(names('Issue')).toContain('stateReason');
  expect(names('PullRequest')).toContain('isInMergeQueue');
  expect(names('WorkflowRun')).toContain('event');
});

test('a list that is asked for without a number is refused, and how long it is may be asked', async () => {
  const { github, as } = await start();
  await github.as('alice').openIssue(NAME, { title: 'First' });
  const bob = as(github.createUserToken('bob'));
  const ask = (fields: string): Promise<unknown> =>
    bob.graphql(`query { repository(owner:"acme",name:"widgets") { issues { ${fields} } } }`);
  expect(await ask('totalCount')).toEqual({ repository: { issues: { totalCount: 1 } } });
  await expect(ask('nodes { number }')).rejects.toThrow('You must provide a `first` or `last`');
});

test('a person sees nothing of a private repository that they may not read, and changes nothing there', async () => {
  const { github, as } = await start();
  await github.as('alice').openIssue(NAME, { title: 'Secret' });
  const thread = github.repository(NAME).threads.get(1);
  const stranger = as(github.createUserToken('stranger'));
  const alice = as(github.createUserToken('alice'));
  const query = 'query { repository(owner:"acme",name:"widgets") { issue(number:1) { id } } }';
  const { repository }: { repository: { issue: { id: string } } } = await alice.graphql(query);
  await expect(stranger.graphql(query)).rejects.toThrow('Could not resolve to a Repository');
  const found: unknown = await stranger.graphql(
    'query { search(type:ISSUE,first:9,query:"secret") { issueCount } }',
  );
  expect(found).toEqual({ search: { issueCount: 0 } });
  const change =
    'mutation($id: ID!) { addComment(input:{subjectId:$id,body:"x"}) { clientMutationId } }';
  await expect(stranger.graphql(change, repository.issue)).rejects.toThrow('Could not resolve');
  expect(thread?.comments).toEqual([]);
});
