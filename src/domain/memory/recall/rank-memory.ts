/** Which entries of memory are closest to a matter: by the files that they cite and by the terms that they share. */

export interface Candidate {
  id: string;
  /** Significant terms of its text. */
  terms: readonly string[];
  /** Significant terms of its search words. */
  words: readonly string[];
  paths: readonly string[];
}

export interface Matter {
  paths: readonly string[];
  /** In how many entries of the repository each term of the matter is; those that are in none are left out. */
  frequencies: ReadonlyMap<string, number>;
  /** Entries of the repository. */
  total: number;
}

/** A search word was chosen to be found by; a word of the text may be there by chance. */
const WORD_WEIGHT = 1.5;
/**
 * What a cited file is worth, as a share of the rarest possible term: more than a common word, less than two rare ones. Chosen
 * by the bench's queries, where 0.65 to 1.1 are as good.
 */
const FILE_WEIGHT = 0.85;
const FOLDER_WEIGHT = FILE_WEIGHT / 2;
const AREA_WEIGHT = 0.05;
/** Terms that are searched for whatever they cost. */
const AT_LEAST = 3;

/** The rarest terms, rarest first: at least three, and more as long as no more than `budget` entries have to be read. */
export function rarestTerms(frequencies: ReadonlyMap<string, number>, budget: number): string[] {
  const rarest = [...frequencies].toSorted(
    ([a, ofA], [b, ofB]) => ofA - ofB || (a < b ? -1 : Number(a > b)),
  );
  let read = 0;
  const chosen: string[] = [];
  for (const [term, frequency] of rarest) {
    read += frequency;
    if (chosen.length >= AT_LEAST && read > budget) break;
    chosen.push(term);
  }
  return chosen;
}

/** Ids, best first; equal ones in the order of their ids. What has nothing in common with the matter is left out. */
export function rankMemory(candidates: readonly Candidate[], matter: Matter): string[] {
  const places = toPlaces(matter.paths);
  const scored = candidates.map((candidate) => ({
    id: candidate.id,
    score: scoreTerms(candidate, matter) + closeness(candidate.paths, places) * rarity(1, matter),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : Number(a.id > b.id)))
    .map(({ id }) => id);
}

function scoreTerms({ terms, words }: Candidate, matter: Matter): number {
  const sum = (list: readonly string[]): number =>
    list.reduce((all, term) => all + rarity(matter.frequencies.get(term), matter), 0);
  return sum(terms) + WORD_WEIGHT * sum(words);
}

/** What one entry in `frequency` of them is worth; nothing for a term that is in none. */
function rarity(frequency: number | undefined, { total }: Matter): number {
  return frequency === undefined || frequency < 1 ? 0 : Math.log(1 + total / frequency);
}

/** What each term of a search is worth, and what a file or folder at hand is. */
export function searchWeights(matter: Matter): {
  term: (term: string) => number;
  file: number;
  folder: number;
} {
  const rarest = rarity(1, matter);
  return {
    term: (term) => rarity(matter.frequencies.get(term), matter),
    file: FILE_WEIGHT * rarest,
    folder: FOLDER_WEIGHT * rarest,
  };
}

interface Places {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  areas: ReadonlySet<string>;
}

function toPlaces(paths: readonly string[]): Places {
  return {
    files: new Set(paths),
    folders: new Set(paths.map(folderOf).filter((folder) => folder !== '')),
    areas: new Set(paths.map(areaOf)),
  };
}

/** Of the closest file that it cites. */
function closeness(paths: readonly string[], { files, folders, areas }: Places): number {
  const each = paths.map((path) => {
    if (files.has(path)) return FILE_WEIGHT;
    if (folders.has(folderOf(path))) return FOLDER_WEIGHT;
    return areas.has(areaOf(path)) ? AREA_WEIGHT : 0;
  });
  return Math.max(0, ...each);
}

/** Empty for what is in no folder: the files at the root have nothing in common. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The same first folder and kind of file. */
function areaOf(path: string): string {
  const [first = ''] = path.split('/');
  return `${path.includes('/') ? first : ''} ${/\.[^./]*$/.exec(path)?.[0] ?? ''}`;
}
