/** A server with pull requests as a test sees it, and the review that tests write to it. */
import type { Actor, RepositoryRef, ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type {
  EnsuredReview,
  GitHubPulls,
  PullFacts,
  PullSession,
  ReviewCheck,
} from '../../src/ports/github/pulls.ts';
import type { ContractFault } from './github.ts';

/** What a commit makes of a path: text, bytes, nothing, a file with a mode, or another repository's commit. */
export type Change =
  string | Buffer | null | { mode: '100644' | '100755'; text: string } | { submodule: string };
export type Changes = Record<string, Change>;

/** A server with one repository of some files, seen from outside the adapter. */
export interface PullsWorld {
  repository: RepositoryRef;
  /** A new adapter, as after a restart: it remembers nothing. */
  open(): GitHubPulls;
  /** A person opens a pull request with one commit on the default branch's tip. */
  openPull(changes: Changes, options?: { isDraft?: boolean; fork?: boolean }): Promise<ThreadRef>;
  openIssue(): Promise<ThreadRef>;
  /** Another commit on its head, or one in place of all of them; returns its sha. */
  push(ref: ThreadRef, changes: Changes, how?: 'force'): Promise<string>;
  reviews(ref: ThreadRef): { id: number; body: string; state: string }[];
  comments(ref: ThreadRef): SeenComment[];
  checks(headSha: string): {
    name: string;
    title: string | null;
    conclusion: string | null;
    status: string;
    annotations: number;
  }[];
  /** A person answers in a conversation; returns the reply's id. */
  reply(ref: ThreadRef, commentId: number, body: string): Promise<number>;
  /** A person's comment on a line of the diff. */
  commentOn(ref: ThreadRef, at: { path: string; line: number; body: string }): Promise<number>;
  react(commentId: number, content: string): Promise<void>;
  /** A person resolves the conversation that begins with this comment. */
  resolve(commentId: number): Promise<void>;
  lock(ref: ThreadRef): Promise<void>;
  deleteFork(ref: ThreadRef): Promise<void>;
  /** The person who does all of this. */
  person: Actor;
  /** Turns GraphQL off, as on a server without it. */
  withoutGraphql(): () => void;
  /** Takes from us what GitHub wants of an App that resolves conversations: write access to contents. */
  withoutContents(): () => void;
  /** The n-th call from now goes wrong, once. */
  breakCall(nth: number, fault: ContractFault['fault']): void;
  /** Whether the armed fault was met; disarms it. */
  mend(): boolean;
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface SeenComment {
  id: number;
  path: string;
  line: number | undefined;
  body: string;
  replyTo: number | undefined;
  isResolved: boolean;
  resolvedById: number | undefined;
  isHidden: boolean;
}

export const MARKER = { kind: 'run', run: 'run-1', key: 'review' } as const;
/** Twelve lines: a change in one of them leaves others out of the diff. */
export const BEFORE = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');
export const AFTER = BEFORE.replace('line 2\n', 'line two\nline two and a half\n');

/** The files of the repository before any pull request. */
export const FILES = { 'src/a.ts': BEFORE, 'src/b.ts': BEFORE, 'README.md': '# Widgets\n' };

export function reviewOf(headSha: string, more: Partial<EnsuredReview> = {}): EnsuredReview {
  return {
    marker: MARKER,
    headSha,
    event: 'COMMENT',
    body: '**Two things to fix.**',
    comments: [
      { key: 'f1', path: 'src/a.ts', line: 2, side: 'RIGHT', body: '**high · first**' },
      {
        key: 'f2',
        path: 'src/a.ts',
        line: 3,
        side: 'RIGHT',
        startLine: 2,
        body: '**low · second**\n\n```suggestion\nline 2\n```',
      },
    ],
    ...more,
  };
}

export function checkOf(headSha: string, more: Partial<ReviewCheck> = {}): ReviewCheck {
  return {
    name: 'quorum / review',
    headSha,
    run: 'run-1',
    conclusion: 'action_required',
    title: 'Two things to fix',
    summary: 'See the review.',
    annotations: [],
    ...more,
  };
}

export function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

export function sessionOf(world: PullsWorld): PullSession {
  return world.open().at(world.repository);
}

export async function pullOf(world: PullsWorld, ref: ThreadRef): Promise<PullFacts> {
  return sessionOf(world).pulls.pull(ref);
}
