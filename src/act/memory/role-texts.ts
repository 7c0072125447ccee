/** The files of roles as a repository has them, and the shipped defaults where it has none. */
import { ROLE_FILES, ROLE_PATHS, type RoleTexts } from '../../domain/memory/role/role-memory.ts';
import type { ActPorts } from '../ports.ts';

export async function roleTexts(
  files: ReadonlyMap<string, string>,
  { roleDefaults }: Pick<ActPorts, 'roleDefaults'>,
): Promise<RoleTexts> {
  const isWhole = ROLE_FILES.every((name) => files.has(ROLE_PATHS[name]));
  const shipped = isWhole ? undefined : await roleDefaults?.();
  return {
    pm: files.get(ROLE_PATHS.pm) ?? shipped?.pm ?? '',
    artist: files.get(ROLE_PATHS.artist) ?? shipped?.artist ?? '',
  };
}
