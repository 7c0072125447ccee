/** Tells whether a soul was changed: digests of personas, and what to do when an agent changed one (spec TG-1). */
import { createHash } from 'node:crypto';
import type { Persona } from './persona.ts';
import { isRecord } from '../config/yaml.ts';

/** Digests by handle. */
export type PersonaDigests = Readonly<Record<string, string>>;

/** What the personas were when they were last believed, and where that was written. */
export interface SoulsSeen {
  digests: PersonaDigests;
  /** Tip of the default branch then; absent in what was recorded before this was. */
  sha?: string;
  /** Digest by path of what each of the repository's own files says of personas. */
  sources?: Readonly<Record<string, string>>;
}

/** SHA-256, in hexadecimal, of everything a persona is. Independent of the order of keys in its file. */
export function personaDigest(persona: Persona): string {
  return valueDigest(persona);
}

/** Of any plain value; independent of the order of keys. */
export function valueDigest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** Of a comment's body, to tell whether it still says the same. */
export function bodyDigest(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** The digest of each persona, by handle. */
export function teamDigests(personas: readonly Persona[]): PersonaDigests {
  return Object.fromEntries(personas.map((persona) => [persona.handle, personaDigest(persona)]));
}

/** Of what may be somebody's name, to find it without keeping a person's words. */
export function nameDigest(name: string): string {
  return bodyDigest(name).slice(0, 16);
}

/** Who changed the personas between two looks. */
export interface PersonaChange {
  /** Whether any commit that touched personas was authored by an agent, or by an unknown author. */
  isByAgent: boolean;
  commitSha: string;
  /** File in which it was made. */
  path: string;
  /** The pull request that brought it in, and who merged that. */
  pull?: { number: number; mergedBy: string };
  /** Login of the person who merged exactly this change, or approved the head that was merged. */
  approvedBy?: string;
}

export type SoulCheck =
  | { kind: 'fine'; changed: readonly string[] }
  /** Stop acting in the repository, say so in `quorum / config`, ask the owner. */
  | { kind: 'stop'; changed: readonly string[]; reason: string };

/** Decides whether the team may go on: an agent's unapproved change, addition or removal of a persona stops it. */
export function changedByAgent(
  recorded: PersonaDigests,
  current: PersonaDigests,
  change: PersonaChange,
): SoulCheck {
  const handles = new Set([...Object.keys(recorded), ...Object.keys(current)]);
  const changed = [...handles].filter((handle) => recorded[handle] !== current[handle]).toSorted();
  if (changed.length === 0 || !change.isByAgent || change.approvedBy !== undefined)
    return { kind: 'fine', changed };
  const names = changed.map((handle) => `@${handle}`).join(', ');
  const { pull } = change;
  const where = pull === undefined ? '' : ` (#${pull.number}, merged by ${pull.mergedBy})`;
  const settle = [
    'revert it',
    ...(pull === undefined ? [] : [`approve the head of #${pull.number} in a review on GitHub`]),
    `change \`${change.path}\` with a commit of a person`,
  ];
  const reason = `an agent changed ${names} in ${change.commitSha.slice(0, 12)}${where}. A person with write access settles it: ${settle.join(', or ')}`;
  return { kind: 'stop', changed, reason };
}

/** JSON with sorted keys and without absent values: the same persona gives the same bytes. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}
