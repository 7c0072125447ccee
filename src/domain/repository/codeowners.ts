/** Who owns what is changed, by the repository's CODEOWNERS file as GitHub reads it. */
import { toPattern } from './ignore-file.ts';

/** Where GitHub looks, in this order: the first that is there is the only one that counts. */
export const CODEOWNERS_FILES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

export interface Owners {
  logins: string[];
  /** Slugs. */
  teams: string[];
}

/** Nobody writes more. */
const MAX_LINES = 5_000;

/**
 * The owners of all these paths together, each once. The last pattern that matches a path decides, and may name nobody.
 * E-mail addresses are left out: they name no account that could be asked. A line that GitHub finds wrong (`!`, `[`)
 * does not count.
 */
export function ownersOf(text: string, paths: readonly string[]): Owners {
  const rules = text.split('\n').slice(0, MAX_LINES).flatMap(toRule);
  const owners = paths.flatMap((path) => rules.findLast(({ fits }) => fits(path))?.owners ?? []);
  const named = [...new Set(owners)].filter((owner) => OWNER.test(owner));
  return {
    logins: named.filter((owner) => !owner.includes('/')).map((owner) => owner.slice(1)),
    teams: named.flatMap((owner) => owner.split('/')[1] ?? []),
  };
}

/** Every team that the file names, as `org/slug`. */
export function teamsIn(text: string): string[] {
  const rules = text.split('\n').slice(0, MAX_LINES).flatMap(toRule);
  return rules.flatMap(({ owners }) =>
    owners.filter((owner) => OWNER.test(owner) && owner.includes('/')).map((one) => one.slice(1)),
  );
}

const OWNER = /^@[A-Za-z0-9][A-Za-z0-9-]*(?:\/[A-Za-z0-9_.-]+)?$/;

interface Rule {
  fits: (path: string) => boolean;
  owners: string[];
}

/**
 * The pattern is git's with GitHub's documented differences: no `!`, no `[ ]`, no `\#` at the beginning. `docs/*` means
 * the files in that folder and none in folders below it. What follows a `#` is a comment.
 */
function toRule(line: string): Rule[] {
  const [pattern = '', ...owners] = line.replace(/(?:^|\s)#[^]*$/, '').match(/(?:\\.|\S)+/g) ?? [];
  if (/^(?:!|\\#)|\[/.test(pattern)) return [];
  return toPattern(pattern).map(({ covers, names }) => ({
    fits: pattern.endsWith('/*') ? names : covers,
    owners,
  }));
}
