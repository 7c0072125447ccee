/** The reconcile loop of a sweep: events whose workflow never ran or did not finish, reserved for this pass. */
import { z } from 'zod';
import { findRecent } from '../../../act/recover/find-recent.ts';
import { askingLabels, openThreads } from '../../../act/recover/recover-installation.ts';
import { readConfig } from '../../../act/recover/read-config.ts';
import {
  findClaims,
  triesOf,
  type ActionClaim,
  type ActionsState,
} from '../../../domain/actions/actions-state.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import type { NewEvent } from '../../../domain/event/event.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Basics } from '../../host-parts.ts';
import { howItAsks } from '../steps/find-planning.ts';
import type { ThreadTrigger } from '../steps/find-trigger.ts';
import type { Inputs } from '../job/read-inputs.ts';
import { readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { reserve } from '../steps/claim-step.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { findApp, hasEndedReview } from '../steps/find-app.ts';
import type { ModelFreePorts } from '../job/model-free-ports.ts';
import { MOST_EVENTS } from './sweep-ticket.ts';

export interface Sweeping {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
  sweep: ModelFreePorts;
  /** As it was when the pass began. */
  state: ActionsState;
  isDry: boolean;
  /** How long a claim is held. */
  lifeMs: number;
}

interface Found {
  trigger: ThreadTrigger;
  /** Key of its claim: the same as that of its own workflow. */
  says: string;
  /** Label of plans in this repository. */
  planLabel: string;
}

/** Of what a discussion is about; plans are followed by the App. */
const WANTED = new Set(['deliberate', 'prd']);
/** Each try asks models: what fails so often needs a person. */
const MOST_TRIES = 3;

/** Whether three workflows took it, and none of them finished it or works on it still. */
export function isGivenUp(claim: ActionClaim | undefined, now: number): boolean {
  if (claim === undefined || claim.doneAt !== undefined) return false;
  return triesOf(claim) >= MOST_TRIES && Date.parse(claim.until) <= now;
}

/** Adds to `tickets` while it goes on, so that what was reserved before a failure is worked on. */
export async function reserveLost(
  sweeping: Sweeping,
  { since, tickets }: { since: string; tickets: ClaimTicket[] },
): Promise<string[]> {
  const lines: string[] = [];
  for (const found of await findLost(sweeping, since)) {
    const { number } = found.trigger.thread;
    if (tickets.length === MOST_EVENTS) {
      lines.push(`The next pass takes the rest: one pass takes ${MOST_EVENTS} events.`);
      break;
    }
    const why = await reasonToSkip(found, sweeping);
    if (why === 'settled') continue;
    if (why !== undefined) lines.push(`#${number}: ${why}`);
    else if (sweeping.isDry) lines.push(`#${number}: would be started (${found.trigger.kind}).`);
    else {
      const ticket = await reserveOne(found, sweeping);
      if (ticket === undefined) continue;
      tickets.push(ticket);
      lines.push(`#${number}: is started (${found.trigger.kind}).`);
    }
  }
  return lines;
}

async function findLost({ context, sweep }: Sweeping, since: string): Promise<Found[]> {
  const { ports, readSettings } = sweep;
  const { repository } = context;
  const config = await readConfig(repository, { ports, readSettings });
  if (!config.enabled) return [];
  const labelled = await openThreads(repository, askingLabels(config), ports);
  const recent = await findRecent(repository, since, ports);
  return [...labelled, ...recent.events].flatMap((event) =>
    toFound(event, config.labels.plan ?? DEFAULT_LABELS.plan),
  );
}

function toFound({ data, dedupKey, id }: NewEvent, planLabel: string): Found[] {
  if (data.kind !== 'trigger' || !('thread' in data.trigger)) return [];
  const { trigger } = data;
  if (trigger.kind === 'requested' && !WANTED.has(trigger.meaning ?? '')) return [];
  return [{ trigger, says: `${threadKey(trigger.thread)} ${dedupKey ?? id}`, planLabel }];
}

/** `settled`: it was done, or is being done; undefined where nobody works on it. */
async function reasonToSkip(
  { trigger, says, planLabel }: Found,
  { basics, context, state }: Sweeping,
): Promise<string | undefined> {
  const own = state.claims[says];
  if (own?.doneAt !== undefined) return 'settled';
  const now = basics.clock.now();
  const ofThread = findClaims(state, `${threadKey(trigger.thread)} `);
  const isLive = ofThread.some(
    ({ doneAt, until }) => doneAt === undefined && Date.parse(until) > now,
  );
  if (isLive) return 'settled';
  if (isGivenUp(own, now))
    return 'three workflows took it and none of them finished it. Start its workflow again by hand.';
  if (trigger.kind === 'pull')
    return (await hasEndedReview(context, trigger.thread, trigger.headSha)) ? 'settled' : undefined;
  if (await findApp(context, trigger.thread, undefined)) return 'the App acts there.';
  // Only the workflow of a comment answers for a plan: what a sweep finds may be older than the plan's text.
  if (trigger.kind !== 'commented') return undefined;
  if (await hasLabel(context, trigger.thread, planLabel))
    return `the comment \`issuecomment-${trigger.commentId}\` on this plan was not answered. If it still counts, write it again.`;
  if (await asksForPlan(context, trigger))
    return `the comment \`issuecomment-${trigger.commentId}\` asks the PM for a plan and was not answered. If it still counts, write it again.`;
  return undefined;
}

const Comment = z.object({ body: z.string().nullish() });

/** A pass has no planning: only the workflow of the comment hands the PM's proposal on. */
async function asksForPlan(context: WorkflowContext, trigger: ThreadTrigger): Promise<boolean> {
  if (trigger.kind !== 'commented' || trigger.address?.place !== 'thread') return false;
  const { owner, repo } = trigger.thread;
  const address = `/repos/${owner}/${repo}/issues/comments/${trigger.commentId}`;
  const comment = await readOnce(context, address, Comment);
  return howItAsks(trigger, comment?.body ?? '') === 'asks';
}

const Labelled = z.object({ labels: z.array(z.object({ name: z.string() })) });

async function hasLabel(
  context: WorkflowContext,
  { owner, repo, number }: ThreadRef,
  label: string,
): Promise<boolean> {
  const issue = await readOnce(context, `/repos/${owner}/${repo}/issues/${number}`, Labelled);
  return issue?.labels.some(({ name }) => name === label) ?? false;
}

async function reserveOne(
  { trigger, says }: Found,
  { basics, context, inputs }: Sweeping,
): Promise<ClaimTicket | undefined> {
  const headSha = trigger.kind === 'pull' ? trigger.headSha : undefined;
  const comment = commentOf(trigger);
  const claimed = await reserve({ basics, context, inputs, trigger, says, headSha, comment });
  return claimed.kind === 'claimed' ? claimed.ticket : undefined;
}

function commentOf(trigger: ThreadTrigger): ClaimTicket['comment'] {
  if (trigger.kind !== 'commented' || trigger.address === undefined) return undefined;
  const { updatedAt, place } = trigger.address;
  return { id: trigger.commentId, updatedAt, isOnDiff: place === 'review' };
}
