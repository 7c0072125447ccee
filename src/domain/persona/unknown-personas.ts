/** Keys of `personas:` in a configuration that name nobody: a slip there would leave the persona that was meant as it is. */
import type { ConfigSource } from '../config/config-file.ts';
import { fileProblem, readYaml, type FileProblem } from '../config/yaml.ts';
import { nearest } from '../text/nearest.ts';
import type { PersonaFile } from './persona-file.ts';

/**
 * Errors for a repository's own file. Files of an organisation and of a base may name anybody. Their repositories have
 * different teams.
 *
 * @param layers every persona file; one that removes a persona, or is refused, still names it
 */
export function findUnknownPersonas(
  source: ConfigSource,
  layers: readonly (readonly PersonaFile[])[],
): FileProblem[] {
  const yaml = readYaml(source);
  const personas = yaml.ok ? yaml.reading.value['personas'] : undefined;
  if (!yaml.ok || personas === null || typeof personas !== 'object') return [];
  const known = new Set(layers.flat().map(handleOf));
  return Object.keys(personas)
    .filter((handle) => !known.has(handle))
    .map((handle) => {
      const hint = nearest(handle, known);
      return {
        ...fileProblem(source.file, 'unknown-key', 'is nobody in the team'),
        ...yaml.reading.placeOf(['personas', handle]),
        key: `personas.${handle}`,
        ...(hint === undefined
          ? { expected: `one of ${[...known].join(', ')}` }
          : { nearest: hint }),
      };
    });
}

function handleOf(entry: PersonaFile): string {
  if (entry.kind === 'persona') return entry.persona.handle;
  if (entry.kind === 'removal') return entry.handle;
  return entry.file.slice(entry.file.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
