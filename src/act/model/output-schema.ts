/** The JSON Schema of what a model has to write, and the problems of an answer that does not fit it. */
import { z } from 'zod';

type Schema = Record<string, unknown>;

/** The JSON Schema of what a model has to write, with every object closed. */
export function toOutputSchema(schema: z.ZodType): Schema {
  return closeObjects(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function closeObjects(node: Schema): Schema {
  const out: Schema = {};
  for (const [key, child] of Object.entries(node)) out[key] = closeChild(key, child);
  const isOpen = node['type'] === 'object' && node['additionalProperties'] === undefined;
  return isOpen ? { ...out, additionalProperties: false } : out;
}

function closeChild(key: string, child: unknown): unknown {
  if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return child;
  if (Array.isArray(child))
    return child.map((item) => (isSchema(item) ? closeObjects(item) : item));
  if (!isSchema(child)) return child;
  if (key !== 'properties' && key !== '$defs') return closeObjects(child);
  const entries = Object.entries(child).map(([name, value]) => [
    name,
    isSchema(value) ? closeObjects(value) : value,
  ]);
  return Object.fromEntries(entries) as unknown;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map(
      (issue) => `${issue.path.length === 0 ? 'answer' : issue.path.join('.')}: ${issue.message}`,
    )
    .join('; ');
}
