/** A change as voices are shown it, in the form in which quotes are looked for. */
import type { Diff } from '../../../../domain/diff/diff.ts';
import { withoutInvisible } from '../../../../domain/diff/invisible-in-diff.ts';
import { renderDiffFile } from '../../../../domain/diff/render-diff.ts';
import type { Reading } from '../../../../domain/review/reading.ts';
import { squeeze } from '../../../../domain/review/refutation.ts';
import { redactSecrets } from '../../../../domain/secrets/secret-text.ts';
import { cutFile, joinPieces } from './pieces-of-file.ts';

/** Hunk by hunk, so that no quote spans two of them; with the marks of a diff and without. */
export interface ShownTexts {
  /** The code as it is at the head. */
  head: string[];
  /** The code before the change: removed lines appear only here. */
  base: string[];
}

/** Of a change that is read in parts, only the parts that a voice answered on. */
export function shownTexts({ files }: Diff, reading: Reading | undefined): ShownTexts {
  const hunks = files.flatMap((file) => {
    if (reading === undefined)
      return hunksOf(redactSecrets(renderDiffFile(withoutInvisible(file).file)));
    const shown = reading.parts
      .filter((_, at) => reading.heard.includes(at))
      .flat()
      .filter(({ path }) => path === file.path)
      .flatMap(({ pieces }) => pieces);
    return shown.length === 0 ? [] : hunksOf(joinPieces(cutFile(file, reading.size), shown));
  });
  return {
    head: hunks.flatMap((rows) => textsOf(rows, '-')),
    base: hunks.flatMap((rows) => textsOf(rows, '+')),
  };
}

function hunksOf(text: string): string[][] {
  const rows = text.split('\n');
  const starts = rows.flatMap((row, at) => (row.startsWith('@@ ') ? [at] : []));
  return starts.map((from, index) =>
    rows.slice(from + 1, starts[index + 1]).filter((row) => !row.startsWith('\\')),
  );
}

function textsOf(hunk: readonly string[], other: '-' | '+'): string[] {
  const rows = hunk.filter((row) => !row.startsWith(other));
  return [rows, rows.map((row) => row.slice(1))].map((each) => squeeze(each.join('\n')));
}
