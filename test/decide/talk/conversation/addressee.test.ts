/** Who of the team a comment speaks to, who may speak after, and with what instead of words. */
import { describe, expect, test } from 'vitest';
import {
  findAddressee,
  type SpokenTo,
} from '../../../../src/decide/talk/conversation/addressee.ts';
import {
  cascadeOf,
  spontaneousVoice,
} from '../../../../src/decide/talk/conversation/second-voice.ts';
import { voicesIn } from '../../../../src/decide/talk/conversation/voices.ts';
import { voiceKey } from '../../../../src/domain/github/voice-key.ts';
import { aPersona } from '../../../helpers/a-persona.ts';

const TEAM = [
  aPersona({ handle: 'carlos', name: 'Carlos', role: 'Tech Lead / Architect', lead: true }),
  aPersona({ handle: 'maya', name: 'Maya', role: 'Security Reviewer' }),
  aPersona({ handle: 'priya', name: 'Priya', role: 'QA Engineer' }),
  aPersona({ handle: 'dev', name: 'Dev', role: 'Implementer' }),
  aPersona({ handle: 'zoe', name: 'Zoe', role: 'Former', active: false }),
];
const NOW = 100 * 3_600_000;

function to(text: string, given: Partial<SpokenTo> = {}) {
  const found = findAddressee({
    text,
    at: NOW,
    place: 'github',
    personas: TEAM,
    appName: 'quorum',
    voices: [],
    ...given,
  });
  return found.kind === 'persona' ? [found.handle, found.how] : found.reason;
}

describe('on GitHub', () => {
  test.each<[string, readonly string[]]>([
    ['@maya is this safe?', ['maya', 'handle']],
    ['I wonder, @Maya.', ['maya', 'handle']],
    ['Maya, is this safe?', ['maya', 'name']],
    ['It fails. Maya: why?', ['maya', 'name']],
    ['Hey Maya, why?', ['maya', 'name']],
    ['Maya can you look?', ['maya', 'name']],
    ['Maya — look at this', ['maya', 'name']],
    ['Priya, see what @maya wrote', ['maya', 'handle']],
    ['@quorum what now?', ['carlos', 'lead']],
    ['@quorum[bot] what now?', ['carlos', 'lead']],
  ])('%j speaks to %j', (text, expected) => {
    expect(to(text)).toEqual(expected);
  });

  test.each([
    'Maya is right.',
    'I asked Maya, and she said no.',
    'Dev environment is broken',
    'dev, staging and production are down',
    '> @maya is this safe?',
    '`@maya` is a handle',
    '```\n@maya\n```',
    'mail a@maya.dev',
    'see @maya/pkg and @maya-smith and @mayas',
    '@zoe what do you think?',
    '<!-- @maya -->',
    'What do you all think?',
    '',
    '['.repeat(60_000),
  ])('%j speaks to nobody', (text) => {
    expect(to(text)).toBe('not-addressed');
  });

  test('several are named in their order', () => {
    expect(
      findAddressee({
        text: '@priya and @maya, please look. Carlos, you too.',
        at: NOW,
        place: 'github',
        personas: TEAM,
        appName: 'quorum',
        voices: [],
      }),
    ).toEqual({ kind: 'persona', handle: 'priya', how: 'handle', others: ['maya'] });
  });

  test('a command consults by handle, name or role, and says when nobody is called so', () => {
    expect(to('/pm consult maya x', { command: { consult: 'maya' } })).toEqual(['maya', 'consult']);
    expect(to('/pm consult qa: x', { command: { consult: 'qa:' } })).toEqual(['priya', 'consult']);
    expect(to('x', { command: { consult: 'nobody' } })).toBe('unknown-persona');
    expect(to('/pm ask why?', { command: 'other' })).toEqual(['carlos', 'lead']);
  });

  test('who spoke last within the hour goes on, when the App is addressed', () => {
    const voices = [
      { handle: 'priya', at: NOW - 60_000 },
      { handle: 'maya', at: NOW - 30_000 },
    ];
    expect(to('@quorum and why?', { voices })).toEqual(['maya', 'last-speaker']);
    expect(to('And why?', { voices })).toBe('not-addressed');
    const old = [{ handle: 'maya', at: NOW - 3_600_001 }];
    expect(to('@quorum and why?', { voices: old })).toEqual(['carlos', 'lead']);
    const gone = [{ handle: 'zoe', at: NOW }];
    expect(to('@quorum and why?', { voices: gone })).toEqual(['carlos', 'lead']);
  });
});

test('in a chat somebody always answers, and without a team nobody can', () => {
  const voices = [{ handle: 'maya', at: NOW - 1 }];
  expect(to('And why?', { place: 'chat', voices })).toEqual(['maya', 'last-speaker']);
  expect(to('And why?', { place: 'chat' })).toEqual(['carlos', 'lead']);
  expect(to('And why?', { place: 'chat', personas: [] })).toBe('nobody-active');
});

test('who spoke is recovered from the markers of our own comments', () => {
  const marker = (key: string) => ({ kind: 'run' as const, run: 'r', key });
  const comments = [
    { at: 4, marker: marker(voiceKey('maya', 77)) },
    { at: 1, marker: marker('priya-1') },
    { at: 2, marker: marker('live') },
    { at: 3, marker: undefined },
    { at: 5, marker: marker('voice-stranger-7') },
  ];
  expect(voicesIn(comments, TEAM)).toEqual([
    { handle: 'priya', at: 1 },
    { handle: 'maya', at: 4 },
  ]);
});

describe('second voices', () => {
  const said = {
    handle: 'maya',
    text: 'Priya, is there a test? @carlos decides. Maya, note.',
    depth: 0,
  };

  test('those who were named answer once, and cascades do not cascade', () => {
    expect(cascadeOf(said, TEAM, [])).toEqual(['carlos', 'priya']);
    expect(cascadeOf(said, TEAM, ['priya'])).toEqual(['carlos']);
    expect(cascadeOf({ ...said, depth: 1 }, TEAM, [])).toEqual([]);
  });

  test('somebody speaks up unasked in a chat now and then, on GitHub never', () => {
    const voice = (place: 'chat' | 'github', whether: number, who = 0) =>
      spontaneousVoice(TEAM, { place, chance: [whether, who] });
    expect(voice('chat', 0.39)).toBe('carlos');
    expect(voice('chat', 0.39, 0.999)).toBe('zoe');
    expect(voice('chat', 0.4)).toBeUndefined();
    expect(voice('github', 0)).toBeUndefined();
    expect(spontaneousVoice([], { place: 'chat', chance: [0, 0] })).toBeUndefined();
    expect(spontaneousVoice(TEAM, { place: 'github', probability: 1, chance: [0.9, 0] })).toBe(
      'carlos',
    );
  });
});
