import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadPersonas } from '../../../src/adapters/files/load-personas.ts';
import { RunTrigger } from '../../../src/domain/persona/persona.ts';
import type { Persona } from '../../../src/domain/persona/persona.ts';
import { scoreRelevance } from '../../../src/domain/persona/relevance.ts';
import {
  activeTeam,
  findLead,
  participants,
  resolvePersona,
} from '../../../src/domain/persona/roster.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';

let team: readonly Persona[] = [];
beforeAll(async () => {
  team = (await loadPersonas()).personas;
});

const QUIET = { text: '', paths: [] };
const handles = (personas: readonly Persona[]) => personas.map(({ handle }) => handle);
const rename = (from: string, to: string) =>
  team.map((persona) =>
    persona.handle === from ? { ...persona, handle: to, name: to.toUpperCase() } : persona,
  );

describe('resolvePersona', () => {
  verifies('NW-3', 'the name comes first, then the words of the role', () => {
    const table: [string, string][] = [
      ['maya', 'maya'],
      ['@Maya', 'maya'],
      [' IRIS ', 'artist'],
      ['implementer', 'dev'],
      ['executor', 'dev'],
      ['developer', 'dev'],
      ['tech lead', 'carlos'],
      ['Architect', 'carlos'],
      ['lead', 'carlos'],
      ['security', 'maya'],
      ['qa', 'priya'],
      ['quality', 'priya'],
      ['test', 'priya'],
      ['pm', 'sasha'],
      ['CFO', 'finance'],
      ['chair', 'general'],
      ["devil's advocate", 'critic'],
    ];
    for (const [wanted, handle] of table)
      expect([wanted, resolvePersona(team, wanted)?.handle]).toEqual([wanted, handle]);
    for (const nobody of ['', '  ', '@', 'zzz', 'ai'])
      expect([nobody, resolvePersona(team, nobody)]).toEqual([nobody, undefined]);
  });

  verifies('NW-3', 'a name beats a role of the same word', () => {
    const odd = aPersona({ handle: 'security', name: 'Security', role: 'Janitor' });
    expect(resolvePersona([...team, odd], 'security')?.handle).toBe('security');
  });

  verifies('NW-3', 'a renamed persona is still found by its old name and by its role', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'dev',
          'carlos',
          'maya',
          'priya',
          'sasha',
          'coder',
          'general',
          'finance',
          'critic',
        ),
        fc.stringMatching(/^x[a-z]{3,8}$/),
        (old, fresh) => {
          const renamed = rename(old, fresh);
          expect(resolvePersona(renamed, old)?.handle).toBe(fresh);
          expect(resolvePersona(renamed, fresh)?.handle).toBe(fresh);
        },
      ),
    );
    expect(resolvePersona(rename('maya', 'zara'), 'security')?.handle).toBe('zara');
    expect(resolvePersona(rename('priya', 'zara'), 'test')?.handle).toBe('zara');
  });

  test('a role that only begins with the word fits, one that only contains it does not', () => {
    const tester = aPersona({ handle: 'tim', role: 'Tester' });
    const contest = aPersona({ handle: 'cora', role: 'Contest Judge' });
    expect(resolvePersona([contest, tester], 'test')?.handle).toBe('tim');
    expect(resolvePersona([contest], 'test')).toBeUndefined();
  });

  test('the order of the list and inactive personas do not matter', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...team], { minLength: team.length }), (shuffled) => {
        for (const word of ['lead', 'qa', 'security', 'developer', 'analyst'])
          expect(resolvePersona(shuffled, word)).toEqual(resolvePersona(team, word));
      }),
    );
    const withoutMaya = team.map((each) =>
      each.handle === 'maya' ? { ...each, active: false } : each,
    );
    expect(resolvePersona(withoutMaya, 'maya')).toBeUndefined();
  });
});

describe('participants', () => {
  verifies('NW-3b', 'each trigger has its people, and the lead closes', () => {
    const table: [RunTrigger, string | undefined, string[]][] = [
      ['pr_review', 'carlos', ['dev', 'maya', 'priya']],
      ['code_watch', 'carlos', ['dev', 'maya', 'priya']],
      ['issue_review', 'carlos', ['maya', 'priya', 'dev']],
      ['build_failure', 'carlos', ['dev']],
      ['prd_kickoff', 'carlos', ['dev']],
      ['chat_message', 'carlos', []],
      ['standup', 'carlos', []],
      ['meeting', 'general', ['research', 'content', 'finance', 'strategy', 'critic']],
    ];
    for (const [trigger, lead, contributors] of table) {
      const who = participants(team, trigger, QUIET);
      expect([trigger, who.lead?.handle]).toEqual([trigger, lead]);
      expect([trigger, handles(who.contributors)]).toEqual([trigger, contributors]);
      expect([trigger, who.sittingOut]).toEqual([trigger, []]);
    }
  });

  verifies('NW-3b', 'relevance to files and text decides the order and who sits out', () => {
    const login = {
      text: 'Token check in login',
      paths: ['src/auth/session.ts', 'src/auth/password.ts'],
    };
    expect(handles(participants(team, 'pr_review', login).contributors)[0]).toBe('maya');
    const cases = { text: 'flaky timeout', paths: ['test/unit/parse.test.ts'] };
    expect(handles(participants(team, 'pr_review', cases).contributors)[0]).toBe('priya');
    const markup = { text: 'aria labels on the form', paths: ['web/form.html', 'web/form.css'] };
    const who = participants(team, 'pr_review', { ...markup, text: `${markup.text}, async code` });
    expect(handles(who.contributors)).toEqual(['priya', 'dev']);
    expect(who.sittingOut).toMatchObject([{ persona: { handle: 'maya' }, reason: 'not relevant' }]);
  });

  verifies('NW-3b', 'renamed people keep their seats', () => {
    const who = participants(rename('dev', 'zoltan'), 'issue_review', QUIET);
    expect(handles(who.contributors)).toEqual(['maya', 'priya', 'zoltan']);
    expect(participants(rename('carlos', 'zoe'), 'pr_review', QUIET).lead?.handle).toBe('zoe');
  });

  test('a newcomer joins what its file names, after the others when all is equal', () => {
    const newcomer = aPersona({ handle: 'anna', triggers: ['pr_review'], domains: ['kubernetes'] });
    const all = participants([...team, newcomer], 'pr_review', QUIET);
    expect(handles(all.contributors)).toEqual(['dev', 'maya', 'priya']);
    expect(all.sittingOut).toMatchObject([
      { persona: { handle: 'anna' }, reason: 'round is full' },
    ]);
    const cluster = { text: 'kubernetes '.repeat(9), paths: ['kubernetes/a.yaml'] };
    expect(handles(participants([...team, newcomer], 'pr_review', cluster).contributors)[0]).toBe(
      'anna',
    );
  });

  test('a team without a lead goes without, and the rest still take part', () => {
    const leaderless = team.filter(({ handle }) => handle !== 'carlos' && handle !== 'general');
    const who = participants(leaderless, 'pr_review', QUIET);
    expect(who.lead).toBeUndefined();
    expect(handles(who.contributors)).toEqual(['dev', 'maya', 'priya']);
  });

  test('the chair never closes an engineering discussion, no matter who else is missing', () => {
    const withoutCarlos = team.filter(({ handle }) => handle !== 'carlos');
    expect(findLead(withoutCarlos, 'pr_review')).toBeUndefined();
    const crewLead = aPersona({ handle: 'zed', team: 'crew', lead: true });
    expect(findLead([...withoutCarlos, crewLead], 'pr_review')?.handle).toBe('zed');
  });

  test('nobody is in a run twice, the lead does not contribute, and the limit holds', () => {
    const topic = fc.record({
      text: fc.lorem({ maxCount: 20 }),
      paths: fc.array(fc.constantFrom('src/auth.ts', 'a.test.ts', 'README.md', 'Dockerfile')),
      maxContributors: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(
        fc.subarray([...team]),
        fc.constantFrom(...RunTrigger.options),
        topic,
        (some, trigger, about) => {
          const { lead, contributors, sittingOut } = participants(some, trigger, about);
          const everyone = [
            ...handles(contributors),
            ...sittingOut.map(({ persona }) => persona.handle),
          ];
          expect(new Set(everyone).size).toBe(everyone.length);
          expect(everyone).not.toContain(lead?.handle);
          expect(contributors.length).toBeLessThanOrEqual(about.maxContributors);
          for (const persona of contributors) expect(persona.triggers).toContain(trigger);
        },
      ),
    );
  });

  test('the board is there only where it is enabled', () => {
    expect(handles(activeTeam(team, { board: false }))).toEqual([
      'artist',
      'carlos',
      'coder',
      'dev',
      'maya',
      'priya',
      'sasha',
    ]);
    expect(activeTeam(team, { board: true })).toHaveLength(13);
  });

  test('a required persona comes first, relevant or not, and nobody is seated twice', () => {
    const paths = ['src/login.ts', 'test/login.test.ts'];
    const topic = { text: 'password', paths, maxContributors: 2 };
    const { contributors } = participants(team, 'pr_review', { ...topic, required: ['priya'] });
    expect(contributors).toHaveLength(2);
    expect(contributors[0]?.handle).toBe('priya');
    const all = participants(team, 'pr_review', { ...topic, required: ['priya', 'dev'] });
    expect(handles(all.contributors).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'dev',
      'priya',
    ]);
  });
});

describe('scoreRelevance', () => {
  const about = (domains: string[], text: string, paths: string[] = []) =>
    scoreRelevance({ domains }, { text, paths });

  test('counts whole words, in text and more so in paths', () => {
    expect(about(['auth'], 'Author of authority')).toBe(0);
    expect(about(['auth'], 'auth, AUTH')).toBe(2);
    expect(about(['auth'], '', ['src/auth/index.js'])).toBe(3);
    expect(about(['session'], 'userSession')).toBe(1);
    expect(about(['dead code'], 'remove dead-code here')).toBe(1);
    expect(about(['typescript'], '', ['a.ts', 'b.tsx'])).toBe(6);
    expect(about(['x', '', '!!'], 'y')).toBe(0);
  });

  test('one word repeated does not outweigh several', () => {
    expect(about(['auth'], 'auth '.repeat(10_000))).toBe(5);
    expect(about(['toString'], '', ['a.constructor', 'b.toString'])).toBe(3);
  });
});
