/** The REST operations that work on tasks needs beside those of pull requests, each with what we read of its answer. */
import { z } from 'zod';
import { operation, Text, User } from '../rest-operations.ts';

const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{issue_number}`;
const PULL = `${REPO}/pulls/{pull_number}`;
const Nothing = z.unknown();

/** 404 for who cannot be assigned. */
export const CHECK_ASSIGNEE = operation(`GET ${REPO}/assignees/{assignee}`, Nothing);
export const ADD_ASSIGNEES = operation(`POST ${ISSUE}/assignees`, Nothing);
export const REMOVE_ASSIGNEES = operation(`DELETE ${ISSUE}/assignees`, Nothing);

export const LIST_DATED_REACTIONS = operation(
  `GET ${REPO}/issues/comments/{comment_id}/reactions`,
  z.array(z.object({ content: z.string(), user: User.nullish(), created_at: z.string() })),
);

/** Those who were invited to it, and whom its organisation lets in. */
export const LIST_COLLABORATORS = operation(
  `GET ${REPO}/collaborators`,
  z.array(User.extend({ permissions: z.object({ push: z.boolean() }).optional() })),
);

export const REQUEST_REVIEWERS = operation(
  `POST ${PULL}/requested_reviewers`,
  z.object({ requested_reviewers: z.array(User).nullish() }),
);

export const MERGE_PULL = operation(
  `PUT ${PULL}/merge`,
  z.object({ sha: z.string(), merged: z.literal(true) }),
);
export const DELETE_REF = operation(`DELETE ${REPO}/git/refs/{ref}`, Nothing);

const Allowed = z.boolean().default(true);
/** GitHub tells these to Apps that may write contents; without them GitHub itself refuses a method. */
export const GET_MERGE_SETTINGS = operation(
  `GET ${REPO}`,
  z.object({
    id: z.number(),
    allow_squash_merge: Allowed,
    allow_merge_commit: Allowed,
    allow_rebase_merge: Allowed,
  }),
);

export type MergeSettings = Omit<z.infer<(typeof GET_MERGE_SETTINGS)['answer']>, 'id'>;

const Protection = z.object({
  enabled: z.boolean().optional(),
  required_status_checks: z
    .object({
      contexts: z.array(z.string()),
      checks: z.array(z.object({ context: z.string(), app_id: z.number().nullish() })).default([]),
    })
    .optional(),
});
export const GET_BRANCH = operation(
  `GET ${REPO}/branches/{branch}`,
  z.object({
    commit: z.object({ sha: z.string() }),
    protected: z.boolean(),
    protection: Protection.optional(),
  }),
);
export type WireBranch = z.infer<(typeof GET_BRANCH)['answer']>;

/** What the rulesets ask of a branch, those of the organisation included. */
export const LIST_RULES = operation(
  `GET ${REPO}/rules/branches/{branch}`,
  z.array(
    z.object({
      type: z.string(),
      parameters: z
        .object({
          required_status_checks: z
            .array(z.object({ context: z.string(), integration_id: z.number().nullish() }))
            .optional(),
          required_review_thread_resolution: z.boolean().optional(),
          allowed_merge_methods: z.array(z.string()).optional(),
        })
        .optional(),
    }),
  ),
);
export type WireRule = z.infer<(typeof LIST_RULES)['answer']>[number];

export const COUNT_BEHIND = operation(
  `GET ${REPO}/compare/{basehead}`,
  z.object({ behind_by: z.number() }),
);

/** The latest of each suite. */
export const LIST_REPORTED_CHECKS = operation(
  `GET ${REPO}/commits/{ref}/check-runs`,
  z.object({
    total_count: z.number(),
    check_runs: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        conclusion: z.string().nullish(),
        external_id: Text,
        html_url: Text,
        app: z.object({ id: z.number() }).nullish(),
        output: z.object({ title: z.string().nullish() }).nullish(),
      }),
    ),
  }),
);
/** Newest first. */
export const LIST_STATUSES = operation(
  `GET ${REPO}/commits/{ref}/statuses`,
  z.array(
    z.object({ context: z.string(), state: z.string(), target_url: Text, creator: User.nullish() }),
  ),
);
export type WireStatus = z.infer<(typeof LIST_STATUSES)['answer']>[number];
