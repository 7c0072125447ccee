/** What a coder in a job may do at most, beside what the repository allows. */
import type { CodingRuntime } from '../../../act/task/coder/coding-runtime.ts';
import type { CoderTask } from '../../../domain/task/coder-task.ts';
import type { Clock } from '../../../ports/clock.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';

/** For installing what the job needs, and for handing over what it did. */
const KEPT_MINUTES = 10;
const DEFAULT_MINUTES = 60;
const LEAST_MINUTES = 15;
/** Of a job on GitHub's own machines. */
const MOST_MINUTES = 360;

/**
 * How long a session may last, counted from when the action starts: GitHub would end the job without a report.
 *
 * @throws ConfigError `action-input-invalid`
 */
export function sessionMinutes(inputs: Inputs): number {
  const most = { least: LEAST_MINUTES, most: MOST_MINUTES };
  return (numberInput(inputs, 'job-minutes', most) ?? DEFAULT_MINUTES) - KEPT_MINUTES;
}

export function withinJob(
  runtime: CodingRuntime,
  most: Partial<Pick<CoderTask['limits'], 'minutes' | 'usd'>>,
  clock: Clock,
): CodingRuntime {
  const begun = clock.now();
  return {
    ...runtime,
    coder: (config, task) => {
      // What a workflow writes is written here, and sent to no other one.
      const runner = config.runner === 'off' ? 'off' : 'local';
      const coder = runtime.coder({ ...config, runner }, task);
      return {
        ...coder,
        run: (wanted, place, signal) => {
          const { usd, minutes, ...limits } = wanted.limits;
          // The project was installed meanwhile.
          const goneMinutes = (clock.now() - begun) / 60_000;
          const left = Math.max(0, (most.minutes ?? Infinity) - goneMinutes);
          const capped = {
            ...limits,
            usd: Math.min(usd, most.usd ?? usd),
            minutes: Math.min(minutes, left),
          };
          return coder.run({ ...wanted, limits: capped }, place, signal);
        },
      };
    },
  };
}
