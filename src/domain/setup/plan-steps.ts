/** What `quorum init`, `quorum upgrade` and `quorum uninstall` do to each file, decided from what is there. Pure. */
import { CONFIG_FILES } from '../config/config-file.ts';
import { callsQuorum, findPins, movePins, type ProductPin } from './product-pin.ts';
import { isSameText, reseal, sealOf } from './seal.ts';
import { nameOf } from '../repository/paths.ts';
import { SETUP_PATHS, type SetupFile } from './setup-files.ts';

export type FileStep =
  | { kind: 'create'; path: string; after: string }
  | { kind: 'update'; path: string; before: string; after: string }
  /** `isShipped`: the text is one that Quorum ships, so that nothing is lost where no commit has it. */
  | { kind: 'delete'; path: string; before: string; isShipped?: true }
  /** `why` is for people: one sentence without its full stop. */
  | { kind: 'unchanged' | 'kept'; path: string; why: string };

/** A step that changes a file. */
export type FileChange = Extract<FileStep, { kind: 'create' | 'update' | 'delete' }>;

/** Texts of the files that are there, by path. */
export type PresentFiles = ReadonlyMap<string, string>;

export function isChange(step: FileStep): step is FileChange {
  return step.kind === 'create' || step.kind === 'update' || step.kind === 'delete';
}

/** Never changes a file that is there, unless `isForced`: then it is written again as `init` makes it. */
export function planInit(
  wanted: readonly SetupFile[],
  present: PresentFiles,
  isForced: boolean,
): FileStep[] {
  return wanted.map(({ path, text }) => {
    const other = otherName(path, present);
    if (other !== undefined) return { kind: 'kept', path: other, why: 'does the same already' };
    const before = present.get(path);
    if (before === undefined) return { kind: 'create', path, after: text };
    if (isSameText(before, text)) return { kind: 'unchanged', path, why: 'is as init makes it' };
    if (isForced) return { kind: 'update', path, before, after: text };
    return sealOf(before) === 'intact'
      ? { kind: 'unchanged', path, why: 'was made by init before' }
      : { kind: 'kept', path, why: 'is not as init made it; --force replaces it' };
  });
}

const WORKFLOWS = '.github/workflows/';

/** A configuration with the other ending, and a workflow under another name, would be doubled. */
function otherName(path: string, present: PresentFiles): string | undefined {
  if (CONFIG_FILES.includes(path))
    return CONFIG_FILES.find((file) => file !== path && present.has(file));
  if (!path.startsWith(WORKFLOWS) || present.has(path)) return undefined;
  return [...present.keys()].find(
    (file) => file.startsWith(WORKFLOWS) && callsQuorum(present.get(file) ?? '', nameOf(path)),
  );
}

/** Removes what `init` made and nobody changed; `isForced` also removes what was changed since, never another's file. */
export function planUninstall(present: PresentFiles, isForced: boolean): FileStep[] {
  return SETUP_PATHS.flatMap((path): FileStep[] => {
    const before = present.get(path);
    if (before === undefined) return [];
    const seal = sealOf(before);
    if (seal === 'intact' || (seal === 'broken' && isForced))
      return [{ kind: 'delete', path, before }];
    const why =
      seal === 'broken' ? 'was changed; --force removes it' : 'was not made by quorum init';
    return [{ kind: 'kept', path, why }];
  });
}

/**
 * Moves every pin to a version. What a person changed stays, but for the pins themselves. Without `repository` a pin
 * keeps the one that it names.
 */
export function planUpgrade(
  present: PresentFiles,
  to: { repository: string | undefined; ref: string },
): FileStep[] {
  return [...present].flatMap(([path, before]): FileStep[] => {
    const [pin] = findPins(before);
    if (pin === undefined) return [];
    const target: ProductPin = { repository: to.repository ?? pin.repository, ref: to.ref };
    const after = reseal(before, movePins(before, target));
    if (after === before || isSameText(before, after))
      return [{ kind: 'unchanged', path, why: `is at ${target.ref}` }];
    return [{ kind: 'update', path, before, after }];
  });
}
