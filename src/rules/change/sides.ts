/** Texts on both sides of a change: those of its head were read, those of its base follow from them. */
import type { Diff } from '../../domain/diff/diff.ts';
import { undoChange } from '../../domain/diff/turn-text.ts';
import type { SourceFile } from '../../domain/run/view.ts';

export interface Sides {
  head: Map<string, string>;
  /** By path at the base: of changed files only. */
  base: Map<string, string>;
  /** Changed files whose text is not the one that the diff came to: only their changed lines are believed. */
  unfit: string[];
}

/** Pure; linear in the diff and the texts. */
export function readSides({ files }: Diff, texts: readonly SourceFile[]): Sides {
  const head = new Map(texts.map(({ path, text }) => [path, text]));
  const base = new Map<string, string>();
  const unfit: string[] = [];
  for (const file of files) {
    const isGone = file.status === 'deleted';
    const now = isGone ? '' : head.get(file.path);
    const before = now === undefined ? undefined : undoChange(file, now);
    if (before !== undefined && file.status !== 'added')
      base.set(file.oldPath ?? file.path, before);
    if (isGone || now === undefined || before !== undefined) continue;
    head.delete(file.path);
    unfit.push(file.path);
  }
  return { head, base, unfit };
}
