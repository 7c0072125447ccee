/** Words that stand in the same place somewhere in the sources, as the kinds of events: one may be swapped for another. */
import { lastName, type Node } from './syntax.ts';

/** By the name of the field or variable that holds them. */
export type Words = ReadonlyMap<string, readonly string[]>;

const WORD = /^[a-z][\w-]*$/i;

/** The field or variable that this literal is a value of, or is compared with. */
export function placeOf({ type, raw, start, parents }: Node): string | undefined {
  const parent = parents.at(-1);
  if (type !== 'StringLiteral' || parent === undefined || !WORD.test(String(raw['value'])))
    return undefined;
  if (parent.type === 'ObjectProperty') return lastName(parent.raw['key']);
  if (parent.type === 'SwitchCase') return lastName(parents.at(-2)?.raw['discriminant']);
  if (parent.type !== 'BinaryExpression') return undefined;
  const { left, right } = parent.raw as { left: { start: number }; right: unknown };
  return lastName(left.start === start ? right : left);
}

export function collectWords(files: Iterable<readonly Node[]>): Words {
  const words = new Map<string, Set<string>>();
  for (const nodes of files) {
    for (const node of nodes) {
      const place = placeOf(node);
      if (place === undefined) continue;
      const known = words.get(place) ?? new Set();
      words.set(place, known.add(String(node.raw['value'])));
    }
  }
  return new Map([...words].map(([place, known]) => [place, [...known].toSorted()]));
}

/** The next word of that place; undefined where it is the only one. */
export function otherWord(node: Node, words: Words): string | undefined {
  const known = words.get(placeOf(node) ?? '') ?? [];
  const other = known[(known.indexOf(String(node.raw['value'])) + 1) % known.length];
  return other === node.raw['value'] ? undefined : other;
}
