/** A process that tries mutants one after the other: the copy of the sources stays compiled between two of them. */
import { writeFileSync } from 'node:fs';
import { openVitest } from './open-vitest.ts';

export interface Task {
  id: number;
  /** Test files of the copy, in the order in which they are tried. */
  files: string[];
}

/** Which file noticed the mutant; none where it survived. */
export interface Verdict {
  id: number;
  by?: string;
}

const vitest = await openVitest(process.cwd(), { maxWorkers: 1 });

process.on('message', (task: Task) => {
  void tryMutant(task).then((verdict) => process.send?.(verdict));
});
process.send?.({ id: 0 } satisfies Verdict);

async function tryMutant({ id, files }: Task): Promise<Verdict> {
  writeFileSync(process.env['MUTANT_FILE'] ?? '', String(id));
  for (const file of files) if (await fails(file)) return { id, by: file };
  return { id };
}

/** Vitest returns the modules and errors of earlier runs as well: only what this file did counts. */
async function fails(file: string): Promise<boolean> {
  const specifications = await vitest.globTestSpecifications([file]);
  const ids = new Set(specifications.map(({ moduleId }) => moduleId));
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const own = testModules.filter(({ moduleId }) => ids.has(moduleId));
  if (own.length === 0) throw new Error(`no test was run for ${file}`);
  return unhandledErrors.length > 0 || !own.every((module) => module.ok());
}
