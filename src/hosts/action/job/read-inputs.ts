/** Reads the inputs of an action from the environment, and names the nearest one where a name is misspelt. */
import { ConfigError } from '../../../domain/event/errors.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { Env } from '../../environment/env-file.ts';
import type { InputSpec } from './action-specs.ts';

export type Inputs = Readonly<Record<string, string>>;

const PREFIX = 'INPUT_';
/** The runner's own, of every action. */
const MAX_SHOWN = 80;

/** @throws ConfigError `action-input-unknown` | `action-input-invalid` */
export function readInputs(specs: Readonly<Record<string, InputSpec>>, env: Env): Inputs {
  refuseUnknown(specs, env);
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, readInput(name, spec, env)]),
  );
}

function readInput(name: string, spec: InputSpec, env: Env): string {
  // The runner writes the name in capitals and leaves its hyphens.
  const given = (env[`${PREFIX}${name.toUpperCase()}`] ?? '').trim();
  // The default of the token is an expression, which the runner replaces.
  const value = given === '' && !spec.default?.includes('${{') ? (spec.default ?? '') : given;
  if (value === '' && spec.isRequired === true)
    throw invalid(`The input \`${name}\` is missing.${among(spec.values)}`);
  if (value !== '' && spec.values !== undefined && !spec.values.includes(value))
    throw invalid(
      `The input \`${name}\` is ${shown(value)}.${meant(value, spec.values)}${among(spec.values)}`,
    );
  return value;
}

function refuseUnknown(specs: Readonly<Record<string, InputSpec>>, env: Env): void {
  const known = new Set(Object.keys(specs).map((name) => name.toUpperCase()));
  for (const key of Object.keys(env)) {
    if (!key.startsWith(PREFIX)) continue;
    const name = key.slice(PREFIX.length);
    if (known.has(name)) continue;
    throw new ConfigError({
      code: 'action-input-unknown',
      message: `There is no input ${shown(name.toLowerCase())}.${meant(name, Object.keys(specs))}`,
    });
  }
}

function meant(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : ` Did you mean \`${found}\`?`;
}

function among(values: readonly string[] | undefined): string {
  return values === undefined ? '' : ` Use one of ${values.join(', ')}.`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

function invalid(message: string): ConfigError {
  return new ConfigError({ code: 'action-input-invalid', message });
}

/** Words of an input, separated by commas. @throws ConfigError `action-input-invalid` for one of another form */
export function listInput(inputs: Inputs, name: string, form: RegExp): string[] {
  const words = (inputs[name] ?? '').split(',').map((word) => word.trim());
  const given = words.filter((word) => word !== '');
  const wrong = given.find((word) => !form.test(word));
  if (wrong === undefined) return given;
  throw invalid(`The input \`${name}\` names ${shown(wrong)}, which it cannot.`);
}

const MOST_USD = 1_000;

/** US dollars of an input. @throws ConfigError `action-input-invalid` */
export function dollarsInput(inputs: Inputs, name: string): number {
  const text = inputs[name] ?? '';
  const value = Number(text);
  if (/^\d{1,4}(?:\.\d{1,2})?$/.test(text) && value <= MOST_USD) return value;
  throw invalid(
    `The input \`${name}\` is ${shown(text)}. Use US dollars from 0 to ${MOST_USD}, such as 2.50.`,
  );
}

/** A whole number of an input; undefined where it is empty. @throws ConfigError `action-input-invalid` */
export function numberInput(
  inputs: Inputs,
  name: string,
  { least = 1, most }: { least?: number; most: number },
): number | undefined {
  const text = inputs[name] ?? '';
  if (text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw invalid(
    `The input \`${name}\` is ${shown(text)}. Use a whole number from ${least} to ${most}.`,
  );
}
