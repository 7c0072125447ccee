/** What the builders of triggers share: the facts of a delivery, and what they may answer. */
import type { Receiver } from '../domain/github/delivery.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import type { Account, Repository } from './payload.ts';

/** A delivery whose envelope was read: some installation sent it. */
export interface Facts {
  event: string;
  action: string;
  installationId: number;
  repository: Repository | undefined;
  actor: Actor;
  payload: unknown;
  receiver: Receiver;
}

/** A trigger and its stream, or the reason why it has no trigger. */
export type Built =
  | {
      kind: 'trigger';
      trigger: Trigger;
      key: string;
      /**
       * What this delivery says, beyond event, action and sender: two deliveries that say the same are one.
       * Undefined when it carries nothing to tell a replay from a true repetition.
       */
      says: readonly (string | number)[] | undefined;
    }
  | { kind: 'refused'; reason: string };

export type Builder = (facts: Facts) => Built;

/** An answer that there is nothing to do. */
export function refuseDelivery(reason: string): Built {
  return { kind: 'refused', reason };
}

/** Someone whose account is gone, as GitHub shows it. Has no permission anywhere. */
const GHOST: Actor = { id: 0, login: 'ghost', isBot: false };

/** The account as an actor; a missing one is the ghost. */
export function toEventActor(account: Account | null | undefined): Actor {
  if (account === null || account === undefined) return GHOST;
  return { id: account.id, login: account.login, isBot: account.type === 'Bot' };
}

/** Where a repository is, by the numeric ids that survive renames. */
export function repositoryOfDelivery(
  repository: Repository,
  installationId: number,
): RepositoryRef {
  const [owner = '', repo = ''] = repository.full_name.split('/');
  return { installationId, repositoryId: repository.id, owner, repo };
}

/** The thread with this number in the delivery's repository; undefined when it names no repository. */
export function toThreadRef(facts: Facts, number: number): ThreadRef | undefined {
  if (facts.repository === undefined) return undefined;
  return { ...repositoryOfDelivery(facts.repository, facts.installationId), number };
}

/** `issues.labeled`, or `push` for events without an action. */
export function deliveryName(event: string, action: string | null | undefined): string {
  return action === null || action === undefined || action === '' ? event : `${event}.${action}`;
}

/** The answer when a field that is needed is not there. */
export function lacksFields(facts: Facts, what: string): Built {
  return refuseDelivery(`${deliveryName(facts.event, facts.action)} lacks a usable ${what}`);
}
