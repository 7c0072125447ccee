import { defineConfig } from 'vitest/config';
import { SkipReporter } from './test/skips.ts';

// Tests talk to loopback only and share two cores with real servers and git processes,
// so the time limit is generous: it guards against a hang, it measures nothing.
export default defineConfig({
  test: {
    reporters: ['default', new SkipReporter()],
    include: ['test/**/*.test.ts'],
    // Most tests wait for servers and processes of their own: on two cores, three at a time.
    maxWorkers: 3,
    testTimeout: 480_000,
    hookTimeout: 480_000,
    // `thresholds` are for whole runs: the scenarios cover what the unit tests leave out.
    coverage: {
      thresholds: { lines: 90 },
      include: ['src/{domain,events,decide,act}/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
