/** Texts of files as GraphQL gives them. */
import { z } from 'zod';
import { toSourceFile } from '../../../domain/repository/source-file.ts';
import type { FoundFile } from '../../../ports/github/github-survey.ts';
import type { KeptText } from '../bound.ts';

/** To be spread on an entry of a tree. */
export const FILE =
  'fragment file on TreeEntry { path mode object { ... on Blob { byteSize isTruncated text } } }';

const Blob = z.object({
  byteSize: z.number(),
  isTruncated: z.boolean(),
  text: z.string().nullable(),
});
export const Entry = z.object({
  path: z.string().nullish(),
  mode: z.number(),
  /** `{}` for a folder. */
  object: z.union([Blob, z.object({}).transform(() => undefined)]).nullish(),
});

/** Git's modes of plain files; links are not among them. */
const PLAIN: ReadonlySet<number> = new Set([0o100644, 0o100755]);

/** No bytes for what is no plain file or no text. */
export function toKeptText(entry: z.infer<typeof Entry> | null | undefined): KeptText {
  const blob = isPlain(entry) ? entry.object : undefined;
  const text = blob?.text ?? undefined;
  return {
    bytes: text === undefined ? undefined : Buffer.from(text),
    isCut: blob?.isTruncated === true,
  };
}

/** Undefined for anything but a plain file. A cut by GitHub counts as a cut by Quorum. */
export function toFound(
  entry: z.infer<typeof Entry> | null | undefined,
  maxBytes: number,
): FoundFile | undefined {
  if (!isPlain(entry) || !entry.path) return undefined;
  const { path } = entry;
  const { bytes, isCut } = toKeptText(entry);
  const file = bytes && toSourceFile(path, bytes, maxBytes);
  return { path, file: file && { ...file, isCut: file.isCut || isCut } };
}

function isPlain(
  entry: z.infer<typeof Entry> | null | undefined,
): entry is z.infer<typeof Entry> & { object: z.infer<typeof Blob> } {
  return entry?.object !== undefined && entry.object !== null && PLAIN.has(entry.mode);
}
