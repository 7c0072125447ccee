/** A repository's configuration on disk, checked against its team as the App would check it. */
import path from 'node:path';
import {
  readPackagePersonas,
  readPersonaFolder,
  REPOSITORY_PERSONAS,
} from '../../adapters/files/load-personas.ts';
import {
  resolveConfig,
  type ConfigSource,
  type ResolvedConfig,
} from '../../domain/config/config-file.ts';
import { findUnknownPersonas } from '../../domain/persona/unknown-personas.ts';

/** `dir` is the repository whose own personas count too. Without a file the defaults hold. */
export async function checkConfigIn(
  dir: string,
  source: ConfigSource | undefined,
): Promise<ResolvedConfig> {
  if (source === undefined) return resolveConfig([]);
  const resolved = resolveConfig([source]);
  const layers = [
    await readPackagePersonas(),
    await readPersonaFolder(path.join(dir, REPOSITORY_PERSONAS)),
  ];
  const unknown = findUnknownPersonas(source, layers);
  return {
    ...resolved,
    isValid: resolved.isValid && unknown.length === 0,
    problems: [...unknown, ...resolved.problems],
  };
}
