/** What `.gitattributes` says of files that nobody wrote here, in the words that GitHub's own diffs go by. */
import { fitsPath, patternLines, toPattern, type PathPattern } from './ignore-file.ts';

/** The root's file alone: GitHub's documentation has these attributes there. */
export const ATTRIBUTES_FILE = '.gitattributes';

type Declared = 'generated' | 'vendored';

interface Rule {
  pattern: PathPattern;
  says: [Declared, boolean][];
}

/** Each line sets or takes back (`-linguist-generated`, `=false`); of several that name a path the last one holds. */
const ATTRIBUTE = /^(-?)linguist-(generated|vendored)(?:=(true|false))?$/;

/** Why a path is declared not to be read; undefined where it is not. */
export function readAttributes(text: string): (path: string) => Declared | undefined {
  const rules = patternLines(text).flatMap(toRule);
  return (path) => {
    const parts = path.split('/');
    const held = new Map<Declared, boolean>();
    for (const { pattern, says } of rules)
      if (fitsPath(pattern, parts)) for (const [what, isSo] of says) held.set(what, isSo);
    return [...held].find(([, isSo]) => isSo)?.[0];
  };
}

function toRule(line: string): Rule[] {
  const [name = '', ...attributes] = line.trim().split(/\s+/);
  const says = attributes.flatMap((attribute): Rule['says'] => {
    const [, minus, what, value] = ATTRIBUTE.exec(attribute) ?? [];
    if (what !== 'generated' && what !== 'vendored') return [];
    return [[what, minus === '' && value !== 'false']];
  });
  return says.length === 0 ? [] : toPattern(name).map((pattern) => ({ pattern, says }));
}
