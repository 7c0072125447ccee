/** Erasing what the store keeps: planned from the rows, written in transactions, and planned again until nothing is left. */
import {
  addRows,
  countRows,
  NO_ROWS,
  type ErasedRows,
  type ErasureTarget,
} from '../../domain/tenant/erasure-target.ts';
import type { Erasure } from '../../ports/erasure.ts';
import type { Changes, ErasableRows } from './kept-rows.ts';
import { StoreKeptData } from './store-kept-data.ts';

/** Rows that are written meanwhile are found in the next round. */
const ROUNDS = 20;

/** What a store does beside its rows. */
export interface Upkeep {
  expire: () => Promise<number>;
  compact: () => Promise<void>;
  /** Whether the store knows of something removed otherwise, which its files still have part of. */
  isLoose?: () => boolean;
}

export class StoreErasure extends StoreKeptData implements Erasure {
  readonly #upkeep: Upkeep;
  /** Whether anything was deleted since the files were compacted last. */
  #isLoose = false;

  constructor(kept: ErasableRows, upkeep: Upkeep) {
    super(kept);
    this.#upkeep = upkeep;
  }

  async erase(target: ErasureTarget): Promise<ErasedRows> {
    let erased = NO_ROWS;
    for (let round = 0; round < ROUNDS; round += 1) {
      const changes = await this.plan(target);
      if (isNothing(changes)) break;
      const memory = await this.kept.memory.erase(changes.memory);
      const standups =
        (await this.kept.standups.erase(changes.standups)) +
        (await this.kept.standups.write(changes.standupTexts));
      const written = addRows(await this.kept.write(changes), { ...NO_ROWS, memory, standups });
      erased = addRows(erased, written);
      this.#isLoose = true;
      // Nothing is left but what others change at this moment.
      if (countRows(written) === 0 && round > 2) break;
    }
    return erased;
  }

  async expire(): Promise<number> {
    const expired = await this.#upkeep.expire();
    this.#isLoose ||= expired > 0;
    return expired;
  }

  async compact(): Promise<void> {
    if (!this.#isLoose && this.#upkeep.isLoose?.() !== true) return;
    await this.#upkeep.compact();
    this.#isLoose = false;
  }
}

function isNothing(changes: Changes): boolean {
  const { calls, ...rows } = changes;
  const lists: readonly (readonly unknown[])[] = [...Object.values(rows), ...Object.values(calls)];
  return lists.every((each) => each.length === 0);
}
