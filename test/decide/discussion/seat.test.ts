/** Which model each question of a run goes to, and what it finds in that model's cache. */
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { Persona } from '../../../src/domain/persona/persona.ts';
import type { Trigger } from '../../../src/domain/event/trigger.ts';
import type { IssueView } from '../../../src/domain/run/view.ts';
import { aPosition, aVerdict, aView, TEAM } from '../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../helpers/play.ts';

const LABELED: Trigger = { kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' };

interface Told {
  /** Model by handle; `standard` for the others. */
  models?: Record<string, Persona['model']>;
  council?: Partial<ReturnType<typeof defaultConfig>['council']>;
  aliases?: Record<string, string>;
}

/** Who was asked for what, where, and what of the prompt is cached there. */
function asked({ models = {}, council = {}, aliases = {} }: Told): string[] {
  const config = defaultConfig();
  const personas = TEAM.map((persona) => ({
    ...persona,
    model: models[persona.handle] ?? persona.model,
  }));
  const view: IssueView = {
    ...aView({
      config: {
        council: { ...config.council, ...council },
        models: { ...config.models, aliases },
      },
    }),
    personas,
  };
  const played = play({
    look: () => view,
    ask: (ask) =>
      ask.purpose === 'verdict'
        ? aVerdict()
        : aPosition({ reasons: `${ask.persona} has reasons.`, line: ask.persona }),
  });
  played.send(LABELED);
  return played
    .of('ask')
    .map(({ persona, purpose, model, cache = 'plain', hasOneForm }) =>
      [persona, purpose, model, cache, ...(hasOneForm === true ? ['one form'] : [])].join(' '),
    );
}

describe('the questions of a run', () => {
  test("the lead's unseen vote goes where the round goes; its verdict stays with its own model", () => {
    expect(asked({ models: { carlos: 'strong' } })).toEqual([
      'maya position standard write',
      'priya position standard read',
      'dev position standard read',
      'carlos lead-alone standard read',
      'carlos verdict strong plain',
    ]);
  });

  test('where all is asked of one model, the verdict reads what the round wrote, in the same form', () => {
    const told = {
      models: { carlos: 'strong' },
      aliases: { strong: 'sonnet', standard: 'sonnet' },
    };
    expect(asked(told)).toEqual([
      'maya position sonnet write one form',
      'priya position sonnet read one form',
      'dev position sonnet read one form',
      'carlos lead-alone sonnet read one form',
      'carlos verdict sonnet read one form',
    ]);
  });

  test('a lead with a model of its own is asked there both times', () => {
    expect(asked({ models: { carlos: 'opus' } })).toEqual([
      'maya position standard write',
      'priya position standard read',
      'dev position standard read',
      'carlos lead-alone opus write one form',
      'carlos verdict opus read one form',
    ]);
  });

  test('a voice that is alone at its model writes nothing that nobody reads', () => {
    expect(asked({ models: { carlos: 'strong', dev: 'kimi' } })).toEqual([
      'maya position standard write',
      'priya position standard read',
      'dev position kimi plain',
      'carlos lead-alone standard read',
      'carlos verdict strong plain',
    ]);
  });

  test('one after the other, the first writes and the others read', () => {
    expect(asked({ models: { carlos: 'strong' }, council: { mode: 'sequential' } })).toEqual([
      'maya position standard write',
      'carlos lead-alone standard read',
      'priya position standard read',
      'dev position standard read',
      'carlos verdict strong plain',
    ]);
  });

  test('a single reviewer shares with nobody', () => {
    expect(asked({ council: { mode: 'single' } })).toEqual(['carlos verdict standard plain']);
  });
});
