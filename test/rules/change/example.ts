/** Makes a diff and what is known around it from an example's marked lines. */
import type { ReviewContext } from '../../../src/rules/change/context.ts';
import type { RuleExample } from '../../../src/rules/change/change-rule.ts';
import type { Diff } from '../../../src/domain/diff/diff.ts';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';

interface Sides {
  head: string[];
  base: string[];
}

function sidesOf(marked: string): Sides {
  const sides: Sides = { head: [], base: [] };
  for (const line of marked.split('\n')) {
    if (!line.startsWith('-')) sides.head.push(line.slice(1));
    if (!line.startsWith('+')) sides.base.push(line.slice(1));
  }
  return sides;
}

function fileDiff(path: string, marked: string): string {
  const { head, base } = sidesOf(marked);
  const [old, now] = [
    base.length === 0 ? '/dev/null' : `a/${path}`,
    head.length === 0 ? '/dev/null' : `b/${path}`,
  ];
  const counts = `-${base.length === 0 ? 0 : 1},${base.length} +${head.length === 0 ? 0 : 1},${head.length}`;
  const mode =
    base.length === 0
      ? 'new file mode 100644\n'
      : head.length === 0
        ? 'deleted file mode 100644\n'
        : '';
  return `diff --git a/${path} b/${path}\n${mode}--- ${old}\n+++ ${now}\n@@ ${counts} @@\n${marked}\n`;
}

export function exampleDiff({ change }: RuleExample): Diff {
  const text = Object.entries(change)
    .map(([path, marked]) => fileDiff(path, marked))
    .join('');
  return parseDiff(text);
}

export function exampleContext({ change, repository }: RuleExample): ReviewContext {
  const [head, base] = [
    new Map(Object.entries(repository ?? {})),
    new Map(Object.entries(repository ?? {})),
  ];
  for (const [path, marked] of Object.entries(change)) {
    const sides = sidesOf(marked);
    if (sides.head.length > 0) head.set(path, sides.head.join('\n'));
    else head.delete(path);
    if (sides.base.length > 0) base.set(path, sides.base.join('\n'));
    else base.delete(path);
  }
  return { head, base, ...(repository === undefined ? {} : { paths: [...head.keys()] }) };
}
