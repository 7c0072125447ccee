import { describe, expect, test } from 'vitest';
import { changedByAgent, personaDigest, teamDigests } from '../../../src/domain/persona/digest.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';

const maya = aPersona({ handle: 'maya' });
const dev = aPersona({ handle: 'dev' });
const recorded = teamDigests([maya, dev]);
const change = { isByAgent: true, commitSha: 'c0ffee'.repeat(6) + 'abcd', path: 'robin.md' };

describe('personaDigest', () => {
  verifies(
    'TG-1',
    'is SHA-256 over everything a persona is, whatever the order of its keys',
    () => {
      const reversed = Object.fromEntries(Object.entries(maya).toReversed()) as typeof maya;
      expect(personaDigest(maya)).toMatch(/^[0-9a-f]{64}$/);
      expect(personaDigest(reversed)).toBe(personaDigest(maya));
      const changes = [
        { lens: 'other' },
        { lead: true },
        { worldview: 'x' },
        { modes: { task: 'x' } },
      ];
      const digests = new Set(changes.map((each) => personaDigest({ ...maya, ...each })));
      expect(digests.size).toBe(changes.length);
      expect(digests.has(personaDigest(maya))).toBe(false);
    },
  );
});

describe('changedByAgent', () => {
  verifies('TG-1', 'an agent’s change to a soul stops the team and names it', () => {
    const current = teamDigests([{ ...maya, lens: 'nothing at all' }, dev]);
    expect(changedByAgent(recorded, current, change)).toEqual({
      kind: 'stop',
      changed: ['maya'],
      reason:
        'an agent changed @maya in c0ffeec0ffee. A person with write access settles it: revert it, or change `robin.md` with a commit of a person',
    });
  });

  verifies('TG-1', 'adding and removing a soul are changes too', () => {
    const current = teamDigests([maya, aPersona({ handle: 'zed' })]);
    expect(changedByAgent(recorded, current, change)).toMatchObject({
      kind: 'stop',
      changed: ['dev', 'zed'],
    });
  });

  test('a person may change souls, and may approve an agent’s change', () => {
    const current = teamDigests([{ ...maya, lens: 'more' }, dev]);
    expect(changedByAgent(recorded, current, { ...change, isByAgent: false })).toEqual({
      kind: 'fine',
      changed: ['maya'],
    });
    expect(changedByAgent(recorded, current, { ...change, approvedBy: 'ana' }).kind).toBe('fine');
  });

  test('nothing changed is fine, no matter who made the commit', () => {
    expect(changedByAgent(recorded, teamDigests([dev, maya]), change)).toEqual({
      kind: 'fine',
      changed: [],
    });
  });
});
