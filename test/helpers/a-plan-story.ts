/** The App that carries plans out, in a world whose project's tests really run. */
import type { WorldOptions } from '../../src/demo/open-world.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { aWorld, REPO, type TestWorld } from './a-world.ts';
import { aPlanOf, PROJECT } from './say-task.ts';

export { adding, aPlanOf, leavingTodo, sayTask, testOf, TODO_SOURCE } from './say-task.ts';

interface Pull {
  number: number;
  title: string;
  body: string;
  merged_at: string | null;
  head: { sha: string };
}

export interface PlanWorld extends TestWorld {
  /** Opens the plan as somebody with write access, who labels it. */
  plan(tasks: NewTask[], by?: string): Promise<number>;
  body(number: number): Promise<string>;
  pulls(): Promise<Pull[]>;
}

/** The App writes code here; `tom` may write as well, and `eve` may not. */
export async function aPlanWorld(
  settings = 'merge:\n  mode: auto\n',
  over: Partial<WorldOptions> = {},
  more: Readonly<Record<string, string>> = {},
): Promise<PlanWorld> {
  const { env, ...options } = over;
  const files = { ...planFiles(settings), ...more };
  return withPlans(await aWorld({ ...options, env: { ...CODER_ENV, ...env }, files }));
}

/** What its host says so that code is written. */
export const CODER_ENV = { QUORUM_CODER: 'local' };

export function planFiles(settings: string): Record<string, string> {
  return { ...PROJECT, '.github/quorum.yml': settings };
}

export function withPlans(world: TestWorld): PlanWorld {
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  const ana = world.emulator.as('ana');
  return Object.assign(world, {
    plan: async (tasks: NewTask[], by = 'ana') => {
      const body = aPlanOf(tasks);
      const { number } = await world.emulator
        .as(by)
        .openIssue(REPO, { title: '[PLAN] More', body });
      await ana.label(REPO, number, ['plan']);
      return number;
    },
    body: async (number: number) => {
      const issue = await ana.request('GET', `/repos/${REPO}/issues/${number}`);
      return (issue as { body: string }).body;
    },
    pulls: async () =>
      (await ana.request('GET', `/repos/${REPO}/pulls?state=all`)) as Awaited<
        ReturnType<PlanWorld['pulls']>
      >,
  });
}
