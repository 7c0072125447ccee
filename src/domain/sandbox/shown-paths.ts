/** Which paths of a machine a sandbox may show: never all of it, a home folder, or what contains Quorum's own data. */

/** A path that only Quorum reads. */
export interface OwnPath {
  path: string;
  /** What it is, with the setting that names it. */
  is: string;
}

export interface Guarded {
  /** Home folders of the machine's users. */
  homes: readonly string[];
  own: readonly OwnPath[];
}

/** Folders of homes whose users may be in no local file. */
const PARENTS = ['/home', '/var/home', '/usr/home', '/export/home'];

/**
 * Why a sandbox may not show this path, as the end of a sentence that begins with it; undefined where it may. All paths are
 * absolute, without links and without a slash at the end.
 */
export function hiddenReason(shown: string, { homes, own }: Guarded): string | undefined {
  if (shown === '/') return 'is the whole file system';
  if (homes.includes(shown) || PARENTS.includes(dirname(shown))) return 'is a home folder';
  const home = [...homes, ...PARENTS].find((each) => isWithin(each, shown));
  if (home !== undefined) return `contains home folders (${home})`;
  return ownPathReason(shown, own);
}

/** The same of a system's folder, such as `/usr`: it may contain homes of services, which are program folders. */
export function ownPathReason(shown: string, own: readonly OwnPath[]): string | undefined {
  const found = own.find(({ path }) => isWithin(path, shown));
  if (found === undefined) return undefined;
  return found.path === shown ? `is ${found.is}` : `contains ${found.is}, ${found.path}`;
}

/** Whether a path is the folder itself or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
