/** How relevant a persona is to a text and a set of changed paths: its domain keywords, counted. */
import type { Persona } from './persona.ts';

export interface Topic {
  /** Title, body or diff; whatever the run is about. */
  text: string;
  /** Changed paths, or those that the text names. */
  paths: readonly string[];
}

/** A path says more about a change than a word in passing. */
const PATH_WEIGHT = 3;
/** One keyword repeated all over a diff must not outweigh several different ones. */
const MAX_PER_KEYWORD = 5;
/** Bounds the work on a huge diff; the start of it carries the headline. */
const MAX_TEXT = 400_000;
const MAX_PATHS = 3_000;

/** What a file's ending says in the words that personas use. */
const ENDINGS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript markup',
  js: 'javascript',
  jsx: 'javascript markup',
  py: 'python',
  go: 'go',
  rs: 'rust',
  sql: 'sql migration',
  html: 'html markup',
  css: 'css',
  md: 'docs',
  yml: 'yaml',
  yaml: 'yaml',
  png: 'image',
  jpg: 'image',
  svg: 'icon image',
};

/** 0 when nothing fits; comparable between personas of one topic only. */
export function scoreRelevance(persona: Pick<Persona, 'domains'>, topic: Topic): number {
  return scoreDomains(persona, topic).reduce((sum, { score }) => sum + score, 0);
}

/** The domain keywords that the topic has, in the persona's order, each with its share of the score. */
export function scoreDomains(
  persona: Pick<Persona, 'domains'>,
  topic: Topic,
): { domain: string; score: number }[] {
  const text = toWords(topic.text.slice(0, MAX_TEXT));
  const paths = topic.paths.slice(0, MAX_PATHS).map(pathWords).join(' ');
  return persona.domains.flatMap((domain) => {
    const keyword = toWords(domain);
    if (keyword.trim() === '') return [];
    const inText = Math.min(countOf(text, keyword), MAX_PER_KEYWORD);
    const inPaths = PATH_WEIGHT * Math.min(countOf(paths, keyword), MAX_PER_KEYWORD);
    return inText + inPaths === 0 ? [] : [{ domain, score: inText + inPaths }];
  });
}

function pathWords(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return `${toWords(path)}${Object.hasOwn(ENDINGS, ending) ? `${ENDINGS[ending]} ` : ''}`;
}

/** Lower-case words with single spaces around each; `camelCase` becomes two words. */
function toWords(text: string): string {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return ` ${spaced.replace(/[^a-z0-9]+/g, ' ').trim()} `;
}

function countOf(haystack: string, needle: string): number {
  let count = 0;
  let from = haystack.indexOf(needle);
  while (from !== -1 && count <= MAX_PER_KEYWORD) {
    count += 1;
    // Words share the space between them.
    from = haystack.indexOf(needle, from + needle.length - 1);
  }
  return count;
}
