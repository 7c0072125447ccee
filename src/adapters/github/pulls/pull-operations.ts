/** The REST operations on pull requests and their reviews, each with what we read of its answer. */
import { z } from 'zod';
import { Body, Label, operation, Text, User } from '../rest-operations.ts';

const Side = z.object({
  ref: z.string(),
  sha: z.string(),
  /** Null when that repository was deleted. */
  repo: z.object({ id: z.number() }).nullish(),
});

/** As lists tell it. */
const ListedPull = z.object({
  number: z.number(),
  node_id: z.string().default(''),
  title: z.string(),
  body: Body,
  state: z.string(),
  draft: z.boolean().default(false),
  locked: z.boolean(),
  user: User.nullish(),
  labels: z.array(Label),
  head: Side,
  base: Side,
  html_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  requested_reviewers: z.array(User).nullish(),
  requested_teams: z.array(z.object({ slug: z.string() })).nullish(),
  auto_merge: z.unknown().optional(),
});
export type WireListedPull = z.infer<typeof ListedPull>;

const Pull = ListedPull.extend({
  merged: z.boolean(),
  changed_files: z.number(),
  additions: z.number(),
  deletions: z.number(),
  /** Null while GitHub works it out. */
  mergeable: z.boolean().nullable(),
  mergeable_state: z.string(),
});
export type WirePull = z.infer<typeof Pull>;

const ChangedFile = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  /** Absent for binary files and where GitHub finds it too long. */
  patch: z.string().optional(),
  /** Names the commit that it was listed for. */
  contents_url: Text,
});
export type WireFile = z.infer<typeof ChangedFile>;

const Review = z.object({
  id: z.number(),
  node_id: z.string().optional(),
  user: User.nullish(),
  body: Text,
  state: z.string(),
  html_url: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: z.string().nullish(),
});
export type WireReview = z.infer<typeof Review>;

const Line = z.number().nullish();

const ReviewComment = z.object({
  id: z.number(),
  node_id: z.string().optional(),
  pull_request_review_id: z.number().nullish(),
  in_reply_to_id: z.number().nullish(),
  user: User.nullish(),
  body: Text,
  html_url: z.string(),
  path: z.string(),
  side: z.string().default('RIGHT'),
  line: Line,
  original_line: Line,
  position: Line,
  subject_type: z.string().default('line'),
  reactions: z.object({ total_count: z.number() }).optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WireReviewComment = z.infer<typeof ReviewComment>;

const Reaction = z.object({ content: z.string(), user: User.nullish() });

const CheckRun = z.object({
  id: z.number(),
  name: z.string(),
  external_id: z.string().nullish(),
  status: z.string(),
  conclusion: z.string().nullish(),
  started_at: z.string().nullish(),
  app: z.object({ id: z.number() }).nullish(),
  output: z
    .object({
      title: z.string().nullish(),
      summary: z.string().nullish(),
      annotations_count: z.number().default(0),
    })
    .nullish(),
});
export type WireReviewCheck = z.infer<typeof CheckRun>;

const Identified = z.object({ id: z.number() });
/** The output of `git diff`, which is empty where nothing differs. */
const Diff = z.string().refine((text) => text === '' || text.startsWith('diff --git '), {
  message: 'it does not begin as a diff does',
});

const REPO = '/repos/{owner}/{repo}';
const PULL = `${REPO}/pulls/{pull_number}`;

export const GET_PULL = operation(`GET ${PULL}`, Pull);
export const LIST_PULLS = operation(`GET ${REPO}/pulls`, z.array(ListedPull));
export const CREATE_PULL = operation(`POST ${REPO}/pulls`, Pull);
export const EDIT_PULL = operation(`PATCH ${PULL}`, Pull);
/** From the merge base of the two to the head. */
export const COMPARE_DIFF = {
  ...operation(`GET ${REPO}/compare/{basehead}`, Diff),
  accept: 'application/vnd.github.diff',
};
/** At most 300 files, whatever page is asked for. */
export const COMPARE = operation(
  `GET ${REPO}/compare/{basehead}`,
  z.object({ files: z.array(ChangedFile) }),
);
/** At most 3,000. */
export const LIST_FILES = operation(`GET ${PULL}/files`, z.array(ChangedFile));

/** Oldest first. */
export const LIST_REVIEWS = operation(`GET ${PULL}/reviews`, z.array(Review));
export const CREATE_REVIEW = operation(`POST ${PULL}/reviews`, Review);
export const LIST_COMMENTS_OF_REVIEW = operation(
  `GET ${PULL}/reviews/{review_id}/comments`,
  z.array(ReviewComment.pick({ id: true, body: true })),
);
export const LIST_REVIEW_COMMENTS = operation(`GET ${PULL}/comments`, z.array(ReviewComment));
export const CREATE_REPLY = operation(`POST ${PULL}/comments/{comment_id}/replies`, ReviewComment);
export const EDIT_REVIEW_COMMENT = operation(
  `PATCH ${REPO}/pulls/comments/{comment_id}`,
  ReviewComment,
);
export const DELETE_REVIEW_COMMENT = operation(
  `DELETE ${REPO}/pulls/comments/{comment_id}`,
  z.unknown(),
);
export const LIST_REVIEW_COMMENT_REACTIONS = operation(
  `GET ${REPO}/pulls/comments/{comment_id}/reactions`,
  z.array(Reaction),
);

export const GET_REVIEW = operation(`GET ${PULL}/reviews/{review_id}`, Review);
export const EDIT_REVIEW = operation(`PUT ${PULL}/reviews/{review_id}`, Review);

export const GET_REVIEW_CHECK = operation(`GET ${REPO}/check-runs/{check_run_id}`, CheckRun);
export const LIST_REVIEW_CHECKS = operation(
  `GET ${REPO}/commits/{ref}/check-runs`,
  z.object({ check_runs: z.array(CheckRun) }),
);
export const EDIT_REVIEW_CHECK = operation(`PATCH ${REPO}/check-runs/{check_run_id}`, Identified);
