/** What is announced about the work, in the words of the persona that does it. */
import { describe, expect, test } from 'vitest';
import { describeAnnouncement } from '../../../src/domain/channel/announce/describe-announcement.ts';
import type { Announced } from '../../../src/domain/channel/announce/announcement.ts';
import {
  findAnnouncer,
  speakAnnouncement,
  toSpeaker,
} from '../../../src/domain/channel/announce/speak-announcement.ts';
import { BUILT_IN_PHRASES, PhraseName } from '../../../src/domain/persona/phrases.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { verifies } from '../../verifies.ts';
import { anAnnouncement } from './some-announcement.ts';

const TEAM = [
  aPersona({
    handle: 'olga',
    name: 'Olga',
    phrases: { claim: 'On my desk: {{title}} ({{number}}).' },
  }),
  aPersona({ handle: 'carlos', name: 'Carlos', lead: true }),
];
const PLAN = aPlanBody({ tasks: [aTask(1), aTask(2, { title: 'Keep orders' })] });

function headOf(announced: Announced, body = PLAN, personas = TEAM): string {
  const said = speakAnnouncement(anAnnouncement(announced), { personas, body });
  return describeAnnouncement(said)
    .head.spans.map(({ text }) => text)
    .join('');
}

const claimed = (persona: string, task = 2): Announced => ({
  event: 'task-claimed',
  task: `Task ${task}`,
  by: persona,
  speaks: { phrase: 'claim', persona, task },
});

describe('an announcement about the work', () => {
  verifies('TG-19', 'is said in the sentence of the persona that does it', () => {
    expect(headOf(claimed('olga'))).toBe(
      '🛠️ octo/shop#12 Orders are lost: Olga: On my desk: Keep orders (2).',
    );
  });

  verifies('TG-19', 'is said in the built-in sentence where the persona has none', () => {
    expect(headOf(claimed('carlos'))).toContain(': Carlos: Taking task 2: Keep orders.');
  });

  test('about a whole plan is said by the product manager', () => {
    const told: Announced = {
      event: 'plan-complete',
      tasks: 2,
      speaks: { phrase: 'planComplete' },
    };
    const sam = aPersona({ handle: 'sam', name: 'Sam', role: 'Product manager', team: 'crew' });
    expect(headOf(told, PLAN, [...TEAM, sam])).toContain(': Sam: Every task of');
  });

  test('about a whole plan is said by the lead where no product manager is in the team', () => {
    const told: Announced = {
      event: 'plan-complete',
      tasks: 2,
      speaks: { phrase: 'planComplete' },
    };
    expect(headOf(told)).toContain(': Carlos: Every task of “Quotes that never close” is done.');
    expect(headOf(told, '')).toContain(': Carlos: Every task of “Orders are lost” is done.');
  });

  verifies('TG-19', 'about a plan that is new says who speaks, and still that it waits', () => {
    const told: Announced = {
      event: 'plan-proposed',
      tasks: 2,
      details: '',
      speaks: { phrase: 'planCreated' },
    };
    expect(headOf(told)).toMatch(
      /: Carlos: Plan “Quotes that never close” is open: https:\S+ It waits for approval\.$/,
    );
    expect(headOf(told, PLAN, [])).toMatch(/plan with 2 tasks proposed; it waits for approval$/);
  });

  verifies('TG-19', 'about a task that is given back names the task and the reason', () => {
    const told: Announced = {
      event: 'task-released',
      task: 'Task 2',
      reason: 'the lease was lost',
      speaks: { phrase: 'release', persona: 'olga', task: 2, details: 'the lease was lost' },
    };
    expect(headOf(told)).toContain(': Olga: Task 2 is free again: the lease was lost');
    expect(headOf(told, PLAN, [])).toContain('“Task 2” is free again: the lease was lost');
  });

  test.each([
    ['nobody of the team is called so', headOf(claimed('nobody'))],
    ['the plan has no such task any more', headOf(claimed('olga', 9))],
    ['the plan cannot be read', headOf(claimed('olga'), '')],
    ['there is no team', headOf(claimed('olga'), PLAN, [])],
  ])('has its plain headline where %s', (_, head) => {
    expect(head).toMatch(/: \w+ works on “Task [29]”$/);
  });

  test('stays one line of literal text, whatever the title of the task is', () => {
    const body = aPlanBody({ tasks: [aTask(2, { title: '<!channel> {{url}} *x*' })] });
    const head = headOf(claimed('olga'), body);
    expect(head).toContain('On my desk: <!channel> {{url}} *x* (2).');
    expect(head).not.toContain('\n');
  });

  test.each(PhraseName.options)('%s has a built-in sentence that reads on one line', (name) => {
    expect(BUILT_IN_PHRASES[name]).not.toContain('\n');
  });
});

describe('an announcement is posted as', () => {
  const sam = aPersona({ handle: 'sam', name: 'Sam', role: 'Product manager', team: 'crew' });
  const team = [...TEAM, sam];
  const question: Announced = { event: 'needs-human', question: 'Which one?' };

  test.each<[string, Announced, string | undefined]>([
    ['a task', claimed('olga'), 'olga'],
    [
      'a new plan',
      { event: 'plan-proposed', details: '', speaks: { phrase: 'planCreated' } },
      'sam',
    ],
    ['the start of a run', { event: 'run-started', run: 'review', personas: ['olga'] }, 'carlos'],
    ['a verdict', { event: 'verdict', verdict: 'ready', details: '' }, 'carlos'],
    ['a question of a run', question, 'carlos'],
    ['a question about a task', { ...question, by: 'olga' }, 'olga'],
    ['a question of somebody who left', { ...question, by: 'nobody' }, undefined],
    [
      'a question that a person settled',
      { event: 'head-settled', request: 'a', answer: { headSha: 'ab', by: 'ana' } },
      undefined,
    ],
    ['a question that is over', { event: 'need-settled', request: 'a', question: 'x' }, undefined],
    ['what a person did', { event: 'plan-approved', by: 'ana' }, undefined],
    ['a standup of several', { event: 'standup', date: '2026-06-01', details: '' }, undefined],
  ])('the persona that did it: %s', (_, announced, handle) => {
    expect(findAnnouncer(announced, team)?.handle).toBe(handle);
  });

  test('its name and role, and its picture where its file has one', () => {
    expect(toSpeaker(sam)).toEqual({ name: 'Sam', role: 'Product manager' });
    const avatar = 'https://example.com/sam.png';
    expect(toSpeaker({ ...sam, avatar })).toEqual({
      name: 'Sam',
      role: 'Product manager',
      avatarUrl: avatar,
    });
  });
});
