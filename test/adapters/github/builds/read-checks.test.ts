/** Whose checks make a build red: neither ours nor those that bear our names, and of one App only its own. */
import { expect, test } from 'vitest';
import type { SessionContext } from '../../../../src/adapters/github/bound.ts';
import { checksAt, failedChecks } from '../../../../src/adapters/github/builds/read-checks.ts';
import { PLAN } from '../../../helpers/a-task.ts';

const US = 1;
const CI = 5;
const OTHER = 6;

interface Given {
  name?: string;
  appId?: number;
  slug?: string;
  conclusion?: string;
}

function bound(all: Given[]): SessionContext {
  const checks = all.map(({ name = 'ci', appId = CI, slug = 'acme-ci', conclusion }, at) => ({
    id: at + 1,
    name,
    head_sha: 'head',
    status: 'completed',
    conclusion: conclusion ?? 'failure',
    html_url: '',
    details_url: '',
    completed_at: '',
    app: { id: appId, slug, name: slug },
  }));
  const calls = {
    get: async () => ({ data: { check_runs: checks } }),
    next: async () => undefined,
  };
  return { calls, places: { last: () => ({}) }, appId: US } as unknown as SessionContext;
}

const read = async (all: Given[], appId?: number) => {
  const at = { sha: 'head', branch: 'main', ...(appId !== undefined && { appId }) };
  return (await checksAt(bound(all), PLAN, at)).map(({ source, conclusion }) => [
    source.kind === 'checks' ? source.appId : source.kind,
    conclusion,
  ]);
};

test.each<[string, boolean, Given]>([
  ['another service', true, {}],
  ['this App', false, { appId: US }],
  ['another instance, by the name of a gate', false, { name: 'quorum / gate / tests' }],
  ['a service whose check only sounds like ours', true, { name: 'Quorum / gate / tests' }],
  ['a service whose check has our name inside', true, { name: 'ci quorum / config' }],
  ['Actions, whose jobs are read instead', false, { slug: 'github-actions' }],
])('a red check of %s counts: %s', async (_, isRead, check) => {
  expect(await read([check])).toEqual(isRead ? [[CI, 'failure']] : []);
});

test('each App has one word, and a look-alike of another App changes nothing in it', async () => {
  const all = [{ conclusion: 'success' }, { appId: OTHER, slug: 'look-alike' }];
  expect(await read(all)).toEqual([
    [CI, 'success'],
    [OTHER, 'failure'],
  ]);
  expect(await read(all, CI)).toEqual([[CI, 'success']]);
  const failed = (appId: number) => failedChecks(bound(all), PLAN, { sha: 'head', appId });
  expect(await failed(CI)).toEqual([]);
  expect((await failed(OTHER)).map(({ id }) => id)).toEqual([2]);
});
