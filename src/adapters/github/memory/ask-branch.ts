/** A branch's head and files of it in one GraphQL query, which resolves the branch once. */
import { z } from 'zod';
import type { MemoryPlace } from '../../../ports/github/memory-branch.ts';
import type { SessionContext } from '../bound.ts';
import { askRepository, THIS_REPOSITORY, type Told } from '../client/ask-graphql.ts';
import {
  CHECKS_DECLARED,
  CHECKS_FIELD,
  checksVariables,
  isOfChecks,
  toChecks,
} from './ask-checks.ts';
import type { BranchEntry, BranchListing, BranchWanted } from './branch-listing.ts';

const MODES: ReadonlySet<number> = new Set([0o100644, 0o100755]);

const Blob = z.object({
  byteSize: z.number(),
  isTruncated: z.boolean(),
  isBinary: z.boolean().nullish(),
  text: z.string().nullish(),
});
type Blob = z.infer<typeof Blob>;

interface Item {
  name: string;
  mode: number;
  oid: string;
  /** A blob, or a folder with its entries, without them where it is too deep. */
  object?: { entries?: Item[] | undefined } | null | undefined;
}

const Item: z.ZodType<Item> = z.object({
  name: z.string(),
  mode: z.number(),
  oid: z.string(),
  object: z.looseObject({ entries: z.lazy(() => z.array(Item)).optional() }).nullish(),
});

const Commit = z.looseObject({ oid: z.string(), tree: z.object({ oid: z.string() }) });
const Answer = z.object({ ref: z.object({ target: Commit }).nullable() });

/** Folders within each other that one query shows; `personas/.archived/<handle>/core.md` needs three. */
const DEPTH = 3;

function fieldsOf(depth: number): string {
  const entries = depth === 0 ? '' : `... on Tree { entries { ${fieldsOf(depth - 1)} } }`;
  return `name mode oid object { ... on Blob { byteSize isTruncated isBinary text } ${entries} }`;
}

const ENTRY = `fragment entry on TreeEntry { ${fieldsOf(DEPTH)} }`;

/** Undefined where GraphQL is not to be had, does not answer whole, or has folders that are deeper than it shows. */
export async function askBranch(
  bound: SessionContext,
  { repository, branch }: MemoryPlace,
  { paths, checksOn }: BranchWanted,
): Promise<BranchListing | 'no-branch' | undefined> {
  const declared = paths.map((_, index) => `, $p${index}: String!`).join('');
  const fields = paths.map((_, index) => `p${index}: file(path: $p${index}) { ...entry }`);
  const text = `query Memory($owner: String!, $repo: String!, $ref: String!${declared}${
    checksOn === undefined ? '' : CHECKS_DECLARED
  }) {
  ${THIS_REPOSITORY} ref(qualifiedName: $ref) { target { ... on Commit {
    oid tree { oid } ${fields.join('\n')}
  } } } ${checksOn === undefined ? '' : CHECKS_FIELD} }
}
${paths.length === 0 ? '' : ENTRY}`;
  const values = paths.map((path, index) => [`p${index}`, path.replace(/\/$/, '')]);
  const variables = {
    ref: `refs/heads/${branch}`,
    ...Object.fromEntries(values),
    ...(checksOn !== undefined && checksVariables(checksOn)),
  };
  const answer = await askRepository(bound, repository, { text, variables });
  if (answer === undefined || !isComplete(answer)) return undefined;
  const told = Answer.safeParse(answer.fields['repository']);
  if (!told.success) return undefined;
  if (told.data.ref === null) return 'no-branch';
  const { target } = told.data.ref;
  const found = paths.map((path, index) => toEntries(path, target[`p${index}`]));
  if (found.some((entries) => entries === undefined)) return undefined;
  const entries = found.flatMap((each) => each ?? []);
  const listing = { head: target.oid, treeSha: target.tree.oid, entries };
  return checksOn === undefined ? listing : { ...listing, checks: toChecks(answer) };
}

/** GitHub tells a path without a file by an error beside the rest; any other error below the branch leaves a gap. */
function isComplete({ failed, messages }: Told): boolean {
  return failed.every(
    (path, at) =>
      isOfChecks(path) ||
      (/^repository\.ref\.target\.p\d+$/.test(path) &&
        messages[at]?.startsWith('Could not resolve file') === true),
  );
}

/** Undefined for an answer of another form, and for one that does not show all. */
function toEntries(path: string, value: unknown): BranchEntry[] | undefined {
  const item = Item.nullish().safeParse(value);
  if (!item.success) return undefined;
  if (!item.data) return [];
  const name = path.replace(/\/$/, '');
  // A folder in a file's place, or a file in a folder's.
  if (path.endsWith('/') !== isFolder(item.data)) return [toEntry(name, item.data, false)];
  return flatten(name, item.data);
}

function isFolder({ mode }: Item): boolean {
  return mode === 0o040000;
}

function flatten(path: string, item: Item): BranchEntry[] | undefined {
  if (!isFolder(item)) return [toEntry(path, item, MODES.has(item.mode))];
  const below = item.object?.entries?.map((each) => flatten(`${path}/${each.name}`, each));
  if (below === undefined) return undefined;
  return below.some((each) => each === undefined) ? undefined : below.flatMap((each) => each ?? []);
}

function toEntry(path: string, { oid, object }: Item, isFile: boolean): BranchEntry {
  const blob = Blob.safeParse(object).data;
  return {
    path,
    isFile: isFile && blob !== undefined,
    sha: oid,
    size: blob?.byteSize ?? 0,
    isBinary: blob?.isBinary === true,
    text: blob && wholeText(blob),
  };
}

/** Undefined for a text that GitHub cut, or that it did not take from UTF-8 byte by byte. */
function wholeText({ text, isTruncated, isBinary, byteSize }: Blob): string | undefined {
  const isWhole = typeof text === 'string' && !isTruncated && isBinary !== true;
  return isWhole && Buffer.byteLength(text) === byteSize ? text : undefined;
}
