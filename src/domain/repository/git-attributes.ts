/** What `.gitattributes` says of files that nobody wrote here, in the words that GitHub's own diffs go by. */
import { unquotePath } from '../diff/diff-path.ts';
import { patternLines, toPattern, type LinePattern } from './ignore-file.ts';

/** The root's file alone: GitHub's documentation has these attributes there. */
export const ATTRIBUTES_FILE = '.gitattributes';

type Declared = 'generated' | 'vendored';

interface Rule extends Pick<LinePattern, 'names'> {
  says: [Declared, boolean][];
}

/** Each line sets or takes back (`-linguist-generated`, `=false`); of several that name a path the last one holds. */
const ATTRIBUTE = /^(-?)linguist-(generated|vendored)(?:=(true|false))?$/;

/**
 * Why a path is declared not to be read; undefined where it is not. Unlike in an ignore file, a pattern that fits a
 * folder says nothing of the files in it.
 */
export function readAttributes(text: string): (path: string) => Declared | undefined {
  const rules = patternLines(text).flatMap(toRule);
  return (path) => {
    const held = new Map<Declared, boolean>();
    for (const { names, says } of rules)
      if (names(path)) for (const [what, isSo] of says) held.set(what, isSo);
    return [...held].find(([, isSo]) => isSo)?.[0];
  };
}

function toRule(line: string): Rule[] {
  const { pattern, attributes } = splitLine(line.trim());
  const says = attributes.flatMap((attribute): Rule['says'] => {
    const [, minus, what, value] = ATTRIBUTE.exec(attribute) ?? [];
    if (what !== 'generated' && what !== 'vendored') return [];
    return [[what, minus === '' && value !== 'false']];
  });
  if (says.length === 0) return [];
  return toPattern(pattern).map(({ names }) => ({ names, says }));
}

/** A pattern with spaces is in quotes, as paths in diffs are. */
function splitLine(line: string): { pattern: string; attributes: string[] } {
  const quoted = line.startsWith('"') ? unquotePath(line) : undefined;
  if (quoted !== undefined) return { pattern: quoted.path, attributes: quoted.rest.split(/\s+/) };
  const [pattern = '', ...attributes] = line.split(/\s+/);
  return { pattern, attributes };
}
