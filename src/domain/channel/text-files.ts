/** Text files that come with a message: read as part of what its author says, within bounds. */
import { scrubSecrets } from '../secrets/scrub.ts';
import type { ChatFile } from './chat-thread.ts';

export const MOST_TEXT_FILES = 3;
export const MOST_TEXT_BYTES = 100 * 1024;
/** Of all files of a message: GitHub takes 65,536 characters for the request with its files. */
export const MOST_FILE_TEXT = 30_000;

/** A file's text, which is foreign, without what looks like a secret. */
export interface TextFile {
  name: string;
  text: string;
  /** Only its beginning is here. */
  isCut?: true;
}

/** For the author of the message. The name of a file is foreign text too, so none is repeated. */
export const NOT_TEXT =
  'I read only text files, such as `.txt`, `.md`, `.json` and `.log`. One of your files is of another type, so I did not read it.';
export const TOO_LARGE =
  'I read text files of up to 100 KB. One of your files is larger, so I did not read it.';
export const TOO_MANY = `I read up to ${MOST_TEXT_FILES} text files per message, and left out the others.`;
export const NOT_GIVEN = 'Slack did not give me one of your files, so I did not read it.';
export const NOT_SENT =
  'Slack did not send me one of your files, so I did not read it. Send it again if I need it.';

/** A recording beside words is not listened to. People who send one with words do not expect that. */
export function isAttached({ kind }: ChatFile): boolean {
  return kind !== 'audio';
}

const TEXT_NAME = /\.(?:txt|md|markdown|log|json|jsonl|ya?ml|toml|csv|tsv|xml|diff|patch)$/i;

/** Why a file is not even fetched. */
export function unreadableFile({ kind, name, bytes }: ChatFile): string | undefined {
  if (kind !== 'text' && !TEXT_NAME.test(name)) return NOT_TEXT;
  return bytes > MOST_TEXT_BYTES ? TOO_LARGE : undefined;
}

/** Undefined for what is not text, whatever the file says of itself. */
export function readFileText(bytes: Uint8Array, most: number): Omit<TextFile, 'name'> | undefined {
  if (bytes.includes(0)) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const clean = scrubSecrets(text);
  return clean.length > most
    ? { text: clean.slice(0, most).toWellFormed(), isCut: true }
    : { text: clean };
}
