/**
 * `memory/pm.md` and `memory/artist.md` as `quorum init` brings them. They have no seal: approved lines are added to them, and
 * people edit them. Only a file that still is the shipped one counts as made by `init`. Pure.
 */
import { ROLE_FILES, ROLE_PATHS, type RoleTexts } from '../memory/role/role-memory.ts';
import { isSameText, sealOf } from './seal.ts';
import type { FileStep, PresentFiles } from './plan-steps.ts';
import type { SetupFile } from './setup-files.ts';

export const MEMORY_FILES: readonly string[] = Object.values(ROLE_PATHS);

export function memoryFiles(shipped: RoleTexts): SetupFile[] {
  return ROLE_FILES.map((name) => ({ path: ROLE_PATHS[name], text: shipped[name] }));
}

/** Writes what is missing, and never changes a file that is there, forced or not. */
export function planMemory(
  shipped: RoleTexts,
  { texts, paths }: { texts: PresentFiles; paths: readonly string[] },
): FileStep[] {
  return memoryFiles(shipped).map(({ path, text }): FileStep => {
    const before = texts.get(path);
    if (before !== undefined)
      return isSameText(before, text)
        ? { kind: 'unchanged', path, why: 'is as init makes it' }
        : { kind: 'kept', path, why: 'is yours; init never replaces it' };
    // A link, a submodule or a file where the folder would be: a write would replace it, or land elsewhere.
    const taken = paths.find((each) => path === each || path.startsWith(`${each}/`));
    if (taken !== undefined)
      return {
        kind: 'kept',
        path,
        why: taken === path ? 'is not a plain file' : `is not added: ${taken} is not a folder`,
      };
    return { kind: 'create', path, after: text };
  });
}

/**
 * Removes the texts that this version ships, where `init` set the repository up. A sealed file shows that: the repository of
 * Quorum itself has the same texts. What anybody added to stays, forced or not.
 */
export function planMemoryRemoval(shipped: RoleTexts, present: PresentFiles): FileStep[] {
  const isSetUp = [...present.values()].some((text) => sealOf(text) !== 'absent');
  return memoryFiles(shipped).flatMap(({ path, text }): FileStep[] => {
    const before = present.get(path);
    if (before === undefined) return [];
    if (!isSameText(before, text))
      return [{ kind: 'kept', path, why: 'is not as this version ships it; remove it yourself' }];
    return isSetUp
      ? [{ kind: 'delete', path, before, isShipped: true }]
      : [{ kind: 'kept', path, why: 'is here without another file of quorum init' }];
  });
}
