/** Settings that are said to have an effect: with another value, something is decided otherwise about recorded events. */
import { expect, test } from 'vitest';
import { decide } from '../../src/decide/route.ts';
import { hasEffect } from '../../src/domain/config/availability.ts';
import { Config } from '../../src/domain/config/config.ts';
import { toDraft7 } from '../../src/domain/config/schema-keys.ts';
import { isRecord } from '../../src/domain/config/yaml.ts';
import { readWalks } from './fixture.ts';
import { replayWalk, type Walk } from './walk.ts';

/**
 * Settings that are read where effects are carried out or files are parsed, so that no recorded decision can show them.
 * Their own tests do: `test/act`, `test/policy/gates`, `test/domain/config`, and the scenarios of plans and reviews.
 */
const READ_ELSEWHERE: readonly string[] = [
  '_extends',
  'access.allowedApps',
  'access.commands',
  'coder.initCommand',
  'coder.maxTurns',
  'coder.model',
  'coder.preBuildCommand',
  'coder.runner',
  'coder.sandbox',
  'coder.timeoutMinutes',
  'coder.worktreeLimitMb',
  // test/scenario/memory.test.ts
  'memory.branch',
  'memory.enabled',
  // test/scenario/journal-branch.test.ts
  'journal.enabled',
  // test/scenario/role-memory.test.ts, test/decide/kinds/role-memory.test.ts
  'memory.proposals',
  'models.memoryExtraction',
  'council.fallBackToSingle',
  'gates.maxBinaryKb',
  'gates.maxChangedLines',
  'gates.testCommand',
  'gates.testNetwork',
  'gates.testTimeoutSeconds',
  'gates.tests',
  'labels',
  'paths.unprotected',
  'personas',
  'plans.askCollaborator',
  'plans.docsTasks',
  'plans.reviewers',
  // test/act/read/look.test.ts
  'roadmap.file',
  'review.drafts',
  'review.maxParts',
  'review.muteAfter',
  'review.muteBelow',
  'version',
];

interface Setting {
  key: string;
  schema: Record<string, unknown>;
}

const settings = leavesOf(toDraft7(Config), '').filter(({ key }) => hasEffect(key));
const walks = readWalks()
  .filter((walk) => configsIn(walk.steps).length > 0)
  .map((walk) => ({ walk, decided: describe(replayWalk(walk, decide)) }));

test('whatever is read elsewhere is a setting with an effect', () => {
  const keys = settings.map(({ key }) => key);
  expect(READ_ELSEWHERE.filter((key) => !keys.includes(key))).toEqual([]);
});

const inDecisions = settings.filter(({ key }) => !READ_ELSEWHERE.includes(key));

test.each(inDecisions.map((setting) => [setting.key, setting] as const))(
  '%s changes what is decided',
  (_, setting) => {
    expect(walks.some((each) => changesDecisions(each, setting))).toBe(true);
  },
);

/** Models are written flat and kept in a table of their own. */
function pathOf(key: string): string[] {
  return key.replace(/^models\./, 'models.aliases.').split('.');
}

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
