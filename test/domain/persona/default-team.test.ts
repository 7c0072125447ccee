import { beforeAll, describe, expect, test } from 'vitest';
import { loadPersonas } from '../../../src/adapters/files/load-personas.ts';
import type { Persona } from '../../../src/domain/persona/persona.ts';
import type { FileProblem } from '../../../src/domain/config/yaml.ts';
import { PhraseName } from '../../../src/domain/persona/phrases.ts';
import { verifies } from '../../verifies.ts';

let team: readonly Persona[] = [];
let problems: readonly FileProblem[] = [];
beforeAll(async () => {
  ({ personas: team, problems } = await loadPersonas());
});

/** Everything a persona says in its own voice, without what it would never say. */
function ownWords(persona: Persona): string {
  const {
    whoIAm,
    worldview,
    opinions,
    expertise,
    tensions,
    boundaries,
    wouldSay,
    modes,
    overwatch,
    phrases,
  } = persona;
  const prose = [
    whoIAm,
    worldview,
    ...opinions.map(({ text }) => text),
    expertise,
    tensions,
    boundaries,
    overwatch,
  ];
  return [...prose, ...wouldSay, ...Object.values(modes), ...Object.values(phrases)].join('\n');
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.?!])\s+|\n+/).filter((each) => each.length > 30);
}

describe('the default team', () => {
  verifies('NW-1', 'has the thirteen of the spec, each complete, without a problem', () => {
    expect(problems).toEqual([]);
    expect(
      team.map(
        ({ handle, name, team: part, model }) =>
          `${handle}/${name}/${part}/${JSON.stringify(model)}`,
      ),
    ).toEqual([
      'artist/Iris/crew/"image"',
      'carlos/Carlos/engineering/"strong"',
      'coder/Kai/crew/"claude-code"',
      'content/Content/board/"standard"',
      'critic/Critic/board/"standard"',
      'dev/Dev/engineering/"standard"',
      'finance/Finance/board/"standard"',
      'general/General/board/"standard"',
      'maya/Maya/engineering/"standard"',
      'priya/Priya/engineering/"standard"',
      'research/Research/board/"standard"',
      'sasha/Sasha/crew/"cheap"',
      'strategy/Strategy/board/"standard"',
    ]);
    expect(team.filter(({ lead }) => lead).map(({ handle }) => handle)).toEqual([
      'carlos',
      'general',
    ]);
    for (const persona of team) {
      for (const section of [
        'whoIAm',
        'worldview',
        'expertise',
        'tensions',
        'boundaries',
        'petPeeves',
        'overwatch',
      ] as const)
        expect([`${persona.handle} ${section}`, persona[section].length > 80]).toEqual([
          `${persona.handle} ${section}`,
          true,
        ]);
      expect([persona.handle, persona.opinions.length >= 4]).toEqual([persona.handle, true]);
      expect([persona.handle, persona.wouldSay.length >= 4]).toEqual([persona.handle, true]);
      expect([persona.handle, persona.wouldNeverSay.length >= 3]).toEqual([persona.handle, true]);
      expect([persona.handle, Object.keys(persona.phrases).length]).toEqual([
        persona.handle,
        PhraseName.options.length,
      ]);
      for (const trigger of [...persona.triggers, 'chat_message', 'standup'] as const)
        expect([`${persona.handle} ${trigger}`, typeof persona.modes[trigger]]).toEqual([
          `${persona.handle} ${trigger}`,
          'string',
        ]);
    }
  });

  test('engineers have a mode for each trigger of the council', () => {
    const council = [
      'pr_review',
      'issue_review',
      'prd_kickoff',
      'build_failure',
      'code_watch',
      'chat_message',
    ] as const;
    for (const persona of team.filter((each) => each.team === 'engineering'))
      for (const trigger of council)
        expect([`${persona.handle} ${trigger}`, typeof persona.modes[trigger]]).toEqual([
          `${persona.handle} ${trigger}`,
          'string',
        ]);
  });

  test('nobody uses a word from their own list of avoided words', () => {
    for (const persona of team) {
      const said = ownWords(persona).toLowerCase();
      const slips = persona.style.wordsAvoided.filter((word) =>
        new RegExp(`(?<![\\w-])${word.toLowerCase()}(?![\\w-])`).test(said),
      );
      expect([persona.handle, slips]).toEqual([persona.handle, []]);
    }
  });

  test('no two share a sentence', () => {
    const owner = new Map<string, string>();
    for (const persona of team) {
      for (const sentence of new Set(sentences(ownWords(persona)))) {
        expect([`${persona.handle}: ${sentence}`, owner.get(sentence)]).toEqual([
          `${persona.handle}: ${sentence}`,
          undefined,
        ]);
        owner.set(sentence, persona.handle);
      }
    }
    expect(owner.size).toBeGreaterThan(400);
  });

  test('nobody sounds like filler', () => {
    const FILLER =
      /\b(delve|leverage|seamless|robust|synergy|game.changer|in today's|at the end of the day|it's worth noting)\b/i;
    for (const persona of team)
      expect([persona.handle, FILLER.exec(ownWords(persona))?.[0]]).toEqual([
        persona.handle,
        undefined,
      ]);
  });

  test('relations point to people who are there, and never to oneself', () => {
    const handles = new Set(team.map(({ handle }) => handle));
    for (const persona of team) {
      const others = Object.keys(persona.relationships);
      expect([persona.handle, others.length >= 3]).toEqual([persona.handle, true]);
      expect([persona.handle, others.includes(persona.handle)]).toEqual([persona.handle, false]);
      for (const other of others)
        expect([`${persona.handle} → ${other}`, handles.has(other)]).toEqual([
          `${persona.handle} → ${other}`,
          true,
        ]);
    }
  });
});
