/** OpenAI's strict mode wants every property required; this makes optional ones nullable and undoes it in the answer. */

type Schema = Record<string, unknown>;

/** Keywords that strict mode does not take (OpenAI's structured outputs guide); meaning is not lost, zod checks again. */
const DROPPED = new Set(['$schema', 'default', 'uniqueItems', 'propertyNames']);

/**
 * Rewrites a schema for strict mode, or tells that it cannot be:
 * objects with free keys have no strict form.
 */
export function toStrictSchema(schema: Schema): Schema | undefined {
  const state = { isPossible: true };
  const strict = rewrite(schema, state);
  return state.isPossible && isRecord(strict) ? strict : undefined;
}

function rewrite(value: unknown, state: { isPossible: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, state));
  if (!isRecord(value)) return value;
  const out: Schema = {};
  for (const [key, child] of Object.entries(value)) {
    if (DROPPED.has(key)) continue;
    out[key === 'oneOf' ? 'anyOf' : key] = rewriteChild(key, child, state);
  }
  if (value['type'] === 'object' || isRecord(value['properties'])) closeObject(out, value, state);
  return out;
}

function rewriteChild(key: string, child: unknown, state: { isPossible: boolean }): unknown {
  if (key === 'enum' || key === 'const') return child;
  if ((key === 'properties' || key === '$defs') && isRecord(child))
    return Object.fromEntries(Object.entries(child).map(([k, v]) => [k, rewrite(v, state)]));
  return rewrite(child, state);
}

function closeObject(out: Schema, source: Schema, state: { isPossible: boolean }): void {
  if (isRecord(source['additionalProperties'])) state.isPossible = false;
  const properties = isRecord(out['properties']) ? out['properties'] : {};
  const required = requiredOf(source);
  out['properties'] = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      required.has(name) || isNullable(schema) ? schema : { anyOf: [schema, { type: 'null' }] },
    ]),
  );
  out['required'] = Object.keys(properties);
  out['additionalProperties'] = false;
}

/** Removes the nulls that stand for absent optional properties of the original schema. */
export function dropStandInNulls(value: unknown, schema: Schema): unknown {
  return drop(value, schema, schema);
}

function drop(value: unknown, schema: unknown, root: Schema): unknown {
  const node = resolve(schema, root);
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => drop(item, node['items'], root));
  if (!isRecord(value)) return value;
  const properties = isRecord(node['properties']) ? node['properties'] : undefined;
  if (properties === undefined) return dropInBranch(value, node, root);
  const required = requiredOf(node);
  const kept = Object.entries(value).filter(
    ([name, item]) =>
      item !== null || required.has(name) || !(name in properties) || isNullable(properties[name]),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, drop(item, properties[name], root)]));
}

function dropInBranch(value: Schema, node: Schema, root: Schema): unknown {
  const branches = node['anyOf'] ?? node['oneOf'];
  if (!Array.isArray(branches)) return value;
  const fitting = branches
    .map((branch) => resolve(branch, root))
    .find((branch) => branch !== undefined && fitsBranch(value, branch));
  return fitting === undefined ? value : drop(value, fitting, root);
}

/** An object belongs to a branch when it has the branch's required names and literal values, and no strange ones. */
function fitsBranch(value: Schema, branch: Schema): boolean {
  const properties = branch['properties'];
  if (!isRecord(properties)) return false;
  const hasAll = [...requiredOf(branch)].every((name) => name in value);
  const hasNoOther = Object.keys(value).every((name) => name in properties);
  const literals = Object.entries(properties).every(
    ([name, schema]) =>
      !isRecord(schema) || !('const' in schema) || value[name] === schema['const'],
  );
  return hasAll && hasNoOther && literals;
}

function resolve(schema: unknown, root: Schema): Schema | undefined {
  if (!isRecord(schema)) return undefined;
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const target = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), root);
  return isRecord(target) && target !== schema ? target : undefined;
}

function isNullable(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const type = schema['type'];
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) && branches.some(isNullable);
}

function requiredOf(schema: Schema): ReadonlySet<string> {
  const required = schema['required'];
  return new Set(
    Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  );
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
