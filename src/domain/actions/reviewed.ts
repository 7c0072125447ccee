/** How the team's review of a task's head ended, as the agent job hands it on: closed and capped. */
import { z } from 'zod';
import { CHANGE_VERDICTS } from '../run/council.ts';

const optional = z.exactOptional;
const Verdict = z.enum(CHANGE_VERDICTS);

export const Reviewed = z.strictObject({
  kind: z.literal('reviewed'),
  headSha: z.string().regex(/^[0-9a-f]{40,64}$/),
  verdict: Verdict,
  asks: z.array(z.string().max(4_000)).max(20),
  voices: optional(
    z
      .array(z.strictObject({ handle: z.string().min(1).max(100), vote: optional(Verdict) }))
      .max(50),
  ),
  open: optional(z.array(z.string().max(2_000)).max(10)),
});
export type Reviewed = z.infer<typeof Reviewed>;
