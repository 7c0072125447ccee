/** What the agent job of a sweep hands on of a consolidation: what the model answered, as it said it. Closed and capped. */
import { z } from 'zod';

/** Of the file, in bytes. */
export const MAX_MEMORY_WORK_BYTES = 300_000;

export const MemoryWork = z.strictObject({
  version: z.literal(1),
  claim: z.string().min(1).max(200),
  /** `GITHUB_RUN_ID` of the workflow: an artifact of another run is refused. */
  workflowRun: z.string().regex(/^\d{1,20}$/),
  /** The apply job reads each as every answer of a model is read. */
  answers: z.array(z.json()).min(1).max(5),
});
export type MemoryWork = z.infer<typeof MemoryWork>;
