/** The files of roles that this package ships; the same from source and from dist. */
import { readFile } from 'node:fs/promises';
import { ROLE_PATHS, type RoleTexts } from '../../domain/memory/role/role-memory.ts';

export async function readRoleDefaults(): Promise<RoleTexts> {
  const [pm, artist] = await Promise.all([read(ROLE_PATHS.pm), read(ROLE_PATHS.artist)]);
  return { pm, artist };
}

function read(path: string): Promise<string> {
  return readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
}
