/** One issue kept in memory: what the team writes to it is reported to the caller and kept nowhere else. */
import { RefusedError } from '../../domain/event/errors.ts';
import { parseMarker, renderMarker } from '../../domain/github/marker.ts';
import { threadKey, type Actor, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../ports/github/github-reader.ts';
import type { WrittenComment, GitHubWriter } from '../../ports/github/github-writer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LocalChange } from './local-repository.ts';

export interface LocalThread {
  ref: ThreadRef;
  state: 'open' | 'closed';
  labels: Set<string>;
  reactions: Set<string>;
  comments: CommentFacts[];
  updatedAt: string;
}

export interface ThreadParts {
  thread: LocalThread;
  self: Actor;
  clock: Clock;
  markerSecret: string;
  onWrite(change: LocalChange): void;
}

const NO_ISSUES = new RefusedError({
  code: 'no-issues',
  message: 'Issues are opened on GitHub only.',
});

/** The same promises as on GitHub: doing it twice changes, and tells, nothing. */
export function createLocalWriter(parts: ThreadParts): GitHubWriter {
  const { thread } = parts;
  const checks = new Map<string, string>();
  return {
    ensureComment: (_ref, comment) => Promise.resolve(ensureComment(parts, comment)),
    ensureLabels: async (_ref, change) => {
      const add = change.add.map((label) => label.name).filter((name) => !thread.labels.has(name));
      const remove = change.remove.filter((name) => thread.labels.has(name));
      for (const name of add) thread.labels.add(name);
      for (const name of remove) thread.labels.delete(name);
      if (add.length + remove.length > 0) tell(parts, { kind: 'labels', add, remove });
    },
    ensureReaction: async (_ref, change) => {
      const at = change.commentId ?? 'thread';
      const key = `${at} ${change.add}`;
      if (change.remove !== undefined) thread.reactions.delete(`${at} ${change.remove}`);
      if (thread.reactions.has(key)) return;
      thread.reactions.add(key);
      tell(parts, { kind: 'reaction', content: change.add });
    },
    ensureIssue: () => Promise.reject(NO_ISSUES),
    ensureClosed: async (_ref, reason) => {
      if (thread.state === 'closed') return 'was-closed';
      thread.state = 'closed';
      tell(parts, { kind: 'closed', reason });
      return 'closed';
    },
    ensureChecks: async ({ headSha, checks: wanted }) => {
      for (const { name, conclusion, title, summary } of wanted) {
        const told = JSON.stringify([conclusion, title, summary]);
        if (checks.get(`${name}@${headSha}`) === told) continue;
        checks.set(`${name}@${headSha}`, told);
        tell(parts, { kind: 'check', name, conclusion, title });
      }
      return {};
    },
    ensureNoEmptySuites: async () => {},
  };
}

function tell(parts: ThreadParts, change: LocalChange): void {
  parts.thread.updatedAt = new Date(parts.clock.now()).toISOString();
  parts.onWrite(change);
}

function ensureComment(
  parts: ThreadParts,
  comment: Parameters<GitHubWriter['ensureComment']>[1],
): WrittenComment {
  const { thread, markerSecret } = parts;
  const scope = threadKey(thread.ref);
  const line = renderMarker(comment.marker, markerSecret, scope);
  const text = `${comment.body.trimEnd()}\n\n${line}`;
  const found = thread.comments.find((one) => {
    const marker = one.isOurs ? parseMarker(one.body, markerSecret, scope) : undefined;
    return marker?.run === comment.marker.run && marker.key === comment.marker.key;
  });
  const id = found?.id ?? thread.comments.length + 1;
  const url = `local:${thread.ref.number}#comment-${id}`;
  if (found?.body === text) return { id, url, outcome: 'unchanged', updatedAt: found.updatedAt };
  const outcome = found === undefined ? 'created' : 'edited';
  const { body, marker } = comment;
  tell(parts, {
    kind: 'comment',
    id,
    outcome,
    body,
    ...(marker.kind === 'notice' && { isNotice: true as const }),
  });
  const { updatedAt } = thread;
  if (found !== undefined) Object.assign(found, { body: text, updatedAt });
  else
    thread.comments.push({
      id,
      author: parts.self,
      body: text,
      createdAt: updatedAt,
      updatedAt,
      isOurs: true,
    });
  return { id, url, outcome, updatedAt };
}
