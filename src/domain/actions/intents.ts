/**
 * What the agent job of a workflow wants written: effects as data, in one file that the apply job reads. The types are
 * closed, sizes and numbers are capped, and nothing in it names another repository or thread than the claim does.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MARKER_KINDS, MARKER_STAGES } from '../github/marker.ts';
import { CHANGE_VERDICTS, ISSUE_VERDICTS } from '../run/council.ts';
import type { Effect, EffectData } from '../event/effect.ts';
import { ProposedWork } from './proposed-work.ts';
import { Reviewed } from './reviewed.ts';

/** Of the whole file, in bytes. */
export const MAX_INTENTS_BYTES = 1_000_000;

/** How many of a kind one run may want. A kind that is not listed is refused. */
export const INTENT_QUOTAS = {
  comment: 6,
  reply: 20,
  labels: 4,
  react: 6,
  issue: 1,
  close: 1,
  check: 4,
  review: 1,
  'review-check': 2,
  fold: 2,
} as const satisfies Partial<Record<EffectData['kind'], number>>;

export type IntentKind = keyof typeof INTENT_QUOTAS;
/** Every key of an effect has its schema here, so that a new one does not compile until it has. */
type Fields<T> = Record<T extends unknown ? keyof T : never, z.ZodType>;
type DataOf<K extends IntentKind> = Extract<EffectData, { kind: K }>;

const MAX_BODY = 65_536;
const optional = z.exactOptional;
const Name = z.string().min(1).max(200);
const Body = z.string().max(MAX_BODY);
const Title = z.string().max(500);
const Id = z.int().positive();
const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const Flag = optional(z.literal(true));

const Repository = {
  installationId: z.int().nonnegative(),
  repositoryId: Id,
  owner: Name,
  repo: Name,
};
const RepositoryRef = z.strictObject(Repository);
const ThreadRef = z.strictObject({ ...Repository, number: Id });
const MarkerFields = {
  kind: z.enum(MARKER_KINDS),
  run: z.string().min(1).max(80),
  key: z.string().min(1).max(120),
};
const Marker = z.strictObject({ ...MarkerFields, stage: optional(z.enum(MARKER_STAGES)) });
const PlainMarker = z.strictObject(MarkerFields);
const Label = z.strictObject({
  name: z.string().min(1).max(50),
  color: z.string().regex(/^[0-9a-fA-F]{6}$/),
  description: z.string().max(100),
});
const Authority = z.strictObject({
  user: z.strictObject({ id: z.int().nonnegative(), login: Name }),
  needed: z.enum(['none', 'read', 'triage', 'write', 'maintain', 'admin']),
});
const Reaction = z.enum(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);
const Conclusion = z.enum(['success', 'failure', 'neutral', 'action_required']);
const Side = z.enum(['LEFT', 'RIGHT']);
const Line = z.int().positive();

const Comment = z.strictObject({
  kind: z.literal('comment'),
  thread: ThreadRef,
  marker: Marker,
  body: Body,
  // The agent job puts the report into the text: no other job has the record that it is made from.
  report: optional(z.never()),
  isNew: Flag,
  isWithdrawn: Flag,
  // Of the end of a plan, which no agent job writes.
  unlessLabelled: optional(z.never()),
  evenPaused: Flag,
} satisfies Fields<DataOf<'comment'>>);

const Reply = z.strictObject({
  kind: z.literal('reply'),
  thread: ThreadRef,
  commentId: Id,
  marker: PlainMarker,
  body: Body,
  evenPaused: Flag,
} satisfies Fields<DataOf<'reply'>>);

const Labels = z.strictObject({
  kind: z.literal('labels'),
  thread: ThreadRef,
  add: z.array(Label).max(10),
  remove: z.array(z.string().min(1).max(50)).max(10),
  has: optional(z.array(z.string().max(50)).max(100)),
  authority: optional(Authority),
  evenPaused: Flag,
} satisfies Fields<DataOf<'labels'>>);

const React = z.strictObject({
  kind: z.literal('react'),
  thread: ThreadRef,
  commentId: optional(Id),
  isOnDiff: Flag,
  add: Reaction,
  remove: optional(Reaction),
  evenPaused: Flag,
} satisfies Fields<DataOf<'react'>>);

const Issue = z.strictObject({
  kind: z.literal('issue'),
  repository: RepositoryRef,
  marker: PlainMarker,
  title: Title,
  body: Body,
  labels: z.array(Label).max(10),
  maxOpen: optional(z.strictObject({ label: z.string().max(50), count: z.int().nonnegative() })),
  since: optional(z.iso.datetime()),
  isPinned: Flag,
} satisfies Fields<DataOf<'issue'>>);

const Close = z.strictObject({
  kind: z.literal('close'),
  thread: ThreadRef,
  reason: z.enum(['not_planned', 'completed', 'duplicate']),
} satisfies Fields<DataOf<'close'>>);

const Check = z.strictObject({
  kind: z.literal('check'),
  repository: RepositoryRef,
  headSha: Sha,
  checks: z
    .array(
      z.strictObject({
        name: Name,
        conclusion: Conclusion,
        title: Title,
        summary: Body,
        isNew: Flag,
      }),
    )
    .max(20),
} satisfies Fields<DataOf<'check'>>);

const Placed = z.strictObject({
  key: z.string().min(1).max(120),
  path: z.string().min(1).max(1_000),
  line: Line,
  side: Side,
  startLine: optional(Line),
  startSide: optional(Side),
  body: Body,
});

const Review = z.strictObject({
  kind: z.literal('review'),
  thread: ThreadRef,
  review: z.strictObject({
    marker: PlainMarker,
    headSha: Sha,
    event: z.enum(['COMMENT', 'REQUEST_CHANGES']),
    body: Body,
    comments: z.array(Placed).max(50),
  }),
  isNew: Flag,
} satisfies Fields<DataOf<'review'>>);

const ReviewCheck = z.strictObject({
  kind: z.literal('review-check'),
  repository: RepositoryRef,
  check: z.strictObject({
    name: Name,
    headSha: Sha,
    run: z.string().min(1).max(80),
    conclusion: optional(Conclusion),
    title: Title,
    summary: Body,
    annotations: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(1_000),
          startLine: Line,
          endLine: Line,
          level: z.enum(['notice', 'warning', 'failure']),
          title: Title,
          message: Body,
        }),
      )
      .max(500),
  }),
  isNew: Flag,
} satisfies Fields<DataOf<'review-check'>>);

const NodeIds = z.array(z.string().min(1).max(200)).max(200);
const Fold = z.strictObject({
  kind: z.literal('fold'),
  thread: ThreadRef,
  conversations: NodeIds,
  texts: NodeIds,
} satisfies Fields<DataOf<'fold'>>);

const Intent = z.strictObject({
  /** The effect's own id: the same decision twice is the same intent. */
  id: z.string().min(1).max(200),
  /** The stream of the thread. */
  key: z.string().min(1).max(200),
  run: z.string().min(1).max(80),
  at: z.iso.datetime(),
  lane: optional(z.string().max(200)),
  slot: optional(z.string().max(200)),
  data: z.discriminatedUnion('kind', [
    Comment,
    Reply,
    Labels,
    React,
    Issue,
    Close,
    Check,
    Review,
    ReviewCheck,
    Fold,
  ]),
});
export type Intent = z.infer<typeof Intent>;

export const Spend = z.strictObject({
  usd: z.number().nonnegative().max(100_000),
  calls: z.int().nonnegative(),
  unknownCalls: z.int().nonnegative(),
});

/** How a run went, counted and not judged by a model. */
export const Trajectory = z.strictObject({
  turns: z.int().nonnegative(),
  retries: z.int().nonnegative(),
  repeatedCalls: z.int().nonnegative(),
  firstPromptTokens: z.int().nonnegative(),
  lastPromptTokens: z.int().nonnegative(),
  wastedUsd: z.number().nonnegative(),
});
export type Trajectory = z.infer<typeof Trajectory>;

const Outcome = z.strictObject({
  verdict: z.enum([...CHANGE_VERDICTS, ...ISSUE_VERDICTS, 'NONE']),
  headline: z.string().max(2_000),
  findings: z.int().nonnegative(),
});

/** The shape and caps of the whole file. */
export const IntentsFile = z.strictObject({
  version: z.literal(1),
  /** The claim that the run worked under. */
  claim: z.string().min(1).max(200),
  /** `GITHUB_RUN_ID` of the workflow: an artifact of another run is refused. */
  workflowRun: z.string().regex(/^\d{1,20}$/),
  intents: z.array(Intent).max(60),
  /** What the review of a task's pull request tells the task. */
  reviewed: optional(Reviewed),
  /** What the PM proposed, where a plan was asked for. */
  proposed: optional(ProposedWork),
  spent: Spend,
  trajectory: Trajectory,
  outcome: Outcome,
});
export type IntentsFile = z.infer<typeof IntentsFile>;

/** SHA-256 of the file's bytes, as the agent job's output names it. */
export function digestIntents(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** As an effect, which the schema vouches for. */
export function intentToEffect({ data, ...intent }: Intent): Effect {
  // A review that goes on has no conclusion, and JSON has no undefined.
  if (data.kind !== 'review-check') return { ...intent, data };
  const { check } = data;
  return { ...intent, data: { ...data, check: { ...check, conclusion: check.conclusion } } };
}
