/** Rules for signatures that were read within the last day are not asked about again. */
import { expect, test } from 'vitest';
import type { ActPorts } from '../../src/act/ports.ts';
import { createUnsignedReason } from '../../src/act/settings/signatures.ts';
import type { PlanView } from '../../src/domain/plan/plan-view.ts';
import { PLAN } from '../helpers/a-task.ts';

interface Asked {
  /** What is known. */
  unsignedBase?: string;
  mode?: 'auto' | 'never';
}

async function branchesAsked({ unsignedBase, mode = 'auto' }: Asked): Promise<string[]> {
  const asked: string[] = [];
  const mustSign = async (_: unknown, branch: string): Promise<boolean> => {
    asked.push(branch);
    return false;
  };
  const session = { leases: {}, tasks: {}, plans: {}, work: { mustSign } };
  const known = unsignedBase === undefined ? {} : { known: { unsignedBase } };
  const ports = {
    clock: { now: () => 0 },
    github: { at: () => session },
    codingRuntime: known,
  } as unknown as ActPorts;
  const view = { config: { merge: { mode } }, repository: { defaultBranch: 'main' } };
  expect(await createUnsignedReason(ports)(PLAN, view as unknown as PlanView)).toEqual({});
  return asked;
}

test.each<[string, Asked, string[]]>([
  ['nothing', {}, [expect.stringMatching(/^quorum\//), 'main']],
  ['this base', { unsignedBase: 'main' }, []],
  ['another base', { unsignedBase: 'trunk' }, ['main']],
  ['no base, where people merge', { unsignedBase: '', mode: 'never' }, []],
  ['no base, where Quorum merges', { unsignedBase: '' }, ['main']],
])('where %s is known, the rest is asked about', async (_, asked, branches) => {
  expect(await branchesAsked(asked)).toEqual(branches);
});
