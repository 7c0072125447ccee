/** What the PM proposed in the agent job, as a value: closed and capped. The apply job makes a plan, questions or an answer of it. */
import { z } from 'zod';
import { PmProposal } from '../plan/draft.ts';
import type { ProposeResult } from '../event/result.ts';
import { toModelCall, WorkCall, WorkFailure } from './task-work.ts';

export const ProposedWork = z.union([
  z.strictObject({
    word: PmProposal,
    /** Uses of tools, in their order. */
    looked: z.array(z.string().max(2_000)).max(60),
    calls: z.array(WorkCall).max(200),
  }),
  z.strictObject({ failed: WorkFailure }),
]);
export type ProposedWork = z.infer<typeof ProposedWork>;

/** As the agent job hands it on; its form is checked with the whole file. */
export function toProposedWork({ word, looked, calls }: ProposeResult): unknown {
  const told = calls.map((call) => ({ ...call, insteadOf: undefined }));
  // JSON leaves out what is undefined.
  return JSON.parse(JSON.stringify({ word, looked, calls: told }));
}

/** As the reducer takes it. */
export function toProposeResult({
  word,
  looked,
  calls,
}: Exclude<ProposedWork, { failed: unknown }>): ProposeResult {
  return { word, looked, calls: calls.map(toModelCall) };
}
