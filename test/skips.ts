/** Ends a whole run as failed when a test was skipped in a file that test/skips.json does not allow to. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { z } from 'zod';
import { NOT_BEGUN } from './time-left.ts';

const Allowed = z.array(z.strictObject({ file: z.string(), reason: z.string().min(4) }));
type Allowed = z.infer<typeof Allowed>;

/** What was skipped in one file. */
export interface Skips {
  /** From the root of the project, with `/`. */
  file: string;
  /** Full names. */
  tests: readonly string[];
  /** No test of the file ran: a requirement that only it cites was not shown by this run. */
  isWhole: boolean;
}

/** Lines to print, and whether something was skipped that may not be. */
export function judgeSkips(
  skips: readonly Skips[],
  allowed: Allowed,
): { lines: string[]; isBad: boolean } {
  const late = skips.filter(isLate).map(({ file }) => file);
  const begun = skips.filter((each) => !isLate(each));
  const lines = begun.map(({ file, tests, isWhole }) => {
    const reason = allowed.find((each) => isIn(each.file, file))?.reason;
    const what = `${tests.length} skipped in ${file}`;
    if (reason === undefined)
      return `NOT ALLOWED: ${what} (${tests[0] ?? ''}): let it run, or name the file in test/skips.json`;
    return `${what}: ${reason}${isWhole ? '; the requirements it cites were not shown by this run' : ''}`;
  });
  const isBad = lines.some((line) => line.startsWith('NOT ALLOWED'));
  if (late.length > 0) lines.push(`${late.length} files ${NOT_BEGUN}: ${late.join(', ')}`);
  return { lines, isBad };
}

function isLate({ tests }: Skips): boolean {
  return tests.length === 1 && tests[0] === NOT_BEGUN;
}

/** Whether a file is the one that the list names, or is in the folder that it names. */
export function isIn(name: string, file: string): boolean {
  return name.endsWith('/') ? file.startsWith(name) : file === name;
}

/** Runs that are narrowed by a file, a name, a tag or a change skip on purpose and are not judged. */
export class SkipReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _: unknown,
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined || reason === 'interrupted' || (await isNarrowed(vitest, modules)))
      return;
    const file = path.join(import.meta.dirname, 'skips.json');
    const allowed = Allowed.parse(JSON.parse(readFileSync(file, 'utf8')));
    const { lines, isBad } = judgeSkips(
      modules.map(toSkips).filter(({ tests }) => tests.length > 0),
      allowed,
    );
    for (const line of lines) vitest.logger[line.startsWith('NOT') ? 'error' : 'log'](line);
    if (isBad) process.exitCode = 1;
  }
}

/** Whether the run left files or tests out, as with a file argument, `-t`, `--changed` or a shard. */
async function isNarrowed(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const { testNamePattern, tagsFilter = [] } = vitest.config;
  if (testNamePattern !== undefined || tagsFilter.length > 0) return true;
  return modules.length < (await vitest.globTestSpecifications()).length;
}

function toSkips(module: TestModule): Skips {
  const all = [...module.children.allTests()];
  const skipped = all.filter((test) => test.result().state === 'skipped');
  return {
    file: module.relativeModuleId,
    tests: skipped.map((test) => test.fullName),
    isWhole: skipped.length === all.length,
  };
}
