import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { publishedSchemas } from '../../../src/domain/config/json-schema.ts';

const root = new URL('../../../', import.meta.url);
const published = publishedSchemas();

function validator(path: string) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(published[path] ?? '{}'));
}

describe('published JSON Schemas', () => {
  test.each(Object.keys(published))('%s is current (else run npm run schema)', async (path) => {
    const committed = await readFile(new URL(path, root), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(published[path] ?? ''));
    expect(JSON.parse(committed)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
    });
  });

  test('the configuration schema takes what the program takes and refuses a typo', () => {
    const validate = validator('schema/config.json');
    expect(validate({})).toBe(true);
    const text =
      'council: {mode: single}\nmodels: {fast: {provider: anthropic}, cheap: fast}\nlabels: {ready: go}\npersonas: {maya: {model: fast}}\n';
    expect([JSON.stringify(validate.errors), validate(parse(text))]).toEqual([
      JSON.stringify(validate.errors),
      true,
    ]);
    for (const bad of [
      'councl: {}',
      'council: {mode: blnd}',
      'labels: {redy: x}',
      'models: {fast: {provider: nobody}}',
    ])
      expect([bad, validate(parse(bad))]).toEqual([bad, false]);
  });

  test('the persona schema takes the shipped front matter', async () => {
    const validate = validator('schema/persona.json');
    for (const handle of ['carlos', 'artist', 'critic']) {
      const text = await readFile(new URL(`personas/${handle}.md`, root), 'utf8');
      expect([
        JSON.stringify(validate.errors),
        validate(parse(text.split('---\n')[1] ?? '')),
      ]).toEqual([JSON.stringify(validate.errors), true]);
    }
    expect(validate({ handle: 'x' })).toBe(false);
  });

  test('every setting says what it is for', () => {
    const undescribed: string[] = [];
    const walk = (
      schema: { properties?: object; description?: string; enum?: unknown },
      path: string,
    ) => {
      for (const [key, child] of Object.entries(schema.properties ?? {})) {
        if (child.description === undefined) undescribed.push(`${path}${key}`);
        walk(child, `${path}${key}.`);
      }
    };
    for (const content of Object.values(published)) walk(JSON.parse(content), '');
    expect(undescribed).toEqual([]);
  });
});
