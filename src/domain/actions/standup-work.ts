/** What the agent job of a standup hands on: what each participant answered, as the model said it. Closed and capped. */
import { z } from 'zod';
import { Spend, Trajectory } from './intents.ts';
import { WorkCall, WorkFailure } from './task-work.ts';

const Handle = z.string().min(1).max(100);

export const StandupWork = z.strictObject({
  version: z.literal(1),
  claim: z.string().min(1).max(200),
  /** `GITHUB_RUN_ID` of the workflow: an artifact of another run is refused. */
  workflowRun: z.string().regex(/^\d{1,20}$/),
  answers: z
    .array(
      z.strictObject({
        handle: Handle,
        done: z.union([
          // The apply job reads it as every answer of a model is read.
          z.strictObject({ value: z.json(), calls: z.array(WorkCall).max(20) }),
          z.strictObject({ failed: WorkFailure }),
        ]),
      }),
    )
    .max(50),
  spent: Spend,
  trajectory: Trajectory,
});
export type StandupWork = z.infer<typeof StandupWork>;
