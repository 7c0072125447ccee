/** The few fields that are read of GitHub's payloads. Everything else is left alone, whatever it is. */
import { z } from 'zod';

const Id = z.int().nonnegative();
/** GitHub writes ISO times, and seconds since the epoch in installations and pushes. */
const Time = z.union([z.string().max(64), z.number()]);
const Name = z.string().min(1).max(256);

const Account = z.object({ id: Id, login: Name, type: z.string().nullish() });
export type Account = z.infer<typeof Account>;

const Repository = z.object({
  id: Id,
  full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
  updated_at: Time.nullish().catch(null),
  default_branch: Name.nullish().catch(null),
});
export type Repository = z.infer<typeof Repository>;

const ThroughApp = z.object({ id: Id }).nullish().catch(null);

const Issue = z.object({
  id: Id,
  number: z.int().positive(),
  updated_at: Time.nullish().catch(null),
  labels: z
    .array(z.object({ name: Name }))
    .nullish()
    .catch(null),
  performed_via_github_app: ThroughApp,
  pull_request: z.unknown().optional(),
  /** Looked at for the plan in it, never kept. */
  body: z.string().nullish().catch(null),
});

const Label = z.object({ id: Id, name: Name });

const Comment = z.object({
  id: Id,
  /** Looked at, never kept. */
  body: z.string().nullish().catch(null),
  updated_at: z.string().max(64).nullish().catch(null),
  user: Account.nullish().catch(null),
  performed_via_github_app: ThroughApp,
});

/** What most deliveries have. Broken parts count as absent: the fields of an event are checked for themselves. */
export const Envelope = z.object({
  action: z.string().min(1).max(100).nullish().catch(null),
  installation: z.object({ id: Id }).nullish().catch(null),
  repository: Repository.nullish().catch(null),
  sender: Account.nullish().catch(null),
  issue: z.object({ number: z.int().positive() }).nullish().catch(null),
  pull_request: z.object({ number: z.int().positive() }).nullish().catch(null),
});
export type Envelope = z.infer<typeof Envelope>;

/** `issues` */
export const IssuePayload = z.object({ issue: Issue, label: Label.nullish().catch(null) });

/** `issues.edited` */
export const IssueEditedPayload = z.object({
  issue: z.object({
    /** Looked at, never kept. */
    title: z.string().nullish().catch(null),
    body: z.string().nullish().catch(null),
  }),
});

/** `issue_comment` */
export const CommentPayload = z.object({ issue: Issue, comment: Comment });

/** `pull_request_review_comment` */
export const ReviewCommentPayload = z.object({
  pull_request: z.object({ number: z.int().positive() }),
  comment: Comment,
});

/** `pull_request_review` */
export const ReviewPayload = z.object({
  pull_request: z.object({ number: z.int().positive() }),
  review: z.object({ id: Id }),
});

/** `pull_request`, whose object has the same fields as an issue's. */
export const PullRequestPayload = z.object({
  pull_request: Issue.extend({
    head: z
      .object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) })
      .nullish()
      .catch(null),
  }),
  label: Label.nullish().catch(null),
  changes: z.object({ base: z.unknown().optional() }).nullish().catch(null),
});

/** `installation_repositories` */
export const InstallationRepositoriesPayload = z.object({
  repositories_added: z.array(Repository).nullish(),
  repositories_removed: z.array(Repository).nullish(),
});

/** `installation_target.renamed` */
export const InstallationTargetPayload = z.object({ account: z.object({ login: Name }) });

/** `repository` */
export const RepositoryPayload = z.object({
  changes: z.object({ default_branch: z.unknown().optional() }).nullish().catch(null),
});

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const Pulls = z
  .array(
    z.object({
      number: z.int().positive(),
      base: z.object({ repo: z.object({ id: Id }) }),
    }),
  )
  .nullish()
  .catch(null);

/** `merge_group` */
export const MergeGroupPayload = z.object({
  merge_group: z.object({
    head_sha: Sha,
    base_sha: Sha,
    /** The queue's own branch, which names the pull request that its tip is for. */
    head_ref: z.string().max(1000),
  }),
});

/** `workflow_run` */
export const WorkflowRunPayload = z.object({
  workflow_run: z.object({
    id: Id,
    workflow_id: Id,
    run_attempt: z.int().positive().nullish().catch(null),
    event: Name,
    path: z.string().nullish().catch(null),
    head_branch: Name.nullish().catch(null),
    head_sha: Sha,
    conclusion: Name.nullish().catch(null),
    head_repository: z.object({ id: Id }).nullish().catch(null),
    pull_requests: Pulls,
  }),
});

/** `check_suite` */
export const CheckSuitePayload = z.object({
  check_suite: z.object({
    id: Id,
    head_branch: Name.nullish().catch(null),
    head_sha: Sha,
    conclusion: Name.nullish().catch(null),
    updated_at: Time.nullish().catch(null),
    app: z.object({ id: Id, slug: z.string().nullish().catch(null) }),
    pull_requests: Pulls,
  }),
});
