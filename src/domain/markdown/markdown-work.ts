/**
 * Estimates how much work a text would cost the Markdown parser, before it runs.
 *
 * The parser keeps what it has read as a list of events. It walks all of it whenever a line ends a container or
 * underlines a heading: 60 kB of `- > a` took it half a minute. The estimate walks over the lines once and adds up what
 * each of them would cost. For repeated lines it was between one and four times the parser's work. It is more where a
 * container could end but does not.
 */

/** What makes a line part of a container: a quote's mark, an item's marker, a footnote's label. */
const MARKER = String.raw`(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,99}\]:)`;
const MARKERS = new RegExp(MARKER, 'g');
/** What precedes the text of a line. */
const PREFIX = new RegExp(`^(?:[ \\t]*${MARKER})+`);
const QUOTES = /^(?:[ \t]*>)+/;
const UNDERLINE = new RegExp(`^(?:[ \\t]*${MARKER})*[ \\t]*(?:=+|-+)[ \\t]*$`);

/** Events that a line leaves, and each marker in it. */
const EVENTS_OF_LINE = 8;
const EVENTS_OF_MARKER = 8;
/** For each line of a paragraph, a line that continues it without its markers looks back over so many events. */
const LAZY = 6;
/**
 * For each character of indentation before a marker: the parser looks for content that deep in each of its ancestors.
 */
const DEPTH = 7;
/** Looking for the end of code that begins with so many backticks, for each character. */
const CODE = 6;

/**
 * 64 kB written by people cost a sixth of this at most (changelogs and manuals of the packages on a developer's
 * machine). The parser does that much work in half a second.
 */
const MOST_WORK = 30_000_000;

interface Walk {
  work: number;
  /** Left by the lines so far. */
  events: number;
  /** Of the last line with markers, numbers made alike; undefined outside of containers. */
  prefix: string | undefined;
  /** Column from which text without markers continues that line's item. */
  content: number;
  /** Lines since then, or since the last blank one. */
  run: number;
  /** Of the line before. */
  indent: number;
  isBlank: boolean;
}

/** Whether a text is so hostile that it is not to be parsed. */
export function isTooMuchWork(source: string): boolean {
  return parsingWork(source) > MOST_WORK;
}

/** In steps of the parser, beyond those that it takes for each character. Linear in the length of the text. */
export function parsingWork(source: string): number {
  const walk: Walk = {
    work: 0,
    events: 0,
    prefix: undefined,
    content: 0,
    run: 0,
    indent: 0,
    isBlank: true,
  };
  for (const line of source.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') walk.run = 0;
    else consumeLine(walk, line);
    walk.isBlank = line.trim() === '';
    walk.events += EVENTS_OF_LINE;
  }
  const lengths = new Set(Array.from(source.matchAll(/`+/g), ([ticks]) => ticks.length));
  return walk.work + CODE * lengths.size * source.length;
}

function consumeLine(walk: Walk, line: string): void {
  const markers = PREFIX.exec(line)?.[0];
  const prefix = markers?.replaceAll(/\d+/g, '1');
  const indent = line.length - line.trimStart().length;
  if (UNDERLINE.test(line) && !walk.isBlank) walk.work += walk.events;
  if (prefix !== undefined) consumeMarkers(walk, prefix, indent);
  else if (walk.prefix !== undefined) consumeText(walk, walk.prefix, indent);
  if (markers !== undefined) walk.content = contentColumn(line, markers);
  walk.indent = indent;
}

/** After the markers and one to four spaces; after one where the rest is empty or code. */
function contentColumn(line: string, markers: string): number {
  const rest = line.slice(markers.length);
  const spaces = rest.length - rest.trimStart().length;
  return markers.length + (rest.trim() !== '' && spaces <= 4 ? spaces : 1);
}

function consumeMarkers(walk: Walk, prefix: string, indent: number): void {
  if (walk.prefix !== undefined && endsSome(walk, prefix, indent)) walk.work += walk.events;
  walk.work += DEPTH * indent * indent;
  walk.events += EVENTS_OF_MARKER * countMarkers(prefix);
  walk.prefix = prefix;
  walk.run = 0;
}

/** Not when an item follows its sibling, a line of a quote the one before, or something deeper what holds it. */
function endsSome(
  { prefix: before = '', isBlank, run }: Walk,
  now: string,
  indent: number,
): boolean {
  const quotes = QUOTES.exec(now)?.[0] ?? '';
  const inner = now.slice(quotes.length);
  if (quotes !== '' && (isBlank || run > 0)) return true;
  if (countMarkers(inner) > 1) return true;
  if (now === before) return false;
  return countMarkers(before) > 1 || indent <= before.length - before.trimStart().length;
}

/** Text without markers inside of a container, or after it. Indentation continues an item, but no quote. */
function consumeText(walk: Walk, prefix: string, indent: number): void {
  const isInside = indent >= walk.content && !prefix.includes('>');
  if (!isInside && (walk.run === 0 || indent < walk.indent)) walk.work += walk.events;
  walk.run += 1;
  walk.work += LAZY * walk.run;
  if (walk.isBlank && indent === 0) walk.prefix = undefined;
}

function countMarkers(prefix: string): number {
  return prefix.match(MARKERS)?.length ?? 0;
}
