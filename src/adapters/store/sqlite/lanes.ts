/** Which lanes have work, which are busy, and which wait for a time. Kept in memory: a boot finds it again in the tables. */

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

/** A lane is in at most one place: ready (first come, first served), held, or blocked until a time. */
export class Lanes {
  readonly #ready = new Set<string>();
  readonly #held = new Set<string>();
  readonly #blocked = new Map<string, number>();

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** There may be work in this lane. A held or blocked one is looked at again when that ends. */
  add(lane: string): void {
    if (!this.#held.has(lane) && !this.#blocked.has(lane)) this.#ready.add(lane);
  }

  /** The lane that waited longest becomes held. */
  take(): string | undefined {
    for (const lane of this.#ready) {
      this.#ready.delete(lane);
      this.#held.add(lane);
      return lane;
    }
    return undefined;
  }

  /** Nobody takes it: its work waits for something else than a time. */
  hold(lane: string): void {
    this.#ready.delete(lane);
    this.#held.add(lane);
  }

  /** Free again, with perhaps more to do. */
  release(lane: string): void {
    this.#held.delete(lane);
    this.#blocked.delete(lane);
    this.#ready.add(lane);
  }

  /** Nothing is left in it. */
  drop(lane: string): void {
    this.#held.delete(lane);
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
