/** Which lanes have work, which are busy, and which wait for a time. Kept in memory: a boot finds it again in the tables. */
import { NO_INSTALLATION } from '../../../domain/tenant/tenant.ts';
import type { Shares } from '../queue/shares.ts';
import { text, textOrNone, type Row } from '../row.ts';
import { installationIn } from '../rows.ts';

/** Names of lanes say where the work is: events of a key, effects of a lane, or one effect without a lane. */
export type LaneKind = 'event' | 'lane' | 'free';

const KINDS: readonly LaneKind[] = ['event', 'lane', 'free'];

export function toLane(kind: LaneKind, name: string): string {
  return `${kind}:${name}`;
}

export function parseLane(lane: string): { kind: LaneKind; name: string } {
  const colon = lane.indexOf(':');
  const kind = KINDS.find((known) => known === lane.slice(0, colon));
  if (kind === undefined) throw new TypeError(`No lane: ${lane}.`);
  return { kind, name: lane.slice(colon + 1) };
}

/** A lane, and the installation whose work is in it. */
export interface OwnedLane {
  lane: string;
  installation: number;
}

/**
 * A lane is in at most one place: ready, held, or blocked until a time. Of one installation the lane that waited longest
 * is next; between installations see {@link Lanes.take}.
 */
export class Lanes {
  /** Ready lanes by installation; the installation that was served longest ago comes first. */
  readonly #ready = new Map<number, Set<string>>();
  readonly #held = new Set<string>();
  readonly #blocked = new Map<string, number>();
  /** Installations of all lanes that are in a place. */
  readonly #owners = new Map<string, number>();

  /** Whether a lane is ready whose installation has room for more. */
  hasReady(shares: Shares): boolean {
    return this.#next(shares) !== undefined;
  }

  /** There may be work in this lane. A held or blocked one is looked at again when that ends. */
  add({ lane, installation }: OwnedLane): void {
    if (!this.#owners.has(lane)) this.#owners.set(lane, installation);
    if (!this.#held.has(lane) && !this.#blocked.has(lane)) this.#makeReady(lane);
  }

  /** The next lane becomes held: of the installation with the fewest slots, among equals in turn. */
  take(shares: Shares): OwnedLane | undefined {
    const installation = this.#next(shares);
    if (installation === undefined) return undefined;
    for (const lane of this.#ready.get(installation) ?? []) {
      this.hold({ lane, installation });
      this.#sendBack(installation);
      return { lane, installation };
    }
    return undefined;
  }

  #next(shares: Shares): number | undefined {
    let next: number | undefined;
    for (const installation of this.#ready.keys()) {
      if (!shares.hasRoom(installation)) continue;
      if (next === undefined || shares.heldBy(installation) < shares.heldBy(next))
        next = installation;
    }
    return next;
  }

  /** Its turn is over. */
  #sendBack(installation: number): void {
    const lanes = this.#ready.get(installation);
    if (lanes === undefined) return;
    this.#ready.delete(installation);
    this.#ready.set(installation, lanes);
  }

  #makeReady(lane: string): void {
    const installation = this.#owners.get(lane) ?? NO_INSTALLATION;
    const lanes = this.#ready.get(installation);
    if (lanes === undefined) this.#ready.set(installation, new Set([lane]));
    else lanes.add(lane);
  }

  /** Nobody takes it: its work waits for something else than a time. */
  hold({ lane, installation }: OwnedLane): void {
    const owner = this.#owners.get(lane) ?? installation;
    this.#owners.set(lane, owner);
    const lanes = this.#ready.get(owner);
    lanes?.delete(lane);
    if (lanes?.size === 0) this.#ready.delete(owner);
    this.#held.add(lane);
  }

  /** Free again, with perhaps more to do. */
  release(lane: string): void {
    this.#held.delete(lane);
    this.#blocked.delete(lane);
    this.#makeReady(lane);
  }

  /** Nothing is left in it. */
  drop(lane: string): void {
    this.#held.delete(lane);
    this.#owners.delete(lane);
  }

  /** Not before `until`. */
  block(lane: string, until: number): void {
    this.#held.delete(lane);
    this.#blocked.set(lane, until);
  }

  /** Frees the lanes whose time has come; returns when the next one is due, Infinity when none is. */
  unblock(now: number): number {
    let next = Infinity;
    for (const [lane, until] of this.#blocked) {
      if (until <= now) this.release(lane);
      else next = Math.min(next, until);
    }
    return next;
  }
}

/** The lane of an event's row. */
export function eventLane(row: Row): OwnedLane {
  return { lane: toLane('event', text(row, 'key')), installation: installationIn(row) };
}

/** The lane of an effect's row. */
export function effectLane(row: Row): OwnedLane {
  const name = textOrNone(row, 'lane');
  const lane = name === undefined ? toLane('free', text(row, 'id')) : toLane('lane', name);
  return { lane, installation: installationIn(row) };
}
