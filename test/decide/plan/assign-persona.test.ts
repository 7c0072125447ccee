/** A task goes to the persona whose domain fits, the implementer by default, and never to who draws. */
import { beforeAll, expect, test } from 'vitest';
import { loadPersonas } from '../../../src/adapters/files/load-personas.ts';
import { assignPersona, canCode } from '../../../src/decide/plan/assign-persona.ts';
import { activeTeam } from '../../../src/domain/persona/roster.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import type { PlanTask } from '../../../src/domain/plan/plan.ts';
import type { Persona } from '../../../src/domain/persona/persona.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';

let team: readonly Persona[] = [];
beforeAll(async () => {
  team = activeTeam((await loadPersonas()).personas, { board: false }).filter(canCode);
});

function toTask(title: string, description: string): PlanTask {
  const { tasks } = parsePlan(aPlanBody({ tasks: [aTask(1, { title, description, files: [] })] }));
  const [task] = tasks;
  if (task === undefined) throw new Error('no task was read');
  return task;
}

test('nobody who draws, and no PM, is among them', () => {
  const handles = team.map(({ handle }) => handle);
  expect(handles).toContain('dev');
  expect(handles).not.toContain('artist');
  expect(canCode({ handle: 'pm', model: 'standard' })).toBe(false);
});

test.each([
  [
    'Rename the flag',
    {
      description: 'Nothing special.',
      persona: 'dev',
      why: 'the implementer does what no other domain fits better',
    },
  ],
  [
    'Check the session token of the login',
    {
      description: 'Authentication must fail closed: validate the token.',
      persona: 'maya',
      why: /^the task mentions .*\btoken\b/,
    },
  ],
  [
    'Draw an icon',
    { description: 'A new icon image as a picture.', persona: 'dev', why: /^the implementer/ },
  ],
])('%s', (title, { description, persona, why }) => {
  const assigned = assignPersona(team, toTask(title, description));
  expect(assigned?.persona).toBe(persona);
  expect(assigned?.why).toMatch(why);
});

test('without the implementer the first who is free takes what fits nobody; without anybody nobody does', () => {
  const others = team.filter(({ handle }) => handle !== 'dev' && handle !== 'coder');
  const task = toTask('Rename', 'Nothing special.');
  expect(assignPersona(others, task)).toEqual({
    persona: others[0]?.handle,
    why: 'the first of the team who is free',
  });
  expect(assignPersona([], task)).toBeUndefined();
});
