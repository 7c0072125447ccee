/** Splits text and names into comparable words. */

/** Words that say nothing about what an issue is about, in issues above all. */
const STOP = new Set(
  (
    'a an the this that these those it its is are was were be been being am do does did done doing have has had having ' +
    'i you he she we they me us them my your our their and or but if then else when while where which who whom what why how ' +
    'to of in on at by for from with without into onto over under about as than so not no nor only own same too very can could ' +
    'will would shall should may might must just also there here all any both each few more most other some such out up down off ' +
    'again once please thanks thank hi hello hey issue issues bug bugs feature request problem problems fix fixes fixed add adds ' +
    'added support like want need needs get gets got use uses used using make makes made work works working version expected actual ' +
    'behavior behaviour steps reproduce repro something thing things way currently instead because after before still even seem seems ' +
    'one two via etc eg ie nice great able allow allows see new'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}_$]+/gu;
const MAX_WORD = 60;

/** `parseConfigFile`, `parse_config` and `parse-config` all become parse, config, …. */
export function splitName(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9\u00c0-\uffff]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

/** Takes common English endings off, so that `parsing`, `parsed`, `parses` and `parse` meet. */
export function toStem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  const bare = word
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:sses)$/, 'ss')
    .replace(/([^s])s$/, '$1');
  const verb = bare.length > 5 ? bare.replace(/(?:ing|ed)$/, '') : bare;
  const root = verb.length > 5 ? verb.replace(/er$/, '') : verb;
  const single = root.replace(/([bdfglmnprt])\1$/, '$1');
  return single.length > 4 ? single.replace(/e$/, '') : single;
}

/** Stems of the telling words of a text, in order, repeats included. */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (word.length > MAX_WORD) continue;
    for (const part of splitName(word)) {
      if (part.length < 2 || STOP.has(part) || /^\d+$/.test(part)) continue;
      tokens.push(toStem(part));
    }
  }
  return tokens;
}

/** Each stem of a text with the word it was first written as, for showing to people. */
export function wordsByStem(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const match of text.matchAll(WORD))
    for (const part of match[0].length > MAX_WORD ? [] : splitName(match[0]))
      if (!words.has(toStem(part))) words.set(toStem(part), part);
  return words;
}

/** How alike two sets of words are, from 0 to 1 (Dice). */
export function diceOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return (2 * shared) / (a.size + b.size);
}
