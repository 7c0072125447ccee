/** When the demonstration by workflows ended as it should. */
import { expect, test } from 'vitest';
import { isActionsDemoFine, type ActionsDemo } from '../../src/hosts/cli/demo/actions-result.ts';

const task = {
  task: 1,
  title: 'Sort',
  startedBy: 'github-actions[bot]',
  pull: 14,
  verdict: 'APPROVE',
  checks: [],
  problems: [],
};
const PLAYED: ActionsDemo = {
  issues: [],
  pulls: [],
  plan: {
    number: 13,
    title: 'Sorted rows',
    state: 'closed',
    tasks: [{ ...task, isMerged: true }],
    problems: [],
  },
  standup: {
    insights: [{ from: 'dev', message: 'A line was left for later.' }],
    noTension: 3,
    followUp: 17,
    problems: [],
  },
  boundaries: [{ says: 'GitHub answers 403', isFine: true }],
  jobs: 46,
  githubCalls: 573,
  seconds: 60,
};
const { standup } = PLAYED;

test('a demonstration with a merged plan and a tension that has its follow-up ended well', () => {
  expect(isActionsDemoFine(PLAYED)).toBe(true);
});

test.each<[string, Partial<ActionsDemo>]>([
  ['a tension', { standup: { ...standup, insights: [] } }],
  ['a follow-up issue', { standup: { ...standup, followUp: undefined } }],
  ['a standup without problems', { standup: { ...standup, problems: ['a job failed'] } }],
  ['a closed plan', { plan: { ...PLAYED.plan, problems: ['the plan is open'] } }],
  ['a task', { plan: { ...PLAYED.plan, tasks: [] } }],
  ['a merge', { plan: { ...PLAYED.plan, tasks: [{ ...task, isMerged: false }] } }],
  ['a boundary that holds', { boundaries: [{ says: 'GitHub answers 201', isFine: false }] }],
])('without %s it did not end well', (_, over) => {
  expect(isActionsDemoFine({ ...PLAYED, ...over })).toBe(false);
});
