/** Programs outside the system's folders that sandboxed programs use: the running Node, so that they find the same one. */
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from '../../../domain/sandbox/shown-paths.ts';
import { SYSTEM } from '../system.ts';

export interface Toolchain {
  /** Files and folders without links, shown at their own paths. */
  shown: readonly string[];
  /** Links to make in the sandbox: where, and to what. */
  links: readonly (readonly [at: string, target: string])[];
  /** Folders in which programs are looked for. */
  path: readonly string[];
}

/** Package managers that are installed with a Node; other global packages are the user's own. */
const PACKAGES = ['npm', 'corepack', 'pnpm', 'yarn'];

/**
 * The program and what belongs to it: package managers, headers for native addons, and the library of a Node that is built
 * with one. The folder that they are in is not shown: it may be somebody's home.
 */
export function nodeToolchain(execPath: string = process.execPath): Toolchain {
  const node = realpathSync(execPath);
  if (SYSTEM.some((each) => isWithin(node, each))) return { shown: [], links: [], path: [] };
  const bin = path.dirname(node);
  const parts = path.basename(bin) === 'bin' ? partsOf(path.dirname(bin)) : [];
  return {
    shown: [node, ...parts.map(({ real }) => real)],
    links: [
      ...parts.filter(({ at, real }) => at !== real).map(({ at, real }) => [at, real] as const),
      ...linksInto(parts, bin),
    ],
    path: [bin],
  };
}

/** Whole folders, with programs in them or in their `bin`. */
export function folderToolchain(folders: readonly string[]): Toolchain {
  const programs = folders.flatMap((each) => [path.join(each, 'bin'), each]);
  return { shown: folders, links: [], path: programs };
}

interface Part {
  at: string;
  real: string;
}

function partsOf(prefix: string): Part[] {
  const lib = path.join(prefix, 'lib');
  const libraries = namesIn(lib).filter((name) => name.startsWith('libnode.so'));
  return [
    ...PACKAGES.map((name) => path.join(lib, 'node_modules', name)),
    ...libraries.map((name) => path.join(lib, name)),
    path.join(prefix, 'include', 'node'),
  ].flatMap((at) => {
    const real = realOf(at);
    return real === undefined ? [] : [{ at, real }];
  });
}

/** Programs of the parts, such as `npm`: links from `bin` into them. */
function linksInto(parts: readonly Part[], bin: string): [at: string, target: string][] {
  return namesIn(bin).flatMap((name) => {
    const at = path.join(bin, name);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return [];
    const target = realOf(at);
    const isOfPart = target !== undefined && parts.some(({ real }) => isWithin(target, real));
    return isOfPart ? [[at, target]] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined where nothing is there. */
function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
