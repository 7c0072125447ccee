/** What a job works with that an App sent: the App's cap on its session holds beside those of the repository. */
import type { CodingRuntime } from '../../../act/task/coder/coding-runtime.ts';

export function toDispatched(runtime: CodingRuntime, mostUsd: number): CodingRuntime {
  return {
    ...runtime,
    isDispatched: true,
    coder: (config, task) => {
      const coder = runtime.coder(config, task);
      return {
        ...coder,
        run: (wanted, place, signal) => {
          const usd = Math.min(wanted.limits.usd, mostUsd);
          return coder.run({ ...wanted, limits: { ...wanted.limits, usd } }, place, signal);
        },
      };
    },
  };
}
