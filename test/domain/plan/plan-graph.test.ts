import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { renderGraph, renderTwin } from '../../../src/domain/plan/plan-graph.ts';
import { mayFollow, mayWord, TASK_STATES, toWord } from '../../../src/domain/plan/task-state.ts';
import { TASK_STATUSES } from '../../../src/domain/plan/plan.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';

const BODY = aPlanBody({
  tasks: [aTask(1, { title: 'Read `a"];click t1 "x"' }), aTask(2, { dependencies: [1] })],
});

test('a graph has a node for each task, an edge for each dependency, and no way out of a label', () => {
  const { tasks } = parsePlan(BODY);
  expect(renderGraph(tasks).split('\n')).toEqual([
    '```mermaid',
    'flowchart LR',
    '  t1["1 · Read #96;a#34;#93;#59;click t1 #34;x#34;"]:::pending',
    '  t2["2 · Do thing 2"]:::pending',
    '  t1 --> t2',
    expect.stringMatching(/^ {2}classDef pending fill:/),
    '```',
  ]);
});

test('its twin says the same in words', () => {
  const plan = parsePlan(BODY.replace('**Status:** pending', '**Status:** blocked (no key)'));
  expect(renderTwin(plan.tasks)).toEqual([
    '1 · Read `a"];click t1 "x" (blocked: no key)',
    '2 · Do thing 2 (pending, waits for 1)',
  ]);
});

test('no graph is drawn that Mermaid would refuse', () => {
  const { tasks } = parsePlan(
    aPlanBody({ tasks: Array.from({ length: 201 }, (_, n) => aTask(n + 1)) }),
  );
  expect(renderGraph(tasks)).toBe('');
  expect(renderTwin(tasks)).toHaveLength(201);
});

test('a task’s states follow each other by the table, completed is the end, and every word can be left or is it', () => {
  for (const state of TASK_STATES) {
    expect(TASK_STATUSES).toContain(toWord(state));
    expect(TASK_STATES.some((next) => mayFollow(state, next))).toBe(state !== 'completed');
  }
  expect(mayFollow('pending', 'completed')).toBe(false);
  expect(mayFollow('in_review', 'completed')).toBe(true);
  expect(mayWord('pending', 'completed')).toBe(false);
  expect(mayWord('blocked', 'pending')).toBe(true);
  expect(mayWord('completed', 'pending')).toBe(false);
  expect(mayWord('completed', 'completed')).toBe(true);
});
