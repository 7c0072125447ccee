/** The GitHub adapter on the embedded GitHub, over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import type { ThreadRef } from '../../../src/domain/run/thread-ref.ts';
import { describeGitHub, type GitHubWorld } from '../../contract/github.ts';
import { describeIssues } from '../../contract/issues.ts';
import { createTestClock, SECRET, steady } from './stage.ts';

const NAME = 'acme/widgets';

async function openWorld(): Promise<GitHubWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-github-'));
  const clock = createTestClock();
  const emulator = await createGitHubEmulator({ dir, clock });
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'member' });
  const repository = await emulator.createRepository({
    owner: 'acme',
    name: 'widgets',
    files: {
      'README.md': '# Widgets\n\nSmall things.\n',
      'src/a.ts': 'a()\n',
      'src/deep/b.ts': 'b()\n',
      'logo.bin': Buffer.from([1, 0, 2]),
    },
  });
  emulator.addCollaborator(NAME, 'alice', 'write');
  const permissions = {
    issues: 'write',
    checks: 'write',
    contents: 'read',
    pull_requests: 'write',
    metadata: 'read',
  } as const;
  const app = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(app.appId, 'acme');
  const ref = { installationId, repositoryId: repository.id, owner: 'acme', repo: 'widgets' };
  const thread = (of: ThreadRef) => {
    const found = emulator.repository(NAME).threads.get(of.number);
    if (found === undefined) throw new Error(`no thread ${of.number}`);
    return found;
  };
  const alice = emulator.as('alice');
  let disarm: (() => void) | undefined;
  return {
    repository: ref,
    open: () =>
      createGitHub({
        auth: { kind: 'app', appId: app.appId, privateKey: app.privateKey },
        baseUrl: emulator.apiUrl,
        markerSecret: SECRET,
        clock,
        random: steady,
      }),
    openIssue: async (issue) => ({ ...ref, number: (await alice.openIssue(NAME, issue)).number }),
    comments: (of) => thread(of).comments.map(({ id, body }) => ({ id, body })),
    labels: (of) =>
      thread(of).labelIds.map(
        (id) => emulator.repository(NAME).labels.find((one) => one.id === id)?.name ?? '',
      ),
    reactions: (of) => thread(of).reactions.map((one) => one.content),
    colour: (name) => emulator.repository(NAME).labels.find((one) => one.name === name)?.color,
    state: (of) => ({ state: thread(of).state, reason: thread(of).stateReason }),
    issues: () =>
      [...emulator.repository(NAME).threads.values()].map(({ number, title, body }) => ({
        number,
        title,
        body: body ?? '',
      })),
    closeAsPerson: async (of) =>
      void (await alice.request('PATCH', `/repos/${NAME}/issues/${of.number}`, {
        state: 'closed',
      })),
    checks: () =>
      emulator.repository(NAME).checkRuns.map((run) => ({
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
      const user = emulator.createUser(login);
      emulator.addCollaborator(NAME, login, permission);
      return { id: user.id, login: user.login };
    },
    headSha: async () => {
      const found = (await alice.request('GET', `/repos/${NAME}/git/ref/heads/main`)) as {
        object: { sha: string };
      };
      return found.object.sha;
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

describeGitHub('the emulator', openWorld);
describeIssues('the emulator', openWorld);
