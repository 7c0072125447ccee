/** The change that a task's own text carries, for a coder that only applies it. */
import type { Nodes } from 'mdast';
import { parseMarkdown } from '../markdown/markdown-tree.ts';

/** The text of the first fenced block in the language `diff` or `patch`; undefined without such a block. */
export function diffIn(description: string): string | undefined {
  const find = (node: Nodes): string | undefined => {
    if (node.type === 'code' && (node.lang === 'diff' || node.lang === 'patch'))
      return node.value.endsWith('\n') ? node.value : `${node.value}\n`;
    if (!('children' in node)) return undefined;
    for (const child of node.children) {
      const found = find(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const root = parseMarkdown(description);
  return root === undefined ? undefined : find(root);
}
