/** Which blocks of some folders ran meanwhile, by V8's own counters. */
import { Session } from 'node:inspector/promises';

export interface Blocks {
  /** The blocks and functions that ran since the last call, as `file:offset`. */
  take(): Promise<Set<string>>;
}

export async function countBlocks(isWanted: (file: string) => boolean): Promise<Blocks> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take: async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const blocks = result
        .filter(({ url }) => isWanted(url))
        .flatMap(({ url, functions }) =>
          functions.flatMap(({ ranges }) =>
            ranges
              .filter(({ count }) => count > 0)
              .map(({ startOffset }) => `${url}:${startOffset}`),
          ),
        );
      return new Set(blocks);
    },
  };
}
