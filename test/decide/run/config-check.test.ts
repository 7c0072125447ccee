/** The check on the settings: what is wrong, where, and how to fix it. */
import { expect, test } from 'vitest';
import { configCheck } from '../../../src/decide/run/config-check.ts';
import type { FileProblem } from '../../../src/domain/config/yaml.ts';
import type { Run } from '../../../src/domain/run/state/run-record.ts';
import { aView } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';

const BASE = { file: 'q.yml', line: 3, column: 5, message: 'it is no number' };
const ERROR = { ...BASE, severity: 'error', key: '' } as FileProblem;
const REMARK: FileProblem = {
  ...ERROR,
  severity: 'warning',
  key: 'coder.max',
  expected: 'a number',
  nearest: 'coder.min',
};
const PLACE = '- `q.yml:3:5`';
const SAYS = {
  error: `${PLACE}: it is no number.`,
  remark: `${PLACE} \`coder.max\`: it is no number. Expected: a number. Did you mean \`coder.min\`?`,
};

test.each([
  [[], undefined, { conclusion: 'neutral', title: '0 remarks', summary: '' }],
  [[REMARK], undefined, { conclusion: 'neutral', title: '1 remark', summary: SAYS.remark }],
  [
    [REMARK, REMARK],
    undefined,
    { conclusion: 'neutral', title: '2 remarks', summary: `${SAYS.remark}\n${SAYS.remark}` },
  ],
  [
    [REMARK, ERROR],
    undefined,
    { conclusion: 'failure', title: '1 thing to fix', summary: `${SAYS.remark}\n${SAYS.error}` },
  ],
  [
    [ERROR, ERROR],
    undefined,
    { conclusion: 'failure', title: '2 things to fix', summary: `${SAYS.error}\n${SAYS.error}` },
  ],
  [
    [],
    'the team keeps still',
    { conclusion: 'failure', title: 'the team keeps still', summary: 'the team keeps still\n' },
  ],
  [[ERROR], 'still', { conclusion: 'failure', title: 'still', summary: `still\n\n${SAYS.error}` }],
])('the check tells what is wrong: case %#', (problems, stopped, check) => {
  const run = { thread: THREAD } as Run;
  expect(configCheck(run, aView({ problems }), stopped)).toEqual({
    kind: 'check',
    repository: { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' },
    headSha: 'a'.repeat(40),
    checks: [{ name: 'quorum / config', ...check }],
  });
});
