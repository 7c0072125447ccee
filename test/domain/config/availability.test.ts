/** Settings and labels that say that they have no effect, and those that have one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasEffect, WITHOUT_EFFECT } from '../../../src/domain/config/availability.ts';
import { Config } from '../../../src/domain/config/config.ts';
import { resolveConfig } from '../../../src/domain/config/config-file.ts';
import { configReference } from '../../../src/domain/config/config-reference.ts';
import { Label } from '../../../src/domain/repository/labels.ts';
import { keysAt } from '../../../src/domain/config/schema-keys.ts';

function sourcesIn(room: string): string[] {
  const folder = join(import.meta.dirname, '../../../src', room);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

const file = '.github/quorum.yml';
const resolve = (text: string) => resolveConfig([{ origin: 'acme/shop', file, text }]);

test.each(WITHOUT_EFFECT)('%s is a key of the schema, listed once', (key) => {
  const path = key.split('.');
  const above = path.slice(0, -1);
  // Of a mapping, or of each mapping of a list.
  expect([...keysAt(Config, above), ...keysAt(Config, [...above, 0])]).toContain(path.at(-1));
  expect(WITHOUT_EFFECT.filter((other) => key === other || key.startsWith(`${other}.`))).toEqual([
    key,
  ]);
});

test.each<[string, string, string[]]>([
  ['for Slack, that has one', 'slack: U1', []],
  ['for Bluesky, that has one', 'bluesky: did:plc:ana', []],
  ['for Telegram, without one', 'telegram: "7"', ['access.identities.telegram']],
])('a key %s in a mapping of a list', (_, line, keys) => {
  const { problems } = resolve(`access:\n  identities:\n    - github: ana\n      ${line}\n`);
  expect(problems.map(({ key, code }) => [key, code])).toEqual(
    keys.map((key) => [key, 'no-effect-yet']),
  );
});

test('what lies below a listed key has no effect either, and a name that begins alike has', () => {
  expect(hasEffect('standup.voice')).toBe(false);
  expect(hasEffect('council.secondVoice.chat')).toBe(false);
  expect(hasEffect('board.enabled')).toBe(true);
  expect(hasEffect('standups')).toBe(true);
});

describe('a label', () => {
  const rooms = ['act', 'decide', 'events', 'policy', 'hosts'].flatMap(sourcesIn).join('\n');
  const unread = Label.options.filter((label) => !rooms.includes(`'${label}'`) && !isRead(label));
  /** As a property: `labels.plan`. */
  function isRead(label: string): boolean {
    return rooms.includes(`abels.${label}`);
  }

  test('that nothing reads is one without effect, and no other is', () => {
    expect(Label.options.filter((label) => !hasEffect(`labels.${label}`))).toEqual(unread);
    expect(unread).toContain('memo');
    expect(unread).not.toContain('hold');
  });

  test('that nothing reads is warned about where it is renamed, and marked in the reference', () => {
    const { isValid, problems } = resolve('labels:\n  board: meeting\n  deliberate: talk\n');
    expect([isValid, problems.map(({ key, code }) => [key, code])]).toEqual([
      true,
      [['labels.board', 'no-effect-yet']],
    ]);
    const rows = configReference().split('\n');
    expect(rows.find((row) => row.startsWith('| `board:finance`'))).toContain('(no effect yet)');
    expect(rows.find((row) => row.startsWith('| `deliberate`'))).not.toContain('no effect');
  });
});

describe('a file that sets what has no effect', () => {
  test('stays valid, and is warned about at the place', () => {
    const { isValid, problems } = resolve('enabled: true\nstandup:\n  voice: true\n');
    expect(isValid).toBe(true);
    expect(problems).toMatchObject([
      { code: 'no-effect-yet', key: 'standup.voice', severity: 'warning', line: 3, column: 3 },
    ]);
  });

  test('is warned once for each such key, and for none without a value', () => {
    const text = 'budget:\n  perDayUsd: 5\n  weeklyPost: true\nplans:\n  synthesise:\n';
    expect(resolve(text).problems.map(({ key }) => key)).toEqual(['budget.weeklyPost']);
  });

  test('is not warned about what has an effect', () => {
    expect(resolve('council:\n  mode: single\nboard:\n  enabled: true\n').problems).toEqual([]);
  });
});

test('the reference marks keys and sections without effect, and no others', () => {
  const rows = configReference().split('\n');
  expect(rows.find((row) => row.startsWith('| `linkHosts`'))).toContain('(no effect yet)');
  expect(rows.find((row) => row.startsWith('| `maxRounds`'))).not.toContain('no effect');
  expect(rows).toContain('Looking back after work.');
});
