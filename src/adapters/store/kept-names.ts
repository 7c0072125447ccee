/** Finds ids and names in stored JSON. */
import { escapePattern } from '../../domain/text/pattern.ts';
import { isJson } from '../../domain/secrets/redact.ts';
import type { KnownName } from '../../ports/erasure.ts';
import type { StreamRows } from './kept-rows.ts';

/** Ids of repositories or people that are called so somewhere in it. */
export function namedIds(value: unknown, name: KnownName): number[] {
  const found: number[] = [];
  walk(value, (object) => {
    const id = 'login' in name ? object['id'] : object['repositoryId'];
    if (typeof id === 'number' && nameOf(object, name) === wanted(name)) found.push(id);
  });
  return found;
}

function nameOf({ login, owner, repo }: Record<string, unknown>, name: KnownName): string {
  return String('login' in name ? login : `${String(owner)}/${String(repo)}`).toLowerCase();
}

function wanted(name: KnownName): string {
  return ('login' in name ? name.login : name.repository).toLowerCase();
}

/** Logins beside this user's id. */
export function loginsOf(value: unknown, userId: number): string[] {
  const found: string[] = [];
  walk(value, ({ id, login }) => {
    if (id === userId && typeof login === 'string') found.push(login);
  });
  return found;
}

function walk(value: unknown, see: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, see);
  if (!isJson(value)) return;
  see(value);
  for (const each of Object.values(value)) walk(each, see);
}

/** Numbers of a field, wherever it is. */
export function numbersAfter(field: string, { work, states }: StreamRows): Set<number> {
  const pattern = new RegExp(String.raw`"${escapePattern(field)}":(\d+)`, 'g');
  const texts = [...work.map(({ data }) => data), ...states.map(({ value }) => value)];
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id]) => Number(id))));
}
