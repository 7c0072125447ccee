/** Texts of many files of a commit in one GraphQL query; in several where there are more than GitHub answers quickly. */
import { z } from 'zod';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext, KeptText } from '../bound.ts';
import { askRepository, THIS_REPOSITORY, type Told } from '../client/ask-graphql.ts';
import { Entry, FILE, toKeptText } from '../survey/files.ts';
import { MAX_FETCH_BYTES, type Tree } from './trees.ts';

/** In one query; GitHub gives it ten seconds. */
const FILES_AT_ONCE = 100;
const BYTES_AT_ONCE = 4_000_000;
/** What a file counts whose size nobody knows yet. */
const USUAL_BYTES = 20_000;

const Commit = z.object({ object: z.record(z.string(), z.unknown()) });

/** Undefined where GraphQL is not to be had or does not know the commit. */
export async function fetchTexts(
  bound: SessionContext,
  at: RepositoryRef & { sha: string },
  paths: readonly string[],
): Promise<Map<string, KeptText> | undefined> {
  const found = new Map<string, KeptText>();
  for (const batch of toBatches(paths, bound.trees.known(at))) {
    const texts = await readBatch(bound, at, batch);
    if (texts === undefined) return undefined;
    for (const [path, text] of texts) found.set(path, text);
  }
  return found;
}

async function readBatch(
  bound: SessionContext,
  at: RepositoryRef & { sha: string },
  paths: readonly string[],
): Promise<[string, KeptText][] | undefined> {
  const declared = paths.map((_, index) => `$p${index}: String!`).join(', ');
  const fields = paths.map((_, index) => `p${index}: file(path: $p${index}) { ...file }`);
  const text = `query Files($owner: String!, $repo: String!, $sha: GitObjectID!, ${declared}) {
  ${THIS_REPOSITORY} object(oid: $sha) { ... on Commit { ${fields.join('\n')} } } }
}
${FILE}`;
  const values = paths.map((path, index): [string, string] => [`p${index}`, path]);
  const variables = { sha: at.sha, ...Object.fromEntries(values) };
  const answer = await askRepository(bound, at, { text, variables });
  if (answer === undefined || !isComplete(answer)) return undefined;
  const told = Commit.safeParse(answer.fields['repository']);
  const entries = paths.map((_, index) =>
    Entry.nullish().safeParse(told.data?.object[`p${index}`]),
  );
  if (!told.success || entries.some(({ success }) => !success)) return undefined;
  return paths.map((path, index) => [path, toKeptText(entries[index]?.data)]);
}

/** GitHub tells a path without a file by an error beside the rest; any other error leaves a gap. */
function isComplete({ failed, messages }: Told): boolean {
  return failed.every(
    (path, at) =>
      /^repository\.object\.p\d+$/.test(path) &&
      messages[at]?.startsWith('Could not resolve file') === true,
  );
}

function toBatches(paths: readonly string[], tree: Tree | undefined): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths.filter((each) => isWorthIt(each, tree))) {
    const size = tree?.files.get(path)?.size ?? USUAL_BYTES;
    room -= size;
    const last = batches.at(-1);
    if (last !== undefined && last.length < FILES_AT_ONCE && room >= 0) {
      last.push(path);
      continue;
    }
    batches.push([path]);
    room = BYTES_AT_ONCE - size;
  }
  return batches;
}

/** Files that the tree shows to be too large, or missing, are not requested. */
function isWorthIt(path: string, tree: Tree | undefined): boolean {
  const size = tree?.files.get(path)?.size;
  return size === undefined ? tree?.isCut !== false : size <= MAX_FETCH_BYTES;
}
