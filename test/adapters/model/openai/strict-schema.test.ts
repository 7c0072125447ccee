/** Optional properties through strict mode and back. */
import Ajv from 'ajv';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toOutputSchema } from '../../../../src/act/model/output-schema.ts';
import {
  dropStandInNulls,
  toStrictSchema,
} from '../../../../src/adapters/model/openai/strict-schema.ts';

const Inner = z.object({ name: z.string(), note: z.string().optional() });
const Shape = z.object({
  title: z.string(),
  line: z.int().optional(),
  owner: z.string().nullable(),
  parts: z.array(Inner),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), at: z.int().optional() }),
    z.object({ kind: z.literal('drop'), why: z.string().optional() }),
  ]),
  inner: Inner.optional(),
});
const schema = toOutputSchema(Shape);

const inner = fc.record({ name: fc.string(), note: fc.string() }, { requiredKeys: ['name'] });
const value = fc.record(
  {
    title: fc.string(),
    line: fc.integer(),
    owner: fc.option(fc.string()),
    parts: fc.array(inner, { maxLength: 3 }),
    change: fc.oneof(
      fc.record({ kind: fc.constant('add'), at: fc.integer() }, { requiredKeys: ['kind'] }),
      fc.record({ kind: fc.constant('drop'), why: fc.string() }, { requiredKeys: ['kind'] }),
    ),
    inner,
  },
  { requiredKeys: ['title', 'owner', 'parts', 'change'] },
);

type Json = Record<string, unknown>;

/** Writes null for every optional property that is absent, as a strict model does. */
function fill(shape: { parts: Json[]; change: Json; inner?: Json | undefined } & Json): Json {
  const withNote = (part: Json): Json => ({ note: null, ...part });
  return {
    line: null,
    ...shape,
    parts: shape.parts.map(withNote),
    change: { [shape.change['kind'] === 'add' ? 'at' : 'why']: null, ...shape.change },
    inner: shape.inner === undefined ? null : withNote(shape.inner),
  };
}

describe('strict schema', () => {
  test('accepts what a strict model writes, and brings back what was meant', () => {
    const strict = toStrictSchema(schema) ?? {};
    const isValid = new Ajv.Ajv({ strict: false }).compile(strict);
    fc.assert(
      fc.property(value, (meant) => {
        const written = fill(meant);
        expect(isValid(written)).toBe(true);
        expect(dropStandInNulls(written, schema)).toEqual(meant);
      }),
    );
  });

  test('requires and closes every object', () => {
    const text = JSON.stringify(toStrictSchema(schema));
    const objects = text.split('"type":"object"').length;
    expect(text.split('"additionalProperties":false')).toHaveLength(objects);
    expect(text).not.toContain('oneOf');
  });

  test('has no strict form for objects with free keys', () => {
    expect(
      toStrictSchema(toOutputSchema(z.object({ m: z.record(z.string(), z.int()) }))),
    ).toBeUndefined();
  });

  test('keeps a null where a value is required, so that the check finds it', () => {
    expect(dropStandInNulls({ title: null, line: null }, schema)).toEqual({ title: null });
  });

  test('leaves what it does not understand as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(dropStandInNulls(json, { $ref: '#/nowhere' })).toEqual(json);
      }),
    );
  });
});
