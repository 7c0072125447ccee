/** Settings that are said to have an effect: with another value, a decision, an effect or an outcome is another one. */
import { expect, test } from 'vitest';
import { decide } from '../../src/decide/route.ts';
import { hasEffect } from '../../src/domain/config/availability.ts';
import { Config } from '../../src/domain/config/config.ts';
import { toDraft7 } from '../../src/domain/config/schema-keys.ts';
import { isRecord } from '../../src/domain/config/yaml.ts';
import { changeTape } from './change-tape.ts';
import { readTapes, readWalks } from './fixture.ts';
import type { Tape } from './tape.ts';
import { replayTape } from './replay-tape.ts';
import { configWith, IN_EFFECTS, OWN_CASES, problemsOfVersion } from './setting-cases.ts';
import { pathOf } from './setting-path.ts';
import { replayWalk, type Walk } from './walk.ts';

interface Setting {
  key: string;
  schema: Record<string, unknown>;
}

const settings = leavesOf(toDraft7(Config), '').filter(({ key }) => hasEffect(key));
const walks = readWalks()
  .filter((walk) => configsIn(walk.steps).length > 0)
  .map((walk) => ({ walk, decided: describe(replayWalk(walk, decide)) }));

/** Those that have a recorded effect or a small case instead. */
const elsewhere = new Set([
  ...Object.keys(IN_EFFECTS),
  ...Object.keys(OWN_CASES),
  'version',
  // A look asks GitHub for milestones: shown by its own tests.
  'roadmap.milestones',
]);

test('each case is of a setting that has an effect', () => {
  const keys = settings.map(({ key }) => key);
  expect([...elsewhere].filter((key) => !keys.includes(key))).toEqual([]);
});

const inDecisions = settings.filter(({ key }) => !elsewhere.has(key));

test.each(inDecisions.map((setting) => [setting.key, setting] as const))(
  '%s changes what is decided',
  (_, setting) => {
    expect(walks.some((each) => changesDecisions(each, setting))).toBe(true);
  },
);

const { personas, tapes } = readTapes();

test.each(Object.entries(IN_EFFECTS))(
  '%s changes what an effect does',
  async (key, [kind, value]) => {
    const changed = tapes.flatMap((tape) => {
      const one =
        tape.effect.data.kind === kind ? changeTape(tape, key.split('.'), value) : undefined;
      return one === undefined ? [] : [{ tape, one }];
    });
    expect(await isAny(changed, ({ tape, one }) => differs(tape, one))).toBe(true);
  },
);

async function isAny<T>(all: readonly T[], holds: (each: T) => Promise<boolean>): Promise<boolean> {
  for (const each of all) if (await holds(each)) return true;
  return false;
}

async function differs(tape: Tape, changed: Tape): Promise<boolean> {
  const [before, after] = await Promise.all(
    [structuredClone(tape), changed].map((each) => replayTape(each, personas)),
  );
  return describe(before) !== describe(after);
}

test('a setting that is only handed on is no difference', async () => {
  const changed = tapes.flatMap((tape) => {
    const isOpened = tape.calls.some(({ fn }) => fn === 'codingRuntime.commands');
    const one = isOpened ? changeTape(tape, ['coder', 'maxTurns'], 3) : undefined;
    return one === undefined || tape.effect.data.kind === 'code' ? [] : [{ tape, one }];
  });
  expect(changed.length).toBeGreaterThan(3);
  expect(await isAny(changed, ({ tape, one }) => differs(tape, one))).toBe(false);
});

test.each(Object.entries(OWN_CASES))('%s changes an outcome', async (key, { values, outcome }) => {
  const [one, other] = await Promise.all(
    values.map(async (value) => JSON.stringify(await outcome(configWith(key, value)))),
  );
  expect(one).not.toBe(other);
});

test('another version of the form is refused', () => {
  expect([problemsOfVersion(1), problemsOfVersion(2)]).toEqual([0, 1]);
});

function changesDecisions(
  { walk, decided }: { walk: Walk; decided: string },
  { key, schema }: Setting,
): boolean {
  const path = pathOf(key);
  const [first] = configsIn(walk.steps);
  const now = path.reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), first);
  return othersThan(now, schema).some((value) => {
    const copy = structuredClone(walk);
    for (const config of configsIn(copy.steps.map(({ event }) => event))) set(config, path, value);
    return describe(replayWalk(copy, decide)) !== decided;
  });
}

/** As text without configurations: one that is only handed on changes nothing. */
function describe(decided: unknown): string {
  return JSON.stringify(decided, (_, value: unknown) => (isConfig(value) ? 'config' : value));
}

/** Values that the schema takes, beside the present one. */
function othersThan(
  now: unknown,
  { enum: choices, type, minimum, items }: Setting['schema'],
): unknown[] {
  if (Array.isArray(choices)) return choices.filter((choice) => choice !== now);
  if (type === 'boolean') return [now !== true];
  if (type === 'string') return ['zoe'];
  if (type === 'array')
    return [isRecord(items) && items['type'] === 'integer' ? [5] : ['ana', '**', 'qa']];
  const least = typeof minimum === 'number' ? minimum : 0;
  return [now === least ? least + 1 : least, typeof now === 'number' ? 2 * now + 1 : 7];
}

function leavesOf(schema: Record<string, unknown>, prefix: string): Setting[] {
  const { properties } = schema;
  if (!isRecord(properties)) return [{ key: prefix, schema }];
  return Object.entries(properties).flatMap(([name, child]) =>
    isRecord(child) ? leavesOf(child, prefix === '' ? name : `${prefix}.${name}`) : [],
  );
}

/** Every whole configuration that is somewhere in a value, by its sections. */
function configsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(configsIn);
  if (!isRecord(value)) return [];
  if (isConfig(value)) return [value];
  return Object.values(value).flatMap(configsIn);
}

function isConfig(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && ['council', 'gates', 'merge', 'paths'].every((key) => key in value);
}

function set(config: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  const below = config[key];
  if (rest.length === 0) config[key] = value;
  else if (isRecord(below)) set(below, rest, value);
}
