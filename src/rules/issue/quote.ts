/** Short quotes from an issue: the words a finding rests on. */

const MAX_QUOTE = 160;
/** Characters of one sentence that rules read: people write a tenth of it, and patterns cost its square at most. */
const MAX_SENTENCE = 1_000;

/** One line, cut at a word. */
export function toLine(text: string, max = MAX_QUOTE): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > max / 2 ? cut.slice(0, space) : cut}…`;
}

/** The contents of the fenced blocks. */
export function fencesOf(text: string): string[] {
  const blocks: string[] = [];
  let fence = '';
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const run = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      fence = run;
    } else if (run.startsWith(fence)) {
      blocks.push(lines.join('\n'));
      fence = '';
      lines = [];
    } else lines.push(line);
  }
  return fence === '' ? blocks : [...blocks, lines.join('\n')];
}

/** Sentences and list items of running text, in order. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) =>
      sentence
        .slice(0, MAX_SENTENCE)
        .replace(/^[\s>#*+-]+(?:\d{1,9}[.)]\s+)?/, '')
        .trim(),
    )
    .filter((sentence) => sentence !== '');
}

/** The sentence in which a pattern first matches. */
export function sentenceWith(text: string, pattern: RegExp): string | undefined {
  const found = sentencesOf(text).find((sentence) => pattern.test(sentence));
  return found === undefined ? undefined : toLine(found);
}
