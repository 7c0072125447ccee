/** Two tasks for documents that a repository lacks: a guide for agents, and what a person can do and see (TG-3b). */
import type { PlanTask } from './plan.ts';
import type { NewTask } from './body/render-plan.ts';

/** Files of which one is enough. */
export const GUIDES = ['AGENTS.md', 'CLAUDE.md'] as const;
export const SCENARIOS = 'SCENARIOS.md';
export const DOCS_FILES: readonly string[] = [...GUIDES, SCENARIOS];

/** Those that are missing and that no task of the plan is about, with the next free numbers. */
export function docsTasks(tasks: readonly PlanTask[], there: readonly string[]): NewTask[] {
  const planned = tasks.flatMap(({ files }) => files.map(({ path }) => path));
  const isThere = (path: string): boolean => there.includes(path) || planned.includes(path);
  const wanted = [
    ...(GUIDES.some(isThere) ? [] : [GUIDE]),
    ...(isThere(SCENARIOS) ? [] : [SCENARIO]),
  ];
  const last = Math.max(0, ...tasks.map(({ number }) => number));
  return wanted.map((task, n) => ({ ...task, number: last + 1 + n, dependencies: [] }));
}

type Wanted = Omit<NewTask, 'number' | 'dependencies'>;

const GUIDE: Wanted = {
  title: 'A guide for agents and people who change this',
  estimate: '5-10 min',
  files: [{ path: 'AGENTS.md', note: 'new' }],
  description: `Write \`AGENTS.md\`, at most 60 lines, from what is in the repository.

Acceptance:

- how to install, test and run it, with commands that the repository has
- where things are, and what may not be done
- nothing in it is made up`,
};

const SCENARIO: Wanted = {
  title: 'What a person can do and see',
  estimate: '5-10 min',
  files: [{ path: SCENARIOS, note: 'new' }],
  description: `Write \`SCENARIOS.md\`: a heading for each thing that a person can do with it, the steps, and what they see.

Acceptance:

- each scenario can be walked through as it stands
- it says what is there now, not what is planned`,
};
