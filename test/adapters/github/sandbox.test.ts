/** The GitHub adapter on the embedded GitHub, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHub } from '../../../src/adapters/github/github.ts';
import { createSandboxGitHub } from '../../../src/emulator/github/sandbox-github.ts';
import type { ThreadRef } from '../../../src/domain/run/thread.ts';
import { describeGitHub, type GitHubWorld } from '../../contract/github.ts';
import { describeIssues } from '../../contract/issues.ts';
import { createTestClock, SECRET, steady } from './stage.ts';

const NAME = 'acme/widgets';

async function openWorld(): Promise<GitHubWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-github-'));
  const clock = createTestClock();
  const sandbox = await createSandboxGitHub({ dir, clock });
  sandbox.createUser('alice');
  sandbox.createOrg('acme', { alice: 'member' });
  const repository = await sandbox.createRepository({
    owner: 'acme',
    name: 'widgets',
    files: {
      'README.md': '# Widgets\n\nSmall things.\n',
      'src/a.ts': 'a()\n',
      'src/deep/b.ts': 'b()\n',
      'logo.bin': Buffer.from([1, 0, 2]),
    },
  });
  sandbox.addCollaborator(NAME, 'alice', 'write');
  const permissions = {
    issues: 'write',
    checks: 'write',
    contents: 'read',
    pull_requests: 'write',
    metadata: 'read',
  } as const;
  const app = await sandbox.createApp({ name: 'Quorum', permissions });
  const installationId = sandbox.installApp(app.appId, 'acme');
  const ref = { installationId, repositoryId: repository.id, owner: 'acme', repo: 'widgets' };
  const thread = (of: ThreadRef) => {
    const found = sandbox.repository(NAME).threads.get(of.number);
    if (found === undefined) throw new Error(`no thread ${of.number}`);
    return found;
  };
  const alice = sandbox.as('alice');
  let disarm: (() => void) | undefined;
  return {
    repository: ref,
    open: () =>
      createGitHub({
        auth: { kind: 'app', appId: app.appId, privateKey: app.privateKey },
        baseUrl: sandbox.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
      }),
    openIssue: async (issue) => ({ ...ref, number: (await alice.openIssue(NAME, issue)).number }),
    comments: (of) => thread(of).comments.map(({ id, body }) => ({ id, body })),
    labels: (of) =>
      thread(of).labelIds.map(
        (id) => sandbox.repository(NAME).labels.find((one) => one.id === id)?.name ?? '',
      ),
    reactions: (of) => thread(of).reactions.map((one) => one.content),
    colour: (name) => sandbox.repository(NAME).labels.find((one) => one.name === name)?.color,
    state: (of) => ({ state: thread(of).state, reason: thread(of).stateReason }),
    issues: () =>
      [...sandbox.repository(NAME).threads.values()].map(({ number, title, body }) => ({
        number,
        title,
        body: body ?? '',
      })),
    closeAsPerson: async (of) =>
      void (await alice.request('PATCH', `/repos/${NAME}/issues/${of.number}`, {
        state: 'closed',
      })),
    checks: () =>
      sandbox.repository(NAME).checkRuns.map((run) => ({
        name: run.name,
        conclusion: run.conclusion ?? null,
        title: run.output.title,
      })),
    comment: async (of, body) => (await alice.comment(NAME, of.number, body)).id,
    deleteComment: async (id) =>
      void (await alice.request('DELETE', `/repos/${NAME}/issues/comments/${id}`)),
    lock: async (of) =>
      void (await alice.request('PUT', `/repos/${NAME}/issues/${of.number}/lock`, {})),
    person: (login, permission) => {
      const user = sandbox.createUser(login);
      sandbox.addCollaborator(NAME, login, permission);
      return { id: user.id, login: user.login };
    },
    headSha: async () => {
      const found = (await alice.request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
        object: { sha: string };
      };
      return found.object.sha;
    },
    breakCall: (nth, fault) => {
      disarm = sandbox.faults.add({ nth, fault });
    },
    mend: () => {
      const isMet = sandbox.faults.hits().some((hits) => hits > 0);
      disarm?.();
      return isMet;
    },
    advance: (ms) => clock.advance(ms),
    close: async () => {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

describeGitHub('the sandbox', openWorld);
describeIssues('the sandbox', openWorld);
