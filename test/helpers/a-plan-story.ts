/** A small Node project whose tests really run, and plans for it whose tasks carry their own changes. */
import type { WorldOptions } from '../../src/hosts/demo/world.ts';
import { renderPlan, type NewTask } from '../../src/domain/plan/render-plan.ts';
import { aWorld, REPO, type TestWorld } from './a-world.ts';

const PROJECT = {
  'package.json': '{ "name": "tidy", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/greet.js': 'export function greet(name) {\n  return `Hello, ${name}`;\n}\n',
  'test/greet.test.js': testOf('greet', 'Hello'),
};

/** A test file of the project, for a function that says a word and a name. */
export function testOf(name: string, word: string): string {
  return [
    "import { test } from 'node:test';",
    "import assert from 'node:assert/strict';",
    `import { ${name} } from '../src/${name}.js';`,
    `test('${name}', () => assert.equal(${name}('you'), '${word}, you'));`,
    '',
  ].join('\n');
}

/** A diff that adds files. */
export function adding(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, text]) => {
      const lines = text.replace(/\n$/, '').split('\n');
      return [
        `diff --git a/${path} b/${path}`,
        'new file mode 100644',
        '--- /dev/null',
        `+++ b/${path}`,
        `@@ -0,0 +1,${lines.length} @@`,
        ...lines.map((line) => `+${line}`),
      ].join('\n');
    })
    .join('\n');
}

/** A task that adds a function and its test, both in its own text; `says` is what the function really says. */
export function sayTask(
  number: number,
  name: string,
  over: { word?: string; says?: string; dependencies?: number[] } = {},
): NewTask {
  const { word = name, says = word, dependencies = [] } = over;
  const change = adding({
    [`src/${name}.js`]: `export function ${name}(name) {\n  return \`${says}, \${name}\`;\n}\n`,
    [`test/${name}.test.js`]: testOf(name, word),
  });
  return {
    number,
    title: `A function that says ${word}`,
    dependencies,
    estimate: '2-5 min',
    files: [
      { path: `src/${name}.js`, note: 'the function' },
      { path: `test/${name}.test.js`, note: 'its test' },
    ],
    description: `Add \`${name}(name)\`.\n\n\`\`\`diff\n${change}\n\`\`\``,
  };
}

export function aPlanOf(tasks: NewTask[]): string {
  return renderPlan({ title: 'Say more', goal: 'Visitors hear more.', context: '', tasks });
}

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
): Promise<PlanWorld> {
  const { env, ...options } = over;
  const files = planFiles(settings);
  return withPlans(await aWorld({ ...options, env: { ...CODER_ENV, ...env }, files }));
}

/** What its host says so that code is written. */
export const CODER_ENV = { QUORUM_CODER: 'local' };

export function planFiles(settings: string): Record<string, string> {
  return { ...PROJECT, '.github/quorum.yml': settings };
}

export function withPlans(world: TestWorld): PlanWorld {
  world.sandbox.addCollaborator(REPO, 'tom', 'write');
  const ana = world.sandbox.as('ana');
  return Object.assign(world, {
    plan: async (tasks: NewTask[], by = 'ana') => {
      const body = aPlanOf(tasks);
      const { number } = await world.sandbox.as(by).openIssue(REPO, { title: '[PLAN] More', body });
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
