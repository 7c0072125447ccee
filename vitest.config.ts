import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { EXHAUSTIVE, PURE } from './test/projects.ts';
import { SkipReporter } from './test/skips.ts';

/** A `--reporter` on the command line would take the place of the one that judges skipped tests. */
function reportFile(): [string, { outputFile: string }][] {
  const outputFile = process.env['TEST_REPORT'];
  return outputFile === undefined ? [] : [['json', { outputFile }]];
}

// Tests talk to loopback only and share the cores with real servers and git processes,
// so the time limit is generous: it guards against a hang, it measures nothing.
export default defineConfig({
  test: {
    reporters: ['default', new SkipReporter(), ...reportFile()],
    // Most tests wait for servers and processes of their own: one more at a time than there are cores.
    maxWorkers: availableParallelism() + 1,
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
        test: { name: 'exhaustive', include: [...EXHAUSTIVE] },
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
