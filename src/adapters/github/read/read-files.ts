/** Texts of files at a commit: many in one GraphQL query, or one by one by their own sha. Kept, as commits never change. */
import { toSourceFile } from '../../../domain/repository/source-file.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../../domain/run/view.ts';
import type { SessionContext, KeptText } from '../bound.ts';
import { unexpectedAnswer } from '../client/expected-answer.ts';
import { GET_BLOB, GET_CONTENTS } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';
import { fetchTexts } from './read-texts.ts';
import { MAX_FETCH_BYTES, type Tree } from './trees.ts';

const AT_ONCE = 6;
/** Without GraphQL each text is a call, and no budget is spent on more. */
const MAX_SINGLE = 150;

export interface FilesWanted {
  paths: string[];
  maxBytes: number;
}

/** In the order asked for; what is missing, binary or huge is left out, what is over `maxBytes` is cut at a line. */
export async function readFiles(
  bound: SessionContext,
  at: RepositoryRef & { sha: string },
  want: FilesWanted,
): Promise<SourceFile[]> {
  if (at.sha === '') return [];
  const key = (path: string): string => `${at.installationId}/${at.repositoryId}/${at.sha}:${path}`;
  const found = new Map<string, KeptText>();
  const missing: string[] = [];
  for (const path of new Set(want.paths)) {
    const kept = bound.texts.get(key(path));
    if (kept === undefined) missing.push(path);
    else found.set(path, kept);
  }
  const fresh =
    (isInOne(bound, at, missing) ? await fetchTexts(bound, at, missing) : undefined) ??
    (await readOneByOne(bound, at, missing.slice(0, MAX_SINGLE)));
  for (const [path, text] of fresh) {
    bound.texts.put(key(path), text, (text.bytes?.length ?? 0) + path.length);
    found.set(path, text);
  }
  return want.paths.flatMap((path) => {
    const { bytes, isCut } = found.get(path) ?? {};
    const file = bytes && toSourceFile(path, bytes, want.maxBytes);
    return file === undefined ? [] : [{ ...file, isCut: file.isCut || isCut === true }];
  });
}

/** One text by its own sha is a call as well, where the tree that names it is known: that answer is never counted again. */
function isInOne(
  { trees }: SessionContext,
  at: RepositoryRef & { sha: string },
  missing: readonly string[],
): boolean {
  return missing.length > 1 || (missing.length === 1 && trees.known(at) === undefined);
}

async function readOneByOne(
  bound: SessionContext,
  at: RepositoryRef & { sha: string },
  paths: readonly string[],
): Promise<Map<string, KeptText>> {
  const found = new Map<string, KeptText>();
  if (paths.length === 0) return found;
  const place = bound.places.last(at);
  const tree = await bound.trees.at(at, place, bound.calls);
  const left = [...paths];
  const work = async (): Promise<void> => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const bytes = await readBytes(bound, { place, tree, path, sha: at.sha });
      found.set(path, { bytes, isCut: false });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

interface OneFile {
  place: Place;
  tree: Tree;
  path: string;
  sha: string;
}

async function readBytes(bound: SessionContext, file: OneFile): Promise<Buffer | undefined> {
  const entry = file.tree.files.get(file.path);
  if (entry === undefined) return file.tree.isCut ? readContents(bound, file) : undefined;
  if (entry.size > MAX_FETCH_BYTES) return undefined;
  const params = { ...file.place, file_sha: entry.sha };
  const blob = await bound.calls.find(GET_BLOB, params, { isImmutable: true });
  return blob && assertWhole(file.path, decode(blob.data), entry.size);
}

/** For the few files that a cut tree does not show. */
async function readContents(bound: SessionContext, file: OneFile): Promise<Buffer | undefined> {
  const answer = await bound.calls.find(GET_CONTENTS, {
    ...file.place,
    path: file.path,
    ref: file.sha,
  });
  const data = answer?.data;
  if (data === undefined || data.size > MAX_FETCH_BYTES) return undefined;
  return assertWhole(file.path, decode(data), data.size);
}

function decode({ content, encoding }: { content: string; encoding: string }): Buffer {
  return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
}

/** A text that is shorter than GitHub says was cut on its way: rules and prompts would read a part for the whole. */
function assertWhole(path: string, bytes: Buffer, size: number): Buffer {
  if (bytes.length === size) return bytes;
  throw unexpectedAnswer(path, `it has ${bytes.length} bytes instead of ${size}`);
}
