/** What people did to the boxes of our comment: its text is ours, and only a box may differ from what is stored. */

export type TickReading =
  /** Nothing differs but boxes. Ids of insights, in the order of the comment. */
  | { kind: 'boxes'; ticked: string[]; unticked: string[] }
  /** Something else differs as well: no box of such a text counts. */
  | { kind: 'edited'; line: number };

/** A box of the comment, as `renderStandup` writes it. */
const BOX = /^- \[([ xX])\] (Make this a follow-up issue \(`([0-9a-f]{10})`\))$/;

/** Holds the body that GitHub has against the one that we wrote last. Line ends and blanks at the end do not count. */
export function readTicks(stored: string, read: string): TickReading {
  const [ours, theirs] = [linesOf(stored), linesOf(read)];
  const reading: TickReading = { kind: 'boxes', ticked: [], unticked: [] };
  const count = Math.max(ours.length, theirs.length);
  for (let at = 0; at < count; at += 1) {
    const [was, is] = [ours[at], theirs[at]];
    if (was === is) continue;
    const change = changeOf(was ?? '', is ?? '');
    if (change === undefined) return { kind: 'edited', line: at + 1 };
    if (change.isTicked !== undefined)
      (change.isTicked ? reading.ticked : reading.unticked).push(change.id);
  }
  return reading;
}

/** Of a line that differs: which box changed how; undefined where more than its box did. */
function changeOf(was: string, is: string): { id: string; isTicked?: boolean } | undefined {
  const [before, after] = [BOX.exec(was), BOX.exec(is)];
  if (before === null || after === null || before[2] !== after[2]) return undefined;
  const id = before[3] ?? '';
  const [wasTicked, isTicked] = [before[1] !== ' ', after[1] !== ' '];
  return wasTicked === isTicked ? { id } : { id, isTicked };
}

function linesOf(body: string): string[] {
  return body.replaceAll(/\r\n?/g, '\n').trimEnd().split('\n');
}
