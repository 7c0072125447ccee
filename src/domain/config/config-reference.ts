/** The reference of .github/quorum.yml for people, made from the schema that the program itself uses. */
import { hasEffect } from './availability.ts';
import { Config } from './config.ts';
import { DEFAULT_LABELS, LABEL_LOOKS, Label } from '../repository/labels.ts';
import { toDraft7 } from './schema-keys.ts';
import { isRecord } from './yaml.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where it is published. */
export const REFERENCE_FILE = 'docs/configuration-reference.md';

const HEAD = [
  '# Configuration reference',
  '',
  '<!-- Made by src/hosts/write-docs.ts from the schema in src/domain/config/config.ts. A test fails when it is not current. -->',
  '',
  'Every key of `.github/quorum.yml`, with its default. All keys are optional; an unknown key is an error that names its',
  'line and the nearest known key. What says "no effect yet" belongs to features that this version does not have: it is',
  'checked, and otherwise ignored. [configuration.md](configuration.md) says where values come from, and shows examples.',
];

/** The whole page: Markdown as Prettier writes it. */
export function configReference(): string {
  const properties = recordsIn(toDraft7(Config)['properties']);
  const plain = properties.filter(([, schema]) => !isMapping(schema));
  const sections = properties.filter(([, schema]) => isMapping(schema));
  const top = table(plain.map(([key, schema]) => toRow(key, schema)));
  const parts = sections.map(([key, schema]) => renderSection(key, schema));
  return `${[...HEAD, '', '## Top level', '', ...top, ...parts.flat()].join('\n')}\n`;
}

function renderSection(key: string, schema: Schema): string[] {
  const about = hasEffect(key) ? `${sentence(schema)}.` : `${sentence(schema)}. No effect yet.`;
  const rows = key === 'labels' ? [] : leaves(schema, '').map((row) => markWithoutEffect(key, row));
  const body = key === 'labels' ? labelTable() : table(rows);
  return ['', `## \`${key}\``, '', about, '', ...body];
}

/** Labels are one key for each default name; what a reader wants is how they look. */
function labelTable(): string[] {
  const head = ['key and default name', 'colour', 'description'];
  const rows = Label.options.map((label) => {
    const { color, description } = LABEL_LOOKS[label];
    const about = hasEffect(`labels.${label}`) ? description : `${description} (no effect yet)`;
    return [code(DEFAULT_LABELS[label]), code(`#${color}`), escape(about)];
  });
  return renderRows([head, ...rows]);
}

function isMapping(schema: Schema): boolean {
  return isRecord(schema['properties']) || isRecord(schema['additionalProperties']);
}

type Row = [key: string, type: string, fallback: string, about: string];

/** Every key that holds a value, with its path below the section. */
function leaves(schema: Schema, prefix: string): Row[] {
  const named = recordsIn(schema['properties']).flatMap(([key, child]) =>
    leavesOf(child, prefix === '' ? key : `${prefix}.${key}`),
  );
  const any = schema['additionalProperties'];
  if (!isRecord(any)) return named;
  return [...named, ...leavesOf(any, prefix === '' ? '<name>' : `${prefix}.<name>`)];
}

function markWithoutEffect(section: string, [path, type, fallback, about]: Row): Row {
  if (!hasEffect(section) || hasEffect(`${section}.${path.replaceAll(/`|\[\]/g, '')}`))
    return [path, type, fallback, about];
  return [path, type, fallback, `${about} (no effect yet)`];
}

function leavesOf(schema: Schema, path: string): Row[] {
  if (isMapping(schema)) return leaves(schema, path);
  const items = schema['items'];
  if (isRecord(items) && isMapping(items))
    return [toRow(path, schema), ...leaves(items, `${path}[]`)];
  return [toRow(path, schema)];
}

function toRow(path: string, schema: Schema): Row {
  const { default: fallback } = schema;
  return [
    code(path),
    escape(typeOf(schema)),
    fallback === undefined ? '' : code(JSON.stringify(fallback)),
    escape(sentence(schema)),
  ];
}

function typeOf(schema: Schema): string {
  const { enum: choices, const: only, type, items } = schema;
  if (Array.isArray(choices)) return choices.map(String).join(', ');
  if (only !== undefined) return JSON.stringify(only);
  if (type === 'boolean') return 'true, false';
  if (type === 'array') return `list of ${isRecord(items) ? plural(items) : 'values'}`;
  if (type === 'string') return 'text';
  return numberType(schema);
}

function plural(items: Schema): string {
  if (Array.isArray(items['enum'])) return `these: ${typeOf(items)}`;
  if (isMapping(items)) return 'mappings';
  return items['type'] === 'string' ? 'texts' : 'numbers';
}

/** Bounds of JavaScript's own integers say nothing to a reader. */
function numberType({ type, minimum, maximum }: Schema): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return kind;
  if (maximum >= Number.MAX_SAFE_INTEGER) return kind;
  return `${kind} from ${minimum} to ${maximum}`;
}

function sentence({ description }: Schema): string {
  return typeof description === 'string' ? description : '';
}

function recordsIn(value: unknown): [string, Schema][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Schema] => isRecord(entry[1]));
}

function table(rows: readonly Row[]): string[] {
  return renderRows([['key', 'values', 'default', 'what it does'], ...rows]);
}

/** Columns padded to their widest cell, which is how Prettier leaves a table. */
function renderRows(rows: readonly (readonly string[])[]): string[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const [head = [], ...body] = rows.map((row) =>
    widths.map((width, at) => (row[at] ?? '').padEnd(width)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(head), line(rule), ...body.map(line)];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
