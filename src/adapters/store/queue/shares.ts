/** How the slots of one process are shared between installations, in both stores. */
import { NO_INSTALLATION } from '../../../domain/tenant/tenant.ts';
import type { Work } from '../../../ports/store.ts';
import type { Consumer } from './consumers.ts';

export class Shares {
  readonly #held = new Map<number, number>();
  readonly #most: number;

  /** @param inHand - what the consumers have now */
  constructor(consumers: Iterable<Consumer>, inHand: Iterable<{ work: Work }>) {
    let most = 0;
    for (const { options } of consumers) most += options.perInstallation ?? options.concurrency;
    this.#most = most;
    for (const { work } of inHand) this.give(work);
  }

  /** What one installation may have in this process. */
  get most(): number {
    return this.#most;
  }

  /** Slots by installation, of those that have any. */
  get held(): ReadonlyMap<number, number> {
    return this.#held;
  }

  heldBy(installation: number): number {
    return this.#held.get(installation) ?? 0;
  }

  hasRoom(installation: number): boolean {
    return this.heldBy(installation) < this.#most;
  }

  give({ installation = NO_INSTALLATION }: Pick<Work, 'installation'>): void {
    this.#held.set(installation, this.heldBy(installation) + 1);
  }
}
