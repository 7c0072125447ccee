/** GIT-04: which reports count for a required check: those of that very name, from the App that it is required of. */
import { expect, test } from 'vitest';
import { standing } from '../../../../src/adapters/github/work/check-reports.ts';
import type { CheckReport } from '../../../../src/ports/github/work.ts';

const CI = 5;
const OTHER = 6;

function report(name: string, appId: number | undefined): CheckReport {
  const kind = appId === undefined ? 'status' : 'check';
  return { name, kind, appId, by: undefined, state: 'success', externalId: '', url: '' };
}

const OURS = 'quorum / gate / tests';

test.each<[string, string, number | undefined, CheckReport[], number]>([
  ['of its App', 'ci', CI, [report('ci', CI)], 1],
  ['of another App, by the same name', 'ci', CI, [report('ci', OTHER)], 0],
  ['of both', 'ci', CI, [report('ci', OTHER), report('ci', CI)], 1],
  ['of a person, as a status by the same name', 'ci', CI, [report('ci', undefined)], 0],
  ['of another App, by the name of a gate', OURS, CI, [report(OURS, OTHER)], 0],
  ['of any App, where none is named', 'ci', undefined, [report('ci', OTHER)], 1],
  ['as a status, where no App is named', 'ci', undefined, [report('ci', undefined)], 1],
  ['by a name in other letters', 'ci', CI, [report('CI', CI), report('сi', CI)], 0],
  ['by a name that only begins so', 'ci', CI, [report('ci / fast', CI), report('ci ', CI)], 0],
])('a success %s', (_, ...[name, appId, all, count]) => {
  const { reports, isHidden } = standing({ name, appId }, { all, hasStatuses: true });
  expect(reports).toHaveLength(count);
  for (const one of reports) expect([one.name, appId ?? one.appId]).toEqual([name, one.appId]);
  expect(isHidden).toBeUndefined();
});

test.each<[string, number | undefined, CheckReport[], true | undefined]>([
  ['where no App is named', undefined, [], true],
  ['where an App is named, whose word is no status', CI, [], undefined],
  ['where a check says so already', undefined, [report('ci', CI)], undefined],
])('statuses that may not be read could hide it: %s', (_, ...[appId, all, isHidden]) => {
  const standingOf = standing({ name: 'ci', appId }, { all, hasStatuses: false });
  expect(standingOf.isHidden).toBe(isHidden);
});
