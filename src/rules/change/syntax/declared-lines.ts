/** Lines that only declare what something looks like: nothing runs there that a test could prove. */
import type { ChangedFile } from '../read-change.ts';

/** Of a script's statements where the tree is known; of blocks of types and contracts in Go and Python. */
export function declaredLines(file: ChangedFile): ReadonlySet<number> {
  const { language } = file;
  if (language === 'script') return scriptLines(file);
  const block = BLOCKS[language];
  return block === undefined ? new Set() : blockLines(file, block);
}

function scriptLines(file: ChangedFile): Set<number> {
  const lines = new Set<number>();
  for (const { line, endLine } of file.script()?.declarations ?? [])
    for (let at = line; at <= endLine; at += 1) lines.add(at);
  return lines;
}

interface Block {
  begins: RegExp;
  /** The line that ends it; where the language has no closing bracket, that line is not part of it. */
  ends: RegExp;
}

const BLOCKS: Readonly<Partial<Record<ChangedFile['language'], Block>>> = {
  go: {
    begins: /^(?:type\s+\w+(?:\[[^\]]*\])?\s+(?:interface|struct)|const|import|var)\s*[({]\s*$/,
    ends: /^[)}]/,
  },
  python: {
    begins:
      /^class\s+\w+\((?:.*[\s.,(])?(?:Protocol|TypedDict|NamedTuple|\w*Enum|\w*Exception|\w*Error)\b/,
    ends: /^\S/,
  },
};

function blockLines({ lines }: ChangedFile, { begins, ends }: Block): Set<number> {
  const found = new Set<number>();
  let isInside = false;
  for (const [number, { code }] of lines) {
    if (isInside && ends.test(code)) isInside = false;
    if (begins.test(code)) isInside = true;
    if (isInside) found.add(number);
  }
  return found;
}
