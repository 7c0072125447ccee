/** How often passes of a sweep begin, as the event of the job tells. */
import { z } from 'zod';
import { intervalOfSchedule } from '../../../domain/loops/sweep-loops.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const Scheduled = z.object({ schedule: z.string() });

/** In milliseconds. Undefined for a pass that a person started, and for a schedule that has no one interval. */
export function everyMs({ event, payload }: WorkflowContext): number | undefined {
  const { data } = Scheduled.safeParse(payload);
  return event === 'schedule' && data !== undefined ? intervalOfSchedule(data.schedule) : undefined;
}
