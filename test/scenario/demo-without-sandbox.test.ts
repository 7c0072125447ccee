/** The demonstration on a machine without bubblewrap: its own code runs, and nobody else's would. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { isAsExpected } from '../../src/hosts/cli/demo/render-act.ts';
import { runDemo, type Demo } from '../../src/demo/run-demo.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { describePlan } from './demo-plan.ts';

let demo: Demo;
const acts: string[] = [];

beforeAll(async () => {
  demo = await runDemo({
    env: {},
    claudeBin: process.env['CLAUDE_BIN'],
    bwrap: '/nowhere/bwrap',
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
    onAct: (says) => void acts.push(says),
    onLook: () => undefined,
  });
});

afterAll(() => demo.world.close());

test('the whole story is played, with the diffs that the tasks carry', () => {
  expect(demo.coder.name).toBe('patch');
  expect(demo.coder.says).toMatch(/^There is no sandbox here: .* without a sandbox/);
  expect(isAsExpected(demo)).toBe(true);
});

describePlan(() => demo, acts);
