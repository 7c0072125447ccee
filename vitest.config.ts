import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { EXHAUSTIVE, LONGEST, PURE } from './test/projects.ts';
import { SkipReporter } from './test/skips.ts';
import { hasTimeLimit, spread, turnByDay } from './test/time-left.ts';

/** A `--reporter` on the command line would take the place of the one that judges skipped tests. */
function reportFile(): [string, { outputFile: string }][] {
  const outputFile = process.env['TEST_REPORT'];
  return outputFile === undefined ? [] : [['json', { outputFile }]];
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONGEST.some((start) => moduleId.includes(`/test/${start}`));
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long, others] = [sorted.filter(isLong), sorted.filter((file) => !isLong(file))];
    const turned = [turnByDay(long), turnByDay(others)] as const;
    // Without a time limit what takes longest begins first, so that nothing waits for it alone at the end.
    return hasTimeLimit() ? spread(...turned) : turned.flat();
  }
}

// Tests talk to loopback only and share the cores with real servers and git processes,
// so the time limit is generous: it guards against a hang, it measures nothing.
export default defineConfig({
  test: {
    reporters: ['default', new SkipReporter(), ...reportFile()],
    // Most tests wait for servers and processes of their own, or for time to pass: two more at a time than there are cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 480_000,
    hookTimeout: 480_000,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: [...PURE], exclude: [...EXHAUSTIVE], isolate: false },
      },
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...PURE, ...EXHAUSTIVE] },
      },
      {
        extends: true,
        test: { name: 'exhaustive', include: [...EXHAUSTIVE], runner: './test/run-until.ts' },
      },
    ],
    // For `npm run coverage`: what tests without an emulator reach of the rooms that decide and act.
    coverage: {
      thresholds: { lines: 90 },
      include: ['src/{decide,policy,act}/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
