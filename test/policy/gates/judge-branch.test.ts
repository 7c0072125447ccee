/** Gates P, 1, 3 and 4 on branches as they are found. */
import { describe, expect, test } from 'vitest';
import {
  judgeBranch,
  judgeChanges,
  type BranchWanted,
} from '../../../src/policy/gates/judge-branch.ts';
import { judgePush, judgeRemote } from '../../../src/policy/gates/judge-push.ts';
import type { BranchFacts } from '../../../src/domain/task/patch.ts';
import { aChangedFile } from '../../helpers/a-changed-file.ts';
import { verifies } from '../../verifies.ts';

const base = 'b'.repeat(40);
const head = 'a'.repeat(40);
const wanted: BranchWanted = {
  branch: 'quorum/task-7-1-parse',
  baseSha: base,
  author: { name: 'Maya', email: 'maya@agents.example' },
  task: { number: 1, title: 'Parse dates' },
  taskTrailer: 'acme/widgets#7/1',
  coAuthors: ['alice <alice@example.test>'],
  approvedPaths: [],
};
/** As a task's commit has it. */
const messageOf = (body = ''): string =>
  [
    `task(${wanted.task.number}): ${wanted.task.title}`,
    body,
    [
      `Quorum-Task: ${wanted.taskTrailer}`,
      ...wanted.coAuthors.map((each) => `Co-authored-by: ${each}`),
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
const file = aChangedFile;
const commit = (
  over: Partial<BranchFacts['commits'][number]> = {},
): BranchFacts['commits'][number] => ({
  sha: head,
  parents: [base],
  authorName: 'Maya',
  authorEmail: 'maya@agents.example',
  message: `${messageOf('Why it was done.')}\n`,
  ...over,
});
const facts = (over: Partial<BranchFacts> = {}): BranchFacts => ({
  branch: wanted.branch,
  headSha: head,
  baseSha: base,
  isDescended: true,
  commits: [commit()],
  files: [file('src/a.ts')],
  isDirty: false,
  ...over,
});

test('gate P passes a branch as we make it', () => {
  expect(judgeBranch(facts(), wanted)).toEqual({
    gate: 'P',
    result: 'passed',
    sentence: '1 commit with 1 changed file up to aaaaaaa.',
    flags: [],
  });
});

describe('gate P stops at', () => {
  test.each<[string, Partial<BranchFacts>, string]>([
    ['another branch', { branch: 'main' }, 'HEAD is on `main` and not on `quorum/task-7-1-parse`.'],
    ['no branch', { branch: '' }, 'HEAD is on no branch and not on `quorum/task-7-1-parse`.'],
    ['another base', { baseSha: head }, 'The work started at aaaaaaa and not at bbbbbbb.'],
    ['a head from elsewhere', { isDescended: false }, 'aaaaaaa does not descend from bbbbbbb.'],
    ['a merge', { commits: [commit({ parents: [base, head] })] }, 'aaaaaaa is a merge commit.'],
    [
      'a foreign commit',
      { commits: [commit({ authorEmail: 'eve@example.test' })] },
      'aaaaaaa is by eve@example.test and not by maya@agents.example.',
    ],
    ['a submodule', { files: [file('lib', { mode: '160000' })] }, '`lib` is a submodule.'],
    [
      'a link',
      { files: [file('lib', { mode: '120000' })] },
      "`lib` is a symbolic link, and the task's files do not name it.",
    ],
    [
      '.gitmodules',
      { files: [file('.gitmodules')] },
      "`.gitmodules` changes what git runs or fetches, and the task's files do not name it.",
    ],
    [
      '.lfsconfig',
      { files: [file('.lfsconfig')] },
      "`.lfsconfig` changes what git runs or fetches, and the task's files do not name it.",
    ],
    [
      'a hook',
      { files: [file('.husky/pre-commit')] },
      "`.husky/pre-commit` changes what git runs or fetches, and the task's files do not name it.",
    ],
    [
      'a hook that was moved away',
      { files: [file('x', { from: '.husky/pre-commit' })] },
      "`.husky/pre-commit` changes what git runs or fetches, and the task's files do not name it.",
    ],
    [
      'a file that was moved to where it is a hook',
      { files: [file('.husky/pre-commit', { from: 'x' })] },
      "`.husky/pre-commit` changes what git runs or fetches, and the task's files do not name it.",
    ],
    [
      'a folder that differs',
      { isDirty: true },
      'The folder holds changes that are not in the commit.',
    ],
  ])('%s', (_, over, sentence) => {
    expect(judgeBranch(facts(over), wanted)).toMatchObject({ result: 'failed', sentence });
  });
});

test('gate P flags attributes, and takes a deleted file for no link', () => {
  const files = [file('docs/.gitattributes'), file('gone', { mode: undefined, change: 'deleted' })];
  expect(judgeBranch(facts({ files }), wanted)).toMatchObject({
    result: 'passed',
    flags: ['`docs/.gitattributes` changes how git treats files'],
  });
});

verifies(
  ['EXE-06: submodule', 'EXE-06: link that leads out'],
  'gate P lets links and hooks pass that the approved task names, and says so; a submodule never',
  () => {
    const approved = { ...wanted, approvedPaths: ['docs/latest', '.husky/pre-commit', 'lib'] };
    const files = [file('docs/latest', { mode: '120000' }), file('.husky/pre-commit')];
    expect(judgeBranch(facts({ files }), approved)).toMatchObject({
      result: 'passed',
      flags: [
        '`docs/latest` is a symbolic link',
        '`.husky/pre-commit` changes what git runs or fetches',
      ],
    });
    const module = [file('lib', { mode: '160000' })];
    expect(judgeBranch(facts({ files: module }), approved)).toMatchObject({ result: 'failed' });
  },
);

describe('gate 1 stops at', () => {
  const said = (message: string): Partial<BranchFacts> => ({ commits: [commit({ message })] });
  const good = messageOf();
  test.each<[string, Partial<BranchFacts>, string]>([
    ['nothing committed', { commits: [] }, 'no commit'],
    ['nothing changed', { files: [] }, 'No file is changed'],
    ['another author', { commits: [commit({ authorName: 'Eve' })] }, 'has the author Eve'],
    ['another subject', said(good.replace('task(1)', 'task(2)')), 'subject'],
    [
      'a missing task',
      said(good.replace(/Quorum-Task.*\n/, '')),
      '`quorum-task: acme/widgets#7/1` is missing',
    ],
    [
      'another task',
      said(good.replace('#7/1', '#7/2')),
      '`quorum-task: acme/widgets#7/2` is not ours',
    ],
    ['a missing person', said(good.replace(/\nCo-authored-by.*/, '')), 'is missing'],
    [
      'credit to somebody else',
      said(`${good}\nCo-authored-by: eve <eve@example.test>`),
      'is not ours',
    ],
    [
      'credit hidden in the text',
      said(good.replace('\n\n', '\n\nco-authored-by:  eve <e@x>\n\n')),
      'is not ours',
    ],
    ['a signature for somebody', said(`${good}\nSigned-off-by: eve <e@x>`), 'is not ours'],
    ['a trailer twice', said(`${good}\nQuorum-Task: acme/widgets#7/1`), 'twice'],
    ['trailers that are not at the end', said(`${good}\n\nMore.`), 'is missing'],
  ])('%s', (_, over, sentence) => {
    expect(judgeChanges(facts(over), wanted)).toMatchObject({
      gate: '1',
      result: 'failed',
      sentence: expect.stringContaining(sentence),
    });
  });
});

verifies('GIT-11', 'gate 1 passes our own author and trailers alone', () => {
  expect(judgeChanges(facts(), wanted)).toMatchObject({ gate: '1', result: 'passed' });
  const forged = facts({
    commits: [commit({ message: `${messageOf()}\nCo-authored-by: eve <e@x>` })],
  });
  expect(judgeChanges(forged, wanted).result).toBe('failed');
  expect(
    judgeChanges(facts({ commits: [commit({ authorEmail: 'eve@example.test' })] }), wanted).result,
  ).toBe('failed');
});

test('gate 3 passes a push and one that was there, and no branch that somebody moved', () => {
  expect(judgePush('x', 'pushed').result).toBe('passed');
  expect(judgePush('x', 'was-there').result).toBe('passed');
  expect(judgePush('x', 'moved').result).toBe('failed');
});

test('gate 4 passes the same commit on both sides, and no other', () => {
  expect(judgeRemote({ branch: 'x', localSha: head, remoteSha: head }).result).toBe('passed');
  expect(judgeRemote({ branch: 'x', localSha: head, remoteSha: base })).toMatchObject({
    result: 'failed',
    sentence: '`x` is at bbbbbbb on GitHub and at aaaaaaa here.',
  });
  expect(judgeRemote({ branch: 'x', localSha: head, remoteSha: undefined }).result).toBe('failed');
});
