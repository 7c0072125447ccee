/** Patches as tables: line numbers of both sides, the line, and whatever is shown below it. */
import { markup, type Markup } from './html.ts';

export interface DiffRow {
  kind: 'hunk' | 'add' | 'del' | 'same';
  old: number | undefined;
  new: number | undefined;
  /** With the sign that marks it, as in the patch. */
  text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Numbers the lines of a patch from its hunks' headers. */
export function readRows(patch: string): DiffRow[] {
  let [old, now] = [0, 0];
  return patch.split('\n').map((text): DiffRow => {
    const [, oldStart, newStart] = HUNK.exec(text) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      [old, now] = [Number(oldStart), Number(newStart)];
      return { kind: 'hunk', old: undefined, new: undefined, text };
    }
    if (text.startsWith('+')) return { kind: 'add', old: undefined, new: now++, text };
    if (text.startsWith('-')) return { kind: 'del', old: old++, new: undefined, text };
    // "\ No newline at end of file" is no line.
    if (text.startsWith('\\')) return { kind: 'same', old: undefined, new: undefined, text };
    return { kind: 'same', old: old++, new: now++, text };
  });
}

/** `below` returns what is shown under a row, if anything. */
export function renderRows(
  rows: readonly DiffRow[],
  below: (row: DiffRow) => Markup | undefined = () => undefined,
): Markup {
  const body = rows.map((row) => {
    const under = below(row);
    return markup`<tr class="${row.kind}">
        <td class="n">${row.old}</td>
        <td class="n">${row.new}</td>
        <td class="code">${row.text}</td>
      </tr>
      ${under && markup`<tr><td colspan="3" class="under">${under}</td></tr>`}`;
  });
  return markup`<table class="diff"><tbody>${body}</tbody></table>`;
}

/** A change of a few lines without numbers, as a suggestion shows it. */
export function renderReplacement(from: readonly string[], to: readonly string[]): Markup {
  const gone = from.map((text) => renderLine('del', `-${text}`));
  const come = to.map((text) => renderLine('add', `+${text}`));
  return markup`<table class="diff"><tbody>${gone}${come}</tbody></table>`;
}

function renderLine(kind: DiffRow['kind'], text: string): Markup {
  return markup`<tr class="${kind}"><td class="code">${text}</td></tr>`;
}
