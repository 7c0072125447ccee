/** `quorum rebuild`: the store was lost; what is open on GitHub is taken up again. */
import {
  rebuildStore,
  type RebuiltPlan,
  type RebuiltTask,
} from '../../../act/recover/rebuild-store.ts';
import { createSettings } from '../../../act/settings/read-settings.ts';
import { withPorts } from '../app-ports.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';

export async function runRebuild(
  options: { json?: true; dryRun?: true },
  io: Io,
): Promise<ExitCode> {
  const isDry = options.dryRun === true;
  const plans = await withPorts(io, (ports) =>
    rebuildStore({ ports, readSettings: createSettings(ports), isDry }),
  );
  if (options.json === true) outJson(io, { dryRun: isDry, plans });
  else io.out(render(plans, isDry));
  return EXIT.ok;
}

function render(plans: readonly RebuiltPlan[], isDry: boolean): string {
  if (plans.length === 0) return 'No plan is open.\n';
  const lines = plans.flatMap(({ repository, issue, tasks }) => [
    `${repository}#${issue}: ${isDry ? 'would be' : 'is'} read again`,
    ...tasks.map((task) => `  ${describe(task)}`),
  ]);
  const end = isDry ? 'Nothing was changed.' : 'The running App goes on with it, or the next one.';
  return `${lines.join('\n')}\n${end}\n`;
}

function describe({ task, status, pull, lost }: RebuiltTask): string {
  const at = pull === undefined ? '' : ` (#${pull})`;
  const held = lost === undefined ? '' : `, held by a lost attempt: given back`;
  return `task ${task}: ${status.replace('_', ' ')}${at}${held}`;
}
