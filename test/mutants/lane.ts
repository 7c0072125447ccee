/** A process that tries mutants one after the other: the copy of the sources stays compiled between two of them. */
import { writeFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
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

class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

/** Files of one mutant share a worker and its modules, in the order given: a survivor then costs one start, not sixty. */
const vitest = await openVitest(process.cwd(), {
  maxWorkers: 1,
  isolate: false,
  bail: 1,
  testTimeout: 30_000,
  sequence: { sequencer: AsGiven },
});

process.on('message', (task: Task) => {
  void tryMutant(task).then((verdict) => process.send?.(verdict));
});
process.send?.({ id: 0 } satisfies Verdict);

/** Vitest returns the modules and errors of earlier runs as well: only what these files did now counts. */
async function tryMutant({ id, files }: Task): Promise<Verdict> {
  writeFileSync(process.env['MUTANT_FILE'] ?? '', String(id));
  vitest.state.clearErrors();
  vitest.state.filesMap.clear();
  const specifications = await Promise.all(
    files.map((file) => vitest.globTestSpecifications([file])),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    specifications.flat(),
  );
  const failed = testModules.find((module) => module.state() === 'failed');
  if (failed !== undefined) return { id, by: failed.relativeModuleId };
  if (unhandledErrors.length > 0) return { id, by: 'an error outside every test' };
  if (testModules.length !== files.length) throw new Error(`not every test file was run for ${id}`);
  return { id };
}
