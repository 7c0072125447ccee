/** The REST operations that we use, each with what we read of its answer; whatever else GitHub sends is dropped. */
import { z } from 'zod';

/** One operation: its route is also the name under which a call is counted. */
export interface Operation<T> {
  /** Method and path template of docs.github.com/rest. */
  route: string;
  answer: z.ZodType<T>;
  /** A media type other than JSON: then the answer is text. */
  accept?: string;
  /** Only what is read of an answer is kept to be compared with; the schema must take what it gave. */
  isSlim?: true;
}

export function operation<T>(route: string, answer: z.ZodType<T>): Operation<T> {
  return { route, answer };
}

/** A text that GitHub always sends, as null when it is empty. An answer without it is not this kind of answer. */
export const Body = z
  .string()
  .nullable()
  .transform((text) => text ?? '');
/** A text that GitHub writes as null or leaves out when it is empty. */
export const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
export const User = z.object({ id: z.number(), login: z.string(), type: z.string().optional() });
export type WireUser = z.infer<typeof User>;
/** GitHub writes `{}` for a commit whose author has no account. */
const NoUser = z.strictObject({}).transform(() => null);
/** Ids of deliveries can be larger than a number holds exactly; then they arrive as bigint. */
const BigId = z.union([z.number(), z.bigint()]).transform(String);

const Repository = z.object({
  id: z.number(),
  node_id: z.string().optional(),
  name: z.string(),
  full_name: z.string(),
  owner: User,
  private: z.boolean(),
  archived: z.boolean(),
  has_issues: z.boolean().optional(),
  default_branch: z.string(),
});

export const Label = z.union([
  z.string(),
  z.object({ name: Text }).transform((label) => label.name),
]);

const Issue = z.object({
  number: z.number(),
  title: z.string(),
  body: Body,
  state: z.string(),
  state_reason: z.string().nullish(),
  locked: z.boolean(),
  pull_request: z.unknown().optional(),
  user: User.nullish(),
  labels: z.array(Label),
  assignees: z.array(User).nullish(),
  html_url: z.string(),
  repository_url: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  closed_by: User.nullish(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});
export type WireIssue = z.infer<typeof Issue>;

/** How many there are of each kind; not every server tells. */
const ReactionCounts = z.object({ '+1': z.number(), '-1': z.number() }).optional().catch(undefined);

const Comment = z.object({
  id: z.number(),
  body: Text,
  reactions: ReactionCounts,
  html_url: z.string(),
  user: User.nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});
export type WireComment = z.infer<typeof Comment>;

const Reaction = z.object({ id: z.number(), content: z.string(), user: User.nullish() });

const CheckRun = z.object({
  id: z.number(),
  node_id: z.string().optional(),
  name: z.string(),
  external_id: z.string().nullish(),
  status: z.string(),
  conclusion: z.string().nullish(),
  app: z.object({ id: z.number() }).nullish(),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
});
export type WireCheckRun = z.infer<typeof CheckRun>;

const Delivery = z.object({
  id: BigId,
  guid: z.string(),
  delivered_at: z.string(),
  status_code: z.number().default(0),
});
export type WireDelivery = z.infer<typeof Delivery>;

const Account = z.object({ login: z.string().optional(), slug: z.string().optional() });
const Installation = z.object({
  id: z.number(),
  account: Account.nullish(),
  suspended_at: z.string().nullish(),
  events: z.array(z.string()).optional(),
  permissions: z.record(z.string(), z.unknown()).optional(),
});

const Tree = z.object({
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().default(0),
    }),
  ),
  truncated: z.boolean(),
});

const Encoded = z.object({ content: z.string(), encoding: z.enum(['base64', 'utf-8']) });
const File = Encoded.extend({ type: z.literal('file'), size: z.number() });
/** A folder (a list), a link, a submodule, or a file that is too large to be sent. */
const Unread = z.union([
  z.array(z.object({ type: z.string() })),
  z.object({ type: z.enum(['dir', 'symlink', 'submodule']) }),
  z.object({ type: z.literal('file'), encoding: z.literal('none') }),
]);
const Contents = z.union([File, Unread.transform(() => undefined)]);

const Nothing = z.unknown();
const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{issue_number}`;
const COMMENT = `${REPO}/issues/comments/{comment_id}`;

export const GET_APP = operation('GET /app', z.object({ slug: z.string() }));
export const GET_USER = operation('GET /user', User);
export const GET_ACCOUNT = operation('GET /users/{username}', User);
export const LIST_INSTALLATIONS = operation('GET /app/installations', z.array(Installation));
export const CREATE_TOKEN = operation(
  'POST /app/installations/{installation_id}/access_tokens',
  z.object({ token: z.string(), expires_at: z.string() }),
);
export const LIST_DELIVERIES = operation('GET /app/hook/deliveries', z.array(Delivery));
export const REDELIVER = operation('POST /app/hook/deliveries/{delivery_id}/attempts', Nothing);
export const LIST_REPOSITORIES = operation(
  'GET /installation/repositories',
  z.object({ repositories: z.array(Repository) }),
);
export const LIST_OWN_REPOSITORIES = operation('GET /user/repos', z.array(Repository));

export const GET_REPOSITORY = operation(`GET ${REPO}`, Repository);
/** As the App: which of its installations covers a repository. */
export const GET_REPOSITORY_INSTALLATION = operation(`GET ${REPO}/installation`, Installation);
export const GET_REF = operation(
  `GET ${REPO}/git/ref/{ref}`,
  z.object({ object: z.object({ sha: z.string() }) }),
);
export const GET_TREE = operation(`GET ${REPO}/git/trees/{tree_sha}`, Tree);
export const GET_BLOB = operation(`GET ${REPO}/git/blobs/{file_sha}`, Encoded);
export const GET_CONTENTS = operation(`GET ${REPO}/contents/{path}`, Contents);
export const GET_PERMISSION = operation(
  `GET ${REPO}/collaborators/{username}/permission`,
  z.object({ permission: z.string(), role_name: z.string().optional(), user: User.nullish() }),
);

export const LIST_ISSUES = operation(`GET ${REPO}/issues`, z.array(Issue));
export const GET_ISSUE = operation(`GET ${ISSUE}`, Issue);
export const CREATE_ISSUE = operation(`POST ${REPO}/issues`, Issue);
export const EDIT_ISSUE = operation(`PATCH ${ISSUE}`, Nothing);

/** Oldest first. */
export const LIST_EVENTS = operation(
  `GET ${ISSUE}/events`,
  z.array(
    z.object({
      event: z.string(),
      actor: User.nullish(),
      label: z.object({ name: Text }).nullish(),
    }),
  ),
);
export const LIST_COMMITS = operation(
  `GET ${REPO}/commits`,
  z.array(
    z.object({
      sha: z.string(),
      author: NoUser.or(User).nullish(),
      committer: NoUser.or(User).nullish(),
    }),
  ),
);

/** Oldest first; this list takes no order. */
export const LIST_COMMENTS = operation(`GET ${ISSUE}/comments`, z.array(Comment));
export const CREATE_COMMENT = operation(`POST ${ISSUE}/comments`, Comment);
export const GET_COMMENT = operation(`GET ${COMMENT}`, Comment);
export const EDIT_COMMENT = operation(`PATCH ${COMMENT}`, Comment);
export const DELETE_COMMENT = operation(`DELETE ${COMMENT}`, Nothing);

export const LIST_LABELS = operation(`GET ${ISSUE}/labels`, z.array(Label));
export const ADD_LABELS = operation(`POST ${ISSUE}/labels`, Nothing);
export const REMOVE_LABEL = operation(`DELETE ${ISSUE}/labels/{name}`, Nothing);
export const GET_LABEL = operation(`GET ${REPO}/labels/{name}`, Nothing);
/** https://docs.github.com/rest/checks/suites#update-repository-preferences-for-check-suites */
export const SET_SUITE_PREFERENCES = operation(`PATCH ${REPO}/check-suites/preferences`, Nothing);
export const CREATE_LABEL = operation(`POST ${REPO}/labels`, Nothing);

export const LIST_ISSUE_REACTIONS = operation(`GET ${ISSUE}/reactions`, z.array(Reaction));
export const ADD_ISSUE_REACTION = operation(`POST ${ISSUE}/reactions`, Reaction);
export const REMOVE_ISSUE_REACTION = operation(`DELETE ${ISSUE}/reactions/{reaction_id}`, Nothing);
export const LIST_COMMENT_REACTIONS = operation(`GET ${COMMENT}/reactions`, z.array(Reaction));
export const ADD_COMMENT_REACTION = operation(`POST ${COMMENT}/reactions`, Reaction);
export const REMOVE_COMMENT_REACTION = operation(
  `DELETE ${COMMENT}/reactions/{reaction_id}`,
  Nothing,
);

const ON_DIFF = `${REPO}/pulls/comments/{comment_id}/reactions`;
export const LIST_OWN_REVIEW_COMMENT_REACTIONS = operation(`GET ${ON_DIFF}`, z.array(Reaction));
export const ADD_REVIEW_COMMENT_REACTION = operation(`POST ${ON_DIFF}`, Reaction);
export const REMOVE_REVIEW_COMMENT_REACTION = operation(`DELETE ${ON_DIFF}/{reaction_id}`, Nothing);

export const LIST_CHECK_RUNS = operation(
  `GET ${REPO}/commits/{ref}/check-runs`,
  z.object({ check_runs: z.array(CheckRun) }),
);
export const CREATE_CHECK_RUN = operation(
  `POST ${REPO}/check-runs`,
  z.object({ id: z.number(), node_id: z.string().optional() }),
);
export const CREATE_CHECK_SUITE = operation(`POST ${REPO}/check-suites`, Nothing);
export const EDIT_CHECK_RUN = operation(`PATCH ${REPO}/check-runs/{check_run_id}`, Nothing);
