import { describe, expect, test } from 'vitest';
import { wishFor } from '../../../src/domain/run/model-pool.ts';
import { parsePersonaFile } from '../../../src/domain/persona/persona-file.ts';
import { applyPersonaSettings, assembleTeam } from '../../../src/domain/persona/persona-team.ts';
import { aPersona, aPersonaText } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';

const file = (name: string, text: string) => parsePersonaFile({ file: name, text });
const persona = (handle: string, role = 'Reviewer') =>
  file(`${handle}.md`, aPersonaText().replace('robin', handle).replace('Reviewer', role));

describe('assembleTeam', () => {
  verifies('NW-1', 'a repository replaces by handle, adds, and removes', () => {
    const { personas, problems } = assembleTeam([
      [persona('maya'), persona('dev'), persona('priya')],
      [
        persona('maya', 'Chief of Locks'),
        persona('zoe'),
        file('x.md', '---\nhandle: dev\nactive: false\n---\n'),
      ],
    ]);
    expect(problems).toEqual([]);
    expect(personas.map(({ handle, role }) => [handle, role])).toEqual([
      ['maya', 'Chief of Locks'],
      ['priya', 'Reviewer'],
      ['zoe', 'Reviewer'],
    ]);
  });

  verifies('NW-1', 'a bad file changes nothing, is reported, and the others stay in use', () => {
    const { personas, problems } = assembleTeam([
      [persona('maya')],
      [file('maya.md', aPersonaText('leed: true\n').replace('robin', 'maya')), persona('zoe')],
    ]);
    expect(personas.map(({ handle }) => handle)).toEqual(['maya', 'zoe']);
    expect(problems).toMatchObject([{ file: 'maya.md', key: 'leed', nearest: 'lead' }]);
  });

  test('of two files with one handle in one folder the first counts', () => {
    const { personas, problems } = assembleTeam([
      [persona('maya', 'First'), { ...persona('maya', 'Second'), file: 'other.md' }],
    ]);
    expect(personas.map(({ role }) => role)).toEqual(['First']);
    expect(problems).toMatchObject([
      { file: 'other.md', code: 'duplicate-handle', message: expect.stringContaining('maya.md') },
    ]);
  });

  test('warnings are passed on and keep nobody out', () => {
    const body = '## Who I am\n\nX\n\n## Phrases\n\n- claim: mine\n';
    const { personas, problems } = assembleTeam([[file('r.md', aPersonaText('', body))]]);
    expect(personas).toHaveLength(1);
    expect(problems).toMatchObject([{ severity: 'warning' }]);
  });
});

verifies('NW-16', 'a persona whose model the settings choose keeps the tier of its file', () => {
  const [set] = applyPersonaSettings([aPersona({ handle: 'maya', model: 'strong' })], {
    maya: { model: 'kimi' },
  });
  if (set === undefined) throw new Error('nobody is left');
  expect(wishFor(set, { aliases: {}, thread: undefined })).toMatchObject({
    model: 'kimi',
    tier: 'strong',
  });
});

test('settings switch a persona off or give it another model', () => {
  const team = [aPersona({ handle: 'maya' }), aPersona({ handle: 'dev' })];
  const set = applyPersonaSettings(team, { maya: { active: false }, dev: { model: 'fast' } });
  expect(set.map(({ active, model }) => [active, model])).toEqual([
    [false, 'standard'],
    [true, 'fast'],
  ]);
});
