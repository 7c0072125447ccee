/** Which keys a schema knows at a path, read from its published JSON Schema so that the two cannot drift apart. */
import * as z from 'zod';
import { isRecord } from './yaml.ts';

/** The JSON Schema (draft-07, which editors read) of what people may write. */
export function toDraft7(schema: z.core.$ZodType): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return { $schema, ...rest };
}

/** Keys of the mapping at `path`; empty where any key is allowed or nothing is known. */
export function keysAt(schema: z.core.$ZodType, path: readonly (string | number)[]): string[] {
  let current: unknown[] = [toDraft7(schema)];
  for (const segment of path) current = current.flatMap((each) => childrenOf(each, segment));
  return [...new Set(current.flatMap(ownKeys))];
}

/** A schema and the branches it may be made of. */
function branches(schema: unknown): Record<string, unknown>[] {
  if (!isRecord(schema)) return [];
  const parts = [schema['anyOf'], schema['allOf'], schema['oneOf']].flatMap((each) =>
    Array.isArray(each) ? each.flatMap(branches) : [],
  );
  return [schema, ...parts];
}

function childrenOf(schema: unknown, segment: string | number): unknown[] {
  return branches(schema).flatMap(({ properties, additionalProperties, items }) => {
    if (isRecord(properties) && Object.hasOwn(properties, segment)) return [properties[segment]];
    return typeof segment === 'number' ? [items] : [additionalProperties];
  });
}

function ownKeys(schema: unknown): string[] {
  return branches(schema).flatMap(({ properties, propertyNames }) => {
    if (isRecord(properties)) return Object.keys(properties);
    const names = isRecord(propertyNames) ? propertyNames['enum'] : undefined;
    return Array.isArray(names) ? names.map(String) : [];
  });
}
