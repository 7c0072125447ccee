/** Blocks of a memory file in which nothing is an entry: fences, and comments of several lines. */
import { FACTS_OPENING, isBullet } from './entry-line.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
const LONGEST_FENCE = 20;

/**
 * Where fences and comments of several lines end. One that nobody closes is no block: what is added at the end of such
 * a file must not be swallowed by it.
 */
export class BlockEnds {
  /** Last line that ends a block of each mark. */
  readonly #last = new Map<string, number>();

  constructor(lines: readonly string[]) {
    for (const [at, line] of lines.entries()) {
      const mark = FENCE_END.exec(line)?.[1] ?? '';
      for (let length = 3; length <= Math.min(mark.length, LONGEST_FENCE); length += 1)
        this.#last.set(mark.slice(0, length), at);
      if (endsComment(line)) this.#last.set('-->', at);
    }
  }

  /** If the line opens a block that is closed later: what closes it. */
  closing(line: string, at: number): ((line: string) => boolean) | undefined {
    const fence = FENCE.exec(line)?.[1]?.slice(0, LONGEST_FENCE);
    if (fence !== undefined) {
      const ends = (each: string): boolean => FENCE_END.exec(each)?.[1]?.startsWith(fence) === true;
      return (this.#last.get(fence) ?? -1) > at ? ends : undefined;
    }
    const opens = line.lastIndexOf('<!--');
    const isOpen = opens !== -1 && !line.includes('-->', opens) && !isBullet(line);
    return isOpen && (this.#last.get('-->') ?? -1) > at ? endsComment : undefined;
  }
}

/** An entry's own facts end no comment that people put around it. */
function endsComment(line: string): boolean {
  return line.includes('-->') && !line.includes(FACTS_OPENING);
}
