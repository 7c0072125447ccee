/** A workflow that a person of the demonstration starts under _Actions_. */
import { z } from 'zod';
import { MAINTAINER, REPOSITORY } from '../project/people.ts';
import type { ActionsWorld, WorkflowName } from './open-actions-world.ts';

const Runs = z.object({ workflow_runs: z.array(z.object({ id: z.number() })) });

/** Returns the id of the run that GitHub made, and who started it. */
export async function startByHand(
  { emulator }: Pick<ActionsWorld, 'emulator'>,
  { workflow, inputs }: { workflow: WorkflowName; inputs: Readonly<Record<string, string>> },
): Promise<{ runId: string; by: string }> {
  const person = emulator.as(MAINTAINER);
  const path = `/repos/${REPOSITORY}/actions/workflows/${workflow}`;
  await person.request('POST', `${path}/dispatches`, { ref: 'main', inputs });
  const { workflow_runs: runs } = Runs.parse(await person.request('GET', `${path}/runs`));
  return { runId: String(runs[0]?.id ?? 0), by: MAINTAINER };
}
