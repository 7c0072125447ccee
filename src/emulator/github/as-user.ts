/** Acts as a person through the very operations of the API, without HTTP, limits or faults. */
import { z } from 'zod';
import { accountNamed } from './world/seed.ts';
import type { ReactionContent } from './world/world-model.ts';
import { nowMs, type World } from './world/world.ts';

const ThreadAnswer = z.looseObject({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
});
/** The members of GitHub's answers that callers of {@link AsUser} use; the rest is there too. */
type ThreadAnswer = z.infer<typeof ThreadAnswer>;

const CommentAnswer = z.looseObject({ id: z.number(), body: z.string(), html_url: z.string() });
type CommentAnswer = z.infer<typeof CommentAnswer>;

/** What a person does in the emulator. Names are `owner/repo`. Refusals throw GitHub's message. */
export interface AsUser {
  openIssue(
    repository: string,
    issue: { title: string; body?: string; labels?: string[] },
  ): Promise<ThreadAnswer>;
  openPull(
    repository: string,
    pull: { title: string; head: string; base?: string; body?: string; draft?: boolean },
  ): Promise<ThreadAnswer>;
  comment(repository: string, number: number, body: string): Promise<CommentAnswer>;
  label(repository: string, number: number, labels: readonly string[]): Promise<void>;
  unlabel(repository: string, number: number, label: string): Promise<void>;
  react(repository: string, number: number, content: ReactionContent): Promise<void>;
  close(
    repository: string,
    number: number,
    reason?: 'completed' | 'not_planned' | 'duplicate',
  ): Promise<void>;
  reopen(repository: string, number: number): Promise<void>;
  /** Any operation: `request('PUT', '/repos/o/r/issues/1/lock', {…})`. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
}

export function actAs(world: World, login: string): AsUser {
  const request: AsUser['request'] = (method, path, body) => {
    const user = accountNamed(world, login);
    if (method !== 'GET') letSecondPass(world);
    const scopes = ['repo', 'workflow'];
    return world.operate({ kind: 'user', user, scopes }, { method, path, body });
  };
  return {
    request,
    openIssue: async (repository, issue) =>
      ThreadAnswer.parse(await request('POST', `/repos/${repository}/issues`, issue)),
    openPull: async (repository, pull) =>
      ThreadAnswer.parse(
        await request('POST', `/repos/${repository}/pulls`, {
          base: 'main',
          ...pull,
        }),
      ),
    comment: async (repository, number, body) =>
      CommentAnswer.parse(
        await request('POST', `${thread(repository, number)}/comments`, { body }),
      ),
    async label(repository, number, labels) {
      await request('POST', `${thread(repository, number)}/labels`, { labels });
    },
    async unlabel(repository, number, label) {
      await request('DELETE', `${thread(repository, number)}/labels/${encodeURIComponent(label)}`);
    },
    async react(repository, number, content) {
      await request('POST', `${thread(repository, number)}/reactions`, { content });
    },
    async close(repository, number, reason = 'completed') {
      await request('PATCH', thread(repository, number), { state: 'closed', state_reason: reason });
    },
    async reopen(repository, number) {
      await request('PATCH', thread(repository, number), { state: 'open' });
    },
  };
}

/** GitHub's times are whole seconds, and people need one to read what an App wrote. */
function letSecondPass(world: World): void {
  const { state } = world;
  const nowIn = nowMs(world);
  const isSame = Math.floor(nowIn / 1000) === Math.floor(state.appWroteAtMs / 1000);
  if (isSame && !state.isSameSecondAllowed) state.clockOffsetMs += 1000 - (nowIn % 1000);
}

function thread(repository: string, number: number): string {
  return `/repos/${repository}/issues/${number}`;
}
