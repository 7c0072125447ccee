/** The embedded GitHub with one repository, an App and a person who opens pull requests and talks in them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import type { Pull, Thread } from '../../../../src/emulator/github/world/world-model.ts';
import { createGitHubEmulator } from '../../../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../../../src/emulator/github/emulator-interface.ts';
import type { ThreadRef } from '../../../../src/domain/run/thread-ref.ts';
import {
  FILES,
  type Change,
  type Changes,
  type PullsWorld,
} from '../../../contract/pulls-world.ts';
import { withOpenApiCheck, type OpenApiWatch } from '../../../emulator/github/openapi.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';

const OWNER = 'acme';
const NAME = 'acme/widgets';
const FORK = 'alice/widgets';
const Sha = z.object({ sha: z.string() });
const Ref = z.object({ object: Sha });
const Id = z.object({ id: z.number() });

export interface EmulatedPulls extends PullsWorld {
  emulator: GitHubEmulator;
  openApi: OpenApiWatch;
}

export async function openEmulatedPulls(): Promise<EmulatedPulls> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-pulls-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock });
  const openApi = withOpenApiCheck(emulator);
  const alice = emulator.createUser('alice');
  emulator.createOrg(OWNER, { alice: 'member' });
  const repository = await emulator.createRepository({
    owner: OWNER,
    name: 'widgets',
    files: FILES,
  });
  emulator.addCollaborator(NAME, 'alice', 'write');
  const permissions = {
    issues: 'write',
    checks: 'write',
    contents: 'write',
    pull_requests: 'write',
  } as const;
  const app = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(app.appId, OWNER);
  const ref = { installationId, repositoryId: repository.id, owner: OWNER, repo: 'widgets' };
  const { openNumbered, ...deeds } = createPerson(emulator);
  let disarm: (() => void) | undefined;
  return {
    emulator,
    openApi,
    repository: ref,
    person: { id: alice.id, login: 'alice', isBot: false },
    open: () =>
      createGitHub({
        auth: { kind: 'app', appId: app.appId, privateKey: app.privateKey },
        baseUrl: emulator.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
      }),
    ...deeds,
    openPull: async (changes, options) => ({
      ...ref,
      number: await openNumbered(changes, options),
    }),
    openIssue: async () => {
      const { number } = await emulator.as('alice').openIssue(NAME, { title: 'An issue' });
      return { ...ref, number };
    },
    ...createEyes(emulator),
    withoutGraphql: () =>
      emulator.faults.add({
        path: '/graphql',
        times: Infinity,
        fault: { kind: 'status', status: 404 },
      }),
    withoutContents: () => {
      emulator.setPermissions(installationId, { ...permissions, contents: 'read' });
      return () => emulator.setPermissions(installationId, permissions);
    },
    breakCall: (nth, fault) => {
      disarm = emulator.faults.add({ nth, fault });
    },
    mend: () => {
      const isMet = emulator.faults.hits().some((hits) => hits > 0);
      disarm?.();
      return isMet;
    },
    advance: (ms) => clock.advance(ms),
    close: async () => {
      await emulator.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function threadOf(
  emulator: GitHubEmulator,
  of: Pick<ThreadRef, 'number'>,
): Thread & { pull: Pull } {
  const found = emulator.repository(NAME).threads.get(of.number);
  if (found?.pull === undefined) throw new Error(`no pull request ${of.number}`);
  return { ...found, pull: found.pull };
}

/** What people see. */
function createEyes(emulator: GitHubEmulator) {
  return {
    reviews: (of: ThreadRef) =>
      threadOf(emulator, of)
        .pull.reviews.filter((one) => one.body !== '' || one.state !== 'COMMENTED')
        .map(({ id, body, state }) => ({ id, body, state })),
    comments: (of: ThreadRef) =>
      threadOf(emulator, of).pull.reviewComments.map((one) => ({
        id: one.id,
        path: one.path,
        line: one.line,
        body: one.body,
        replyTo: one.inReplyToId,
        isResolved: one.isResolved,
        resolvedById: one.resolvedById,
        isHidden: one.minimizedReason !== undefined,
      })),
    checks: (headSha: string) =>
      emulator
        .repository(NAME)
        .checkRuns.filter((run) => run.headSha === headSha)
        .map(({ name, conclusion, status, annotations, output }) => ({
          name,
          title: output.title,
          conclusion,
          status,
          annotations: annotations.length,
        })),
  };
}

/** What Alice does. */
function createPerson(emulator: GitHubEmulator) {
  const alice = emulator.as('alice');
  let branches = 0;
  const blob = async (repository: string, change: Change): Promise<object> => {
    if (change === null) return { mode: '100644', type: 'blob', sha: null };
    if (typeof change === 'object' && 'submodule' in change)
      return { mode: '160000', type: 'commit', sha: change.submodule };
    const mode = typeof change === 'object' && 'mode' in change ? change.mode : '100644';
    const bytes = Buffer.isBuffer(change)
      ? change
      : typeof change === 'string'
        ? change
        : change.text;
    const content = Buffer.from(bytes).toString('base64');
    const made = await alice.request('POST', `/repos/${repository}/git/blobs`, {
      content,
      encoding: 'base64',
    });
    return { mode, type: 'blob', sha: Sha.parse(made).sha };
  };
  const commit = async (repository: string, parent: string, changes: Changes): Promise<string> => {
    const base = await alice.request('GET', `/repos/${repository}/git/commits/${parent}`);
    const entries: object[] = [];
    for (const [path, change] of Object.entries(changes))
      entries.push({ path, ...(await blob(repository, change)) });
    const tree = await alice.request('POST', `/repos/${repository}/git/trees`, {
      base_tree: z.object({ tree: Sha }).parse(base).tree.sha,
      tree: entries,
    });
    const made = await alice.request('POST', `/repos/${repository}/git/commits`, {
      message: 'Change',
      tree: Sha.parse(tree).sha,
      parents: [parent],
    });
    return Sha.parse(made).sha;
  };
  const mainSha = async (): Promise<string> =>
    Ref.parse(await alice.request('GET', `/repos/${NAME}/git/ref/heads/main`)).object.sha;
  const ensureFork = async (): Promise<void> => {
    try {
      emulator.repository(FORK);
    } catch {
      await emulator.createFork(NAME, 'alice');
    }
  };
  return {
    openNumbered: async (
      changes: Changes,
      options: { isDraft?: boolean; fork?: boolean } = {},
    ): Promise<number> => {
      branches += 1;
      const branch = `change-${branches}`;
      const isFork = options.fork === true;
      if (isFork) await ensureFork();
      const repository = isFork ? FORK : NAME;
      const sha = await commit(repository, await mainSha(), changes);
      await alice.request('POST', `/repos/${repository}/git/refs`, {
        ref: `refs/heads/${branch}`,
        sha,
      });
      const head = isFork ? `alice:${branch}` : branch;
      const draft = options.isDraft === true;
      return (await alice.openPull(NAME, { title: 'Change', head, draft })).number;
    },
    push: async (of: ThreadRef, changes: Changes, how?: 'force'): Promise<string> => {
      const { headSha, headRef } = threadOf(emulator, of).pull;
      const sha = await commit(NAME, how === 'force' ? await mainSha() : headSha, changes);
      await alice.request('PATCH', `/repos/${NAME}/git/refs/heads/${headRef}`, {
        sha,
        force: how === 'force',
      });
      return sha;
    },
    reply: async (of: ThreadRef, commentId: number, body: string): Promise<number> => {
      const path = `/repos/${NAME}/pulls/${of.number}/comments/${commentId}/replies`;
      return Id.parse(await alice.request('POST', path, { body })).id;
    },
    commentOn: async (
      of: ThreadRef,
      at: { path: string; line: number; body: string },
    ): Promise<number> => {
      const path = `/repos/${NAME}/pulls/${of.number}/comments`;
      const { headSha } = threadOf(emulator, of).pull;
      return Id.parse(await alice.request('POST', path, { ...at, commit_id: headSha })).id;
    },
    react: async (commentId: number, content: string): Promise<void> => {
      const path = `/repos/${NAME}/pulls/comments/${commentId}/reactions`;
      await alice.request('POST', path, { content });
    },
    resolve: async (commentId: number): Promise<void> => {
      const { node_id: node } = z
        .object({ node_id: z.string() })
        .parse(await alice.request('GET', `/repos/${NAME}/pulls/comments/${commentId}`));
      const query = `query($i:ID!){node(id:$i){... on PullRequestReviewComment{pullRequest{reviewThreads(first:100){nodes{id comments(first:1){nodes{id}}}}}}}}`;
      const Threads = z.object({
        data: z.object({
          node: z.object({
            pullRequest: z.object({
              reviewThreads: z.object({
                nodes: z.array(
                  z.object({
                    id: z.string(),
                    comments: z.object({ nodes: z.array(z.object({ id: z.string() })) }),
                  }),
                ),
              }),
            }),
          }),
        }),
      });
      const found = Threads.parse(
        await alice.request('POST', '/graphql', { query, variables: { i: node } }),
      ).data.node.pullRequest.reviewThreads.nodes.find((one) => one.comments.nodes[0]?.id === node);
      const change = `mutation($i:ID!){resolveReviewThread(input:{threadId:$i}){thread{isResolved}}}`;
      await alice.request('POST', '/graphql', { query: change, variables: { i: found?.id } });
    },
    lock: async (of: ThreadRef): Promise<void> => {
      await alice.request('PUT', `/repos/${NAME}/issues/${of.number}/lock`, {});
    },
    deleteFork: () => emulator.deleteRepository(FORK),
  };
}
