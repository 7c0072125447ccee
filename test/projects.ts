/** Which test files run in which project of `vitest.config.ts`; a file that no list names is of `fast`. */
import { readdirSync } from 'node:fs';

/** Values in, values out, or ports in memory: these share the modules of a worker. */
export const PURE: readonly string[] = [
  'test/{decide,domain,events,policy,record,rules}/**/*.test.ts',
  // One of them asks the emulator.
  'test/act/!(forget-closed).test.ts',
  'test/act/*/**/*.test.ts',
  'test/walks/*.test.ts',
  'test/prose/*.test.ts',
];

/** Scenarios in `npm test`: a discussion, a review, a plan and the control of a repository, from an event to what people see. */
export const FAST_SCENARIOS: readonly string[] = [
  'broken-settings',
  'control',
  'council',
  'nth-failure-plan',
  'review',
  'taken-names',
];

/** Beside scenarios: whole stores, whole sessions of Claude Code, kills, and compilations, a minute each. */
const HEAVY: readonly string[] = [
  'test/act/task/claims.test.ts',
  'test/adapters/coder/claude/{claude,escapes}.test.ts',
  'test/adapters/git/worktrees.test.ts',
  'test/adapters/github/memory/{doubtful,memory-branch,rest-only,writers}.test.ts',
  'test/adapters/github/pulls/faults.test.ts',
  'test/adapters/github/work-{merge,pulls}.test.ts',
  'test/adapters/store/postgres{,-workers}.test.ts',
  'test/chaos/smoke.test.ts',
  'test/decide/kinds/new-kind.test.ts',
  'test/hosts/action-rebuild.test.ts',
  'test/hosts/cli/{demo-json,init-pull-faults,review,simulate}.test.ts',
  'test/paths/{look,playground,postgres,server}.test.ts',
  'test/scenario/faulty-plan/*.test.ts',
  'test/scenario/kill-chains/*.test.ts',
];

/** What takes longest: `npm run test:long`, the first part of `npm run test:exhaustive`. */
export const EXHAUSTIVE: readonly string[] = [...HEAVY, ...otherScenarios()];

function otherScenarios(): string[] {
  const fast = new Set(FAST_SCENARIOS.map((name) => `${name}.test.ts`));
  return readdirSync(new URL('scenario', import.meta.url))
    .filter((name) => name.endsWith('.test.ts') && !fast.has(name))
    .map((name) => `test/scenario/${name}`);
}

/** Files that take minutes, most of them waiting: they begin first, so that nothing waits for them alone at the end. */
export const LONGEST: readonly string[] = [
  'scenario/kill-chains/',
  'scenario/old-stores',
  'scenario/kill-points',
  'scenario/nth-failure',
  'scenario/restored-',
  'scenario/kill-loop',
  'scenario/standup-planted',
  'scenario/own-project',
  'hosts/action-rebuild',
  'scenario/action-killed',
  'scenario/action-merge',
  'scenario/action-plan',
  'scenario/action-sweep-memory',
  'scenario/action-sweep-plans',
  'scenario/action-sweep-weekly',
  'scenario/action-task-ends',
  'scenario/code-watch-clock',
  'scenario/coder-in-workflow',
  'scenario/demo-actions',
  'scenario/chat-head-buttons',
];
