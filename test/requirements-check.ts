/** What a requirement claims, what tests cite, and where the two differ. */

export type Requirement =
  | {
      id: string;
      title: string;
      state: 'proven';
      /** What has to be shown, by name. Without names, any citation of the id is enough. */
      expects?: readonly string[];
      /** What belongs to the row and no test shows, with the reason. */
      unproven?: string;
    }
  | { id: string; title?: string; state: 'not-yet'; reason: string };

/** A test cites an id, `'INJ-04'`, or one of the names that its row expects, `'INJ-04: branch'`. */
export interface Citation {
  id: string;
  name?: string;
}

const CALL = /(?<!function )\bverifies\(\s*(\[[^\]]*\]|'[^']+'|"[^"]+")?/g;

/** The citations in a test's source; what is no literal cites `?`, which no list has. */
export function readCitations(source: string): Citation[] {
  return [...source.matchAll(CALL)].flatMap(([, cited = "'?'"]) =>
    [...cited.matchAll(/['"]([^'"]+)['"]/g)].map(([, text = '']) => {
      const [id = '', name] = text.split(': ');
      return name === undefined ? { id } : { id, name };
    }),
  );
}

/** Where requirements and tests differ, a sentence each. */
export function findGaps(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
): string[] {
  return [
    ...requirements.flatMap((each) => missingProof(each, citations)),
    ...citations.flatMap((each) => missingRow(each, requirements)),
  ];
}

function missingProof(requirement: Requirement, citations: readonly Citation[]): string[] {
  if (requirement.state === 'not-yet') return [];
  const { id, expects } = requirement;
  const cited = citations.filter((each) => each.id === id);
  if (expects === undefined) return cited.length > 0 ? [] : [`No test proves ${id}.`];
  if (expects.length === 0) return [`${id} expects nothing.`];
  const names = new Set(cited.map(({ name }) => name));
  return expects
    .filter((name) => !names.has(name))
    .map((name) => `No test proves '${id}: ${name}'.`);
}

function missingRow({ id, name }: Citation, requirements: readonly Requirement[]): string[] {
  const row = requirements.find((each) => each.id === id);
  if (row === undefined) return [`A test cites ${id}, which is not in the list.`];
  if (row.state === 'not-yet') return [`A test cites ${id}, which is not called proven.`];
  if (name === undefined || row.expects?.includes(name) === true) return [];
  return [`A test cites '${id}: ${name}', which its row does not expect.`];
}
