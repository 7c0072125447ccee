/** The loop over stale claims: leases of tasks that ran out are given back. No model is asked. */
import { findExpiredLeases } from '../../../act/recover/leftovers.ts';
import { releaseLease } from '../../../act/task/lease/take-lease.ts';
import { workAt } from '../../../act/task/coder/coding-runtime.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { Sweeping } from './find-lost.ts';

export async function releaseStale({ context, sweep, isDry }: Sweeping): Promise<string[]> {
  const { ports, readSettings } = sweep;
  const expired = await findExpiredLeases(context.repository, { ports, readSettings });
  const lines: string[] = [];
  for (const { place, lease, ref, holder, expiredAt } of expired) {
    if (!isDry) await releaseLease(workAt(ports, place.repository), place, lease);
    const deed = isDry ? 'would be released' : 'is released';
    lines.push(`${codeSpan(ref)} of ${codeSpan(holder)}, expired at ${expiredAt}: ${deed}.`);
  }
  return lines;
}
