/** Puts a team together from persona files: the package's, then the repository's on top (spec NW-1). */
import { ModelAlias } from '../config/config-limits.ts';
import type { PersonasConfig } from '../config/config-team.ts';
import type { z } from 'zod';
import type { Persona } from './persona.ts';
import type { PersonaFile } from './persona-file.ts';
import { fileProblem } from '../config/yaml.ts';
import type { FileProblem } from '../config/yaml.ts';

export interface AssembledTeam {
  /** By handle. Inactive ones are here too, so that they can be listed. */
  personas: readonly Persona[];
  /** Every refused file and every warning; the rest of the team goes on. */
  problems: readonly FileProblem[];
}

/**
 * Lays layers of files over one another, the last on top: the same handle replaces, a new one adds, a removal takes
 * out. A file that does not validate changes nothing. The caller reads the repository's layer from the default branch
 * (spec 12, rule 9).
 */
export function assembleTeam(layers: readonly (readonly PersonaFile[])[]): AssembledTeam {
  const team = new Map<string, Persona>();
  const problems: FileProblem[] = [];
  for (const layer of layers) {
    const owners = new Map<string, string>();
    for (const entry of layer) {
      if (entry.kind === 'invalid') {
        problems.push(...entry.problems);
        continue;
      }
      const first = owners.get(handleOf(entry));
      if (first !== undefined) {
        problems.push(duplicate(entry, first));
        continue;
      }
      owners.set(handleOf(entry), entry.file);
      if (entry.kind === 'removal') team.delete(entry.handle);
      else team.set(entry.persona.handle, entry.persona);
      if (entry.kind === 'persona') problems.push(...entry.warnings);
    }
  }
  return { personas: [...team.values()].toSorted(byHandle), problems };
}

/** Applies `personas:` of the configuration: switches personas off or gives them another model. */
export function applyPersonaSettings(
  personas: readonly Persona[],
  settings: z.infer<typeof PersonasConfig>,
): readonly Persona[] {
  return personas.map((persona) => {
    const own = Object.hasOwn(settings, persona.handle) ? settings[persona.handle] : undefined;
    const { data: tier } = ModelAlias.safeParse(persona.model);
    return {
      ...persona,
      ...(own?.model === undefined || tier === undefined ? {} : { tier }),
      active: own?.active ?? persona.active,
      model: own?.model ?? persona.model,
    };
  });
}

function handleOf(entry: Exclude<PersonaFile, { kind: 'invalid' }>): string {
  return entry.kind === 'removal' ? entry.handle : entry.persona.handle;
}

function duplicate(entry: Exclude<PersonaFile, { kind: 'invalid' }>, first: string): FileProblem {
  const handle = handleOf(entry);
  const message = `is \`${handle}\`, which ${first} has already; this file is not used`;
  return { ...fileProblem(entry.file, 'duplicate-handle', message), key: 'handle', line: 2 };
}

function byHandle(a: Persona, b: Persona): number {
  return a.handle < b.handle ? -1 : 1;
}
