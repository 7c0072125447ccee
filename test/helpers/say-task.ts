/** A small Node project whose tests really run, and plans for it whose tasks carry their own changes. */
import { renderPlan, type NewTask } from '../../src/domain/plan/body/render-plan.ts';

export const PROJECT = {
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

/** What {@link leavingTodo} adds. */
export const TODO_SOURCE = [
  'export function goodbye(name) {',
  '  // TODO: take the language from the settings',
  '  return `goodbye, ${name}`;',
  '}',
  '',
].join('\n');

/** Task 1, which leaves something for later in its own file. */
export function leavingTodo(): NewTask {
  const files = {
    'src/goodbye.js': TODO_SOURCE,
    'test/goodbye.test.js': testOf('goodbye', 'goodbye'),
  };
  const description = `Add \`goodbye(name)\`.\n\n\`\`\`diff\n${adding(files)}\n\`\`\``;
  return { ...sayTask(1, 'goodbye'), description };
}
