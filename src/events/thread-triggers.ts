/** Deliveries about one issue or pull request become triggers of its thread. */
import type { z } from 'zod';
import { threadKey, type Actor, type ThreadRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import {
  lacksFields,
  refuseDelivery,
  toThreadRef,
  type Builder,
  type Built,
  type Facts,
} from './facts.ts';
import { toDeliveredPlan } from './delivered-plan.ts';
import {
  IssueEditedPayload,
  IssuePayload,
  MergeGroupPayload,
  PullRequestPayload,
  ReviewPayload,
} from './payload.ts';
import {
  OWN_EVENT,
  onComment,
  onReviewComment,
  onCommentEdited,
  onCommentDeleted,
  onReviewCommentDeleted,
} from './comment-triggers.ts';

type Ended = Extract<Trigger, { kind: 'ended' }>['how'];

interface Subject {
  thread: ThreadRef;
  actor: Actor;
  /** The issue, or the pull request: both have these fields. */
  item: z.infer<typeof IssuePayload>['issue'];
  label: z.infer<typeof IssuePayload>['label'];
}

type ToTrigger = (subject: Subject) => Trigger | { reason: string };

/** A label's name, which is missing when the label itself was deleted meanwhile. */
function toLabelTrigger(kind: 'labeled' | 'unlabeled'): ToTrigger {
  return ({ thread, actor, item, label }) => {
    if (label === null || label === undefined) return { reason: `${kind} without a label` };
    const named = { thread, actor, label: label.name };
    return kind === 'labeled' ? { kind, ...named, ...toDeliveredPlan(item) } : { kind, ...named };
  };
}

function toEndedTrigger(how: Ended): ToTrigger {
  return ({ thread, actor }) => ({ kind: 'ended', thread, actor, how });
}

function toOpenedTrigger({ thread, actor, item }: Subject): Trigger {
  const labels = (item.labels ?? []).map((label) => label.name);
  return { kind: 'opened', thread, actor, labels, ...(labels.length > 0 && toDeliveredPlan(item)) };
}

function build(facts: Facts, subject: Subject, toTrigger: ToTrigger): Built {
  const trigger = toTrigger(subject);
  if ('reason' in trigger) return refuseDelivery(trigger.reason);
  const { item, label } = subject;
  const when = item.updated_at;
  const says =
    when === null || when === undefined ? undefined : [item.id, label?.id ?? 0, String(when)];
  return { kind: 'trigger', trigger, key: threadKey(subject.thread), says };
}

function onIssue(toTrigger: ToTrigger): Builder {
  return (facts) => {
    const parsed = IssuePayload.safeParse(facts.payload);
    if (!parsed.success) return lacksFields(facts, 'issue');
    const { issue: item, label } = parsed.data;
    const thread = toThreadRef(facts, item.number);
    if (thread === undefined) return lacksFields(facts, 'repository');
    return build(facts, { thread, actor: facts.actor, item, label }, toTrigger);
  };
}

function onPullRequest(toTrigger: ToTrigger): Builder {
  return (facts) => {
    const parsed = PullRequestPayload.safeParse(facts.payload);
    if (!parsed.success) return lacksFields(facts, 'pull request');
    const { pull_request: item, label } = parsed.data;
    const thread = toThreadRef(facts, item.number);
    if (thread === undefined) return lacksFields(facts, 'repository');
    return build(facts, { thread, actor: facts.actor, item, label }, toTrigger);
  };
}

/** An issue that our own App opened for someone carries the App, and the person as its author. */
function onIssueOpened(facts: Facts): Built {
  const parsed = IssuePayload.safeParse(facts.payload);
  const appId = parsed.data?.issue.performed_via_github_app?.id;
  if (appId !== undefined && appId === facts.receiver.appId) return refuseDelivery(OWN_EVENT);
  return onIssue(toOpenedTrigger)(facts);
}

/** GitHub's times are whole seconds: of two edits within one only the text says that they are two. */
function onIssueEdited(facts: Facts): Built {
  const built = onIssue(toEdited)(facts);
  if (built.kind === 'refused' || built.says === undefined) return built;
  const { title, body } = IssueEditedPayload.safeParse(facts.payload).data?.issue ?? {};
  return { ...built, says: [...built.says, title ?? '', body ?? ''] };
}

type PullAction = Extract<Trigger, { kind: 'pull' }>['action'];

/** A pull request that may want a review: the head is said again by GitHub before anything is read. */
function onPull(action: PullAction): Builder {
  return (facts) => {
    const parsed = PullRequestPayload.safeParse(facts.payload);
    if (!parsed.success) return lacksFields(facts, 'pull request');
    const { pull_request: item } = parsed.data;
    const thread = toThreadRef(facts, item.number);
    if (thread === undefined) return lacksFields(facts, 'repository');
    const headSha = item.head?.sha;
    if (headSha === undefined) return lacksFields(facts, 'head');
    const trigger: Trigger = { kind: 'pull', action, thread, actor: facts.actor, headSha };
    const when = item.updated_at;
    // A head can come twice: a pull request is reopened, a push is taken back.
    const says =
      when === null || when === undefined ? undefined : [item.id, action, headSha, String(when)];
    return { kind: 'trigger', trigger, key: threadKey(thread), says };
  };
}

function onPullEdited(facts: Facts): Built {
  const changes = PullRequestPayload.safeParse(facts.payload).data?.changes;
  if (changes?.base === undefined) return refuseDelivery('words are read again before every step');
  return onPull('retargeted')(facts);
}

/** Something that a merge waits for has changed. */
function onPullMoved(facts: Facts): Built {
  const built = onPullRequest(toChanged)(facts);
  if (built.kind === 'refused' || built.says === undefined) return built;
  return { ...built, says: [...built.says, facts.action] };
}

const toReopened: ToTrigger = ({ thread, actor }) => ({ kind: 'reopened', thread, actor });

const toEdited: ToTrigger = ({ thread, actor }) => ({ kind: 'edited', thread, actor });

/** What it says is read from GitHub, where it counts only with its author's role. */
function onReview(facts: Facts): Built {
  const parsed = ReviewPayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'review');
  const { pull_request: pull, review } = parsed.data;
  const thread = toThreadRef(facts, pull.number);
  if (thread === undefined) return lacksFields(facts, 'repository');
  const trigger = toChanged({ thread, actor: facts.actor });
  return { kind: 'trigger', trigger, key: threadKey(thread), says: [review.id, facts.action] };
}

const toChanged = ({ thread, actor }: Pick<Subject, 'thread' | 'actor'>): Trigger => ({
  kind: 'pull-changed',
  thread,
  actor,
});

/** GitHub names the queue's branches so (docs.github.com, "Managing a merge queue"). */
const QUEUE_BRANCH = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]{40,64}$/;

/** A merge queue asks for the checks that its base requires, on a commit of its own. */
function onMergeGroup(facts: Facts): Built {
  const parsed = MergeGroupPayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'merge group');
  const { head_sha: sha, base_sha: baseSha, head_ref: ref } = parsed.data.merge_group;
  const thread = toThreadRef(facts, Number(QUEUE_BRANCH.exec(ref)?.[1] ?? 0));
  if (thread === undefined || thread.number === 0) return lacksFields(facts, 'queue branch');
  const trigger: Trigger = { kind: 'queued', thread, actor: facts.actor, group: { sha, baseSha } };
  return { kind: 'trigger', trigger, key: threadKey(thread), says: [sha] };
}

/** By event and action. */
export const THREAD_TRIGGERS: readonly (readonly [string, Builder])[] = [
  ['issues.opened', onIssueOpened],
  ['issues.labeled', onIssue(toLabelTrigger('labeled'))],
  ['issues.unlabeled', onIssue(toLabelTrigger('unlabeled'))],
  ['issues.edited', onIssueEdited],
  ['issues.closed', onIssue(toEndedTrigger('closed'))],
  ['issues.reopened', onIssue(toReopened)],
  ['issues.deleted', onIssue(toEndedTrigger('deleted'))],
  ['issues.transferred', onIssue(toEndedTrigger('transferred'))],
  ['issues.locked', onIssue(toEndedTrigger('locked'))],
  ['issue_comment.created', onComment],
  ['issue_comment.edited', onCommentEdited],
  ['issue_comment.deleted', onCommentDeleted],
  ['pull_request_review_comment.created', onReviewComment],
  ['pull_request_review_comment.edited', () => refuseDelivery('an edited comment starts nothing')],
  ['pull_request_review_comment.deleted', onReviewCommentDeleted],
  // A discussion of a pull request that someone started at a terminal ends like any other.
  ['pull_request.unlabeled', onPullRequest(toLabelTrigger('unlabeled'))],
  ['pull_request.closed', onPullRequest(toEndedTrigger('closed'))],
  ['pull_request.locked', onPullRequest(toEndedTrigger('locked'))],
  ['pull_request.reopened', onPull('reopened')],
  ['pull_request.opened', onPull('opened')],
  ['pull_request.ready_for_review', onPull('ready')],
  ['pull_request.synchronize', onPull('pushed')],
  ['pull_request.edited', onPullEdited],
  ['pull_request.labeled', onPullRequest(toChanged)],
  ['pull_request.dequeued', onPullMoved],
  ['merge_group.checks_requested', onMergeGroup],
  ['merge_group.destroyed', () => refuseDelivery('the end of a merge group changes nothing here')],
  ['pull_request.review_request_removed', onPullMoved],
  ['pull_request_review.submitted', onReview],
  ['pull_request_review.dismissed', onReview],
  ['pull_request_review.edited', () => refuseDelivery('the words of a review change nothing')],
  [
    'pull_request.review_requested',
    () => refuseDelivery('reviews are made without being requested'),
  ],
];
