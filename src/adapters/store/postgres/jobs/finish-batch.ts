/** Ends pieces of work: those that end at the same moment share a transaction. */
import type { Settlement, Work } from '../../../../ports/store.ts';
import { together, type Database } from '../database.ts';
import type { Tables } from '../postgres-tables.ts';
import type { Claim, Jobs, Ticket } from './jobs.ts';
import { WriteBatch } from './write-batch.ts';

interface Finished {
  work: Work;
  claim: Claim;
  settlement: Extract<Settlement, { kind: 'finish' }>;
}

/** Of each piece of work it returns the jobs that were sent for what follows from it. */
export type FinishBatch = WriteBatch<Finished, Ticket[]>;

export function createFinishBatch(parts: {
  db: Database;
  tables: Tables;
  jobs: Jobs;
}): FinishBatch {
  const { db, tables, jobs } = parts;
  return new WriteBatch((ended) => {
    const claims = ended.map(({ claim }) => claim);
    return db.transaction(async (tx) => {
      const [tickets] = await together([
        together(ended.map(({ work, settlement }) => tables.finish(tx, work, settlement))),
        jobs.remove(tx, claims),
      ]);
      await jobs.send(tx, tickets.flat());
      return tickets;
    });
  });
}
