/** `quorum demo --actions`: the story by workflows alone, from a checkout. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { systemClock, systemRandom } from '../../../adapters/system/system-clock.ts';
import { isActionsDemoFine, type RunActionsDemo } from '../demo/actions-result.ts';
import { createLog } from '../../create-log.ts';
import { renderActionsEnd } from '../demo/render-actions.ts';
import { renderAct } from '../demo/render-act.ts';
import { usageError } from '../report-failure.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

/** Named and not imported: the package has neither the runner nor the workflows. */
const STORY = new URL('../../../../src/demo/actions/run-actions-demo.ts', import.meta.url);

const Story = z.object({
  runActionsDemo: z.custom<RunActionsDemo>((value) => typeof value === 'function'),
});

export async function demoActions(isJson: boolean, io: Io): Promise<ExitCode> {
  if (!existsSync(fileURLToPath(STORY)))
    throw usageError(
      'demo-needs-checkout',
      '--actions runs the workflows of this repository. Clone it, then run `npm run demo -- --actions`.',
    );
  const { runActionsDemo } = Story.parse(await import(STORY.href));
  const page = { paint: createPaint(io), columns: io.columns };
  const write = isJson ? io.err : io.out;
  const played = await runActionsDemo({
    env: {},
    clock: systemClock,
    random: systemRandom,
    log: createLog({
      level: io.env['LOG_LEVEL'] ?? 'error',
      format: 'pretty',
      destination: { write: (line: string) => io.err(line) },
    }),
    onAct: (says) => write(renderAct(says, page)),
  });
  const isFine = isActionsDemoFine(played);
  if (isJson) outJson(io, { ok: isFine, ...played });
  else io.out(renderActionsEnd(played, page));
  return isFine ? EXIT.ok : EXIT.failure;
}
