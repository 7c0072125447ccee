/** Makes the `find` of a rule that asks the syntax tree, and looks at lines in files without a tree. */
import type { Change, ChangedFile } from './read-change.ts';
import type { Sighting } from './change-rule.ts';
import type { ScriptFacts } from './syntax/script-facts.ts';

type Ask = (facts: ScriptFacts, file: ChangedFile) => readonly Omit<Sighting, 'file'>[];

/** What the trees of parsed scripts tell at new lines, and what `lines` finds in all other files. */
export function askTree(
  ask: Ask,
  lines: (change: Change) => readonly Sighting[] = () => [],
): (change: Change) => Sighting[] {
  return (change) => {
    const parsed = change.files.flatMap((file) => {
      const facts = file.added.length === 0 ? undefined : file.script();
      return facts === undefined ? [] : [{ file, facts }];
    });
    const known = new Set(parsed.map(({ file }) => file));
    const rest = { ...change, files: change.files.filter((file) => !known.has(file)) };
    const told = parsed.flatMap(({ file, facts }) => {
      const news = new Set(file.added.map(({ line }) => line));
      return ask(facts, file)
        .filter(({ line, endLine = line }) => news.has(line) || news.has(endLine))
        .map((sighting) => ({ file, ...sighting }));
    });
    return [...told, ...lines(rest)];
  };
}
