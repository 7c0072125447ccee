/** The demonstration without an App, from its first issue to three merged pull requests and a standup. */
import { expect, vi } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { runActionsDemo } from '../../src/demo/actions/run-actions-demo.ts';
import { isActionsDemoFine } from '../../src/hosts/cli/demo/actions-result.ts';
import { renderActionsEnd } from '../../src/hosts/cli/demo/render-actions.ts';
import { createPaint } from '../../src/hosts/cli/terminal/paint.ts';
import { verifies } from '../verifies.ts';

// Some forty jobs, each of several processes: a slow machine takes its time.
vi.setConfig({ testTimeout: 1_500_000 });

const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

verifies(
  ['ACT-6'],
  'workflows discuss issues, review pull requests, merge a plan and hold its standup; a job with models cannot write',
  async () => {
    const acts: string[] = [];
    const demo = await runActionsDemo({
      env: {},
      clock: systemClock,
      random: systemRandom,
      log: QUIET,
      onAct: (says) => acts.push(says),
    });
    const { issues, pulls, plan, standup, boundaries } = demo;
    expect(issues.map(({ verdict, problems }) => [verdict, problems])).toEqual([
      ['READY', []],
      ['CLOSE', []],
      ['HUMAN', []],
    ]);
    expect(pulls.map(({ verdict, problems }) => [verdict, problems])).toEqual([
      ['CHANGES', []],
      ['APPROVE', []],
    ]);
    const merged = plan.tasks.map((task) => [
      task.task,
      task.startedBy,
      task.isMerged,
      task.problems,
    ]);
    expect(merged).toEqual([1, 2, 3].map((task) => [task, 'github-actions[bot]', true, []]));
    expect([plan.state, plan.problems]).toEqual(['closed', []]);
    expect(boundaries.map(({ says }) => says)).toEqual([
      'A comment with the token of a job with models: GitHub answers 403',
      'A second run for the event of #8: skips agent and apply',
      'A second standup of #13: skips agent and apply',
    ]);
    expect(standup).toMatchObject({ followUp: 17, problems: [] });
    expect(standup.insights.map(({ message }) => message).join()).toContain('src/sort.ts');
    expect(acts[0]).toContain('no App');
    const page = { paint: createPaint({ isTty: false, env: {} }), columns: 100 };
    expect([isActionsDemoFine(demo), renderActionsEnd(demo, page)]).toEqual([
      true,
      expect.stringContaining('Everything ended as it should.'),
    ]);
    expect(renderActionsEnd(demo, page)).toContain('follow-up #17');
  },
);
