/** Deliveries about comments become triggers of their thread. */
import type { z } from 'zod';
import type { CommentPlace } from '../domain/run/talk.ts';
import { threadKey } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import {
  lacksFields,
  refuseDelivery,
  toEventActor,
  toThreadRef,
  type Built,
  type Facts,
} from './facts.ts';
import { deliveredDigest } from './delivered-plan.ts';
import { mayApprove, toCommentAddress } from './may-address.ts';
import { CommentPayload, ReviewCommentPayload } from './payload.ts';

export const OWN_EVENT = 'own event';

export function onComment(facts: Facts): Built {
  const parsed = CommentPayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'comment');
  const { issue, comment } = parsed.data;
  const built = buildComment(facts, { number: issue.number, comment, place: 'thread' });
  if (built.kind === 'refused' || built.trigger.kind !== 'commented') return built;
  const { address } = built.trigger;
  const isPull = issue.pull_request !== undefined && issue.pull_request !== null;
  if (address === undefined || isPull || !mayApprove(address, comment.body ?? '')) return built;
  const planDigest = deliveredDigest(issue.body);
  if (planDigest === undefined) return built;
  return { ...built, trigger: { ...built.trigger, address: { ...address, planDigest } } };
}

/** A comment on the diff: heard when it may be for us; a review reads the others by itself. */
export function onReviewComment(facts: Facts): Built {
  const parsed = ReviewCommentPayload.safeParse(facts.payload);
  if (!parsed.success) return lacksFields(facts, 'comment');
  const { pull_request: pull, comment } = parsed.data;
  const built = buildComment(facts, { number: pull.number, comment, place: 'review' });
  const isForUs = built.kind === 'refused' || 'address' in built.trigger;
  return isForUs ? built : refuseDelivery('a comment on the diff that speaks to nobody here');
}

interface Said {
  number: number;
  comment: z.infer<typeof CommentPayload>['comment'];
  place: CommentPlace;
}

function buildComment(facts: Facts, { number, comment, place }: Said): Built {
  const thread = toThreadRef(facts, number);
  if (thread === undefined) return lacksFields(facts, 'repository');
  const appId = comment.performed_via_github_app?.id;
  const { appId: ourApp, botId } = facts.receiver;
  const isOurs = (appId !== undefined && appId === ourApp) || isSame(comment.user?.id, botId);
  if (isOurs) return refuseDelivery(OWN_EVENT);
  const actor = comment.user ? toEventActor(comment.user) : facts.actor;
  const isByBot = actor.isBot || appId !== undefined;
  const { body, updated_at: updatedAt, id: commentId } = comment;
  const address = toCommentAddress({
    place,
    body: body ?? '',
    updatedAt: updatedAt ?? '',
    appId,
    isByBot,
  });
  const trigger: Trigger = {
    kind: 'commented',
    thread,
    actor,
    commentId,
    isByBot,
    ...(address === undefined ? {} : { address }),
  };
  return { kind: 'trigger', trigger, key: threadKey(thread), says: [commentId] };
}

/** An edit matters only when a person edits one of our comments: they may have ticked a box. */
export function onCommentEdited(facts: Facts): Built {
  const { data } = CommentPayload.safeParse(facts.payload);
  if (data === undefined) return lacksFields(facts, 'comment');
  const { issue, comment } = data;
  const { appId: ourApp, botId } = facts.receiver;
  const appId = comment.performed_via_github_app?.id;
  const isOurs = (appId !== undefined && appId === ourApp) || isSame(comment.user?.id, botId);
  if (!isOurs || facts.actor.isBot) return refuseDelivery('an edited comment starts nothing');
  const thread = toThreadRef(facts, issue.number);
  if (thread === undefined) return lacksFields(facts, 'repository');
  const trigger: Trigger = {
    kind: 'own-comment-edited',
    thread,
    actor: facts.actor,
    commentId: comment.id,
  };
  const says = [comment.id, comment.updated_at ?? '', comment.body ?? ''];
  return { kind: 'trigger', trigger, key: threadKey(thread), says };
}

export function onCommentDeleted(facts: Facts): Built {
  const { data } = CommentPayload.safeParse(facts.payload);
  if (data === undefined) return lacksFields(facts, 'comment');
  return buildDeleted(facts, data.issue.number, data.comment.id);
}

export function onReviewCommentDeleted(facts: Facts): Built {
  const { data } = ReviewCommentPayload.safeParse(facts.payload);
  if (data === undefined) return lacksFields(facts, 'comment');
  return buildDeleted(facts, data.pull_request.number, data.comment.id);
}

/** It starts nothing; what was kept of it is erased. */
function buildDeleted(facts: Facts, number: number, commentId: number): Built {
  const thread = toThreadRef(facts, number);
  if (thread === undefined) return lacksFields(facts, 'repository');
  const trigger: Trigger = { kind: 'comment-deleted', thread, actor: facts.actor, commentId };
  return { kind: 'trigger', trigger, key: threadKey(thread), says: [commentId] };
}

function isSame(id: number | undefined, other: number | undefined): boolean {
  return id !== undefined && id === other;
}
