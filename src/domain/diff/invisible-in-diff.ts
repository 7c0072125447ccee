/** What a reader of a diff does not see: taken out of what a model reads, and counted file by file. */
import { countHidden, countTold, stripForModel } from '../text/invisible.ts';
import type { DiffFile, DiffLine } from './diff.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/** Editors and compilers take it as the end of a page. */
const FORM_FEED = '\f';

interface PlainFile {
  file: DiffFile;
  /** Characters that were removed and that nothing excuses. */
  hidden: number;
  /** Those that messages report. */
  told: number;
}

/**
 * Without invisible characters: a file of a diff, its lines, its paths and what git says of its functions.
 *
 * Also not counted are a byte order mark at the beginning of a file and a form feed at the beginning of a line. Those
 * come on top of what `stripForModel` excuses. Paths lose theirs before git's quoting would spell them out byte by
 * byte.
 */
export function withoutInvisible(file: DiffFile): PlainFile {
  let hidden = 0;
  let told = 0;
  const plain = (text: string): string => {
    const { text: stripped, counts } = stripForModel(text);
    hidden += countHidden(counts);
    told += countTold(counts);
    return stripped;
  };
  const path = plain(file.path);
  const oldPath =
    file.oldPath === undefined || file.oldPath === file.path ? path : plain(file.oldPath);
  const hunks = file.hunks.map((hunk) => ({
    ...hunk,
    section: plain(hunk.section),
    lines: hunk.lines.map((line) => ({ ...line, text: plain(withoutConventions(line)) })),
  }));
  const moved = file.oldPath === undefined ? {} : { oldPath };
  return { file: { ...file, path, ...moved, hunks }, hidden, told };
}

function withoutConventions(line: DiffLine): string {
  const number = line.kind === 'removed' ? line.oldLine : line.newLine;
  const isFirst = number === 1 && line.text.startsWith(BYTE_ORDER_MARK);
  return isFirst || line.text.startsWith(FORM_FEED) ? line.text.slice(1) : line.text;
}
