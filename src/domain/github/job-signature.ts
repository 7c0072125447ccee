/**
 * Signs what one job of a workflow writes where the repository has no key. The job makes a key, announces its public part,
 * and forgets the rest. Only what the job itself wrote can carry its signature, so a later attempt knows it again.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** How a job without the repository's key marks its texts, and which texts it believes. */
export interface JobSignatures {
  /** @param scope - the thread or list that it is for, so that a copy in another one is not believed */
  sign: (text: string, scope: string) => string;
  isSigned: (text: string, scope: string) => boolean;
}

/** The key of one job. */
export interface JobKey {
  /** Base64url, 43 characters. */
  publicKey: string;
  sign: JobSignatures['sign'];
}

/** Of an Ed25519 key; the 32 bytes of the key itself follow. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const LINE = /^<!-- quorum:job ([A-Za-z0-9_-]{86}) -->$/;

/** @param seed - what nobody can guess */
export function createJobKey(seed: string): JobKey {
  const bytes = createHash('sha256').update(`quorum:job\n${seed}`).digest();
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, bytes]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(PUBLIC_PREFIX.length)
    .toString('base64url');
  return {
    publicKey,
    sign: (text, scope) => {
      const signature = sign(undefined, message(text, scope), key).toString('base64url');
      return withLine(text, `<!-- quorum:job ${signature} -->`);
    },
  };
}

/** Whether a text is as one of the jobs with these keys wrote it, for this scope. */
export function isSignedByJob(text: string, scope: string, publicKeys: readonly string[]): boolean {
  const { signature, bare } = splitJobSignature(text);
  if (signature === undefined) return false;
  const signed = message(bare, scope);
  return publicKeys.some((key) => isSignedBy(key, signed, signature));
}

/** A text without the signature above its marker. GitHub may have changed line ends and space at the end. */
export function splitJobSignature(text: string): { bare: string; signature?: string } {
  const normal = normalise(text);
  const lines = normal.split('\n');
  const signature = LINE.exec(lines.at(-2) ?? '')?.[1];
  if (signature === undefined) return { bare: normal };
  return { bare: [...lines.slice(0, -2), ...lines.slice(-1)].join('\n'), signature };
}

function withLine(text: string, line: string): string {
  const lines = text.split('\n');
  return [...lines.slice(0, -1), line, ...lines.slice(-1)].join('\n');
}

function message(text: string, scope: string): Buffer {
  return Buffer.from(`quorum:job\n${scope}\n${normalise(text)}`);
}

function normalise(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

function isSignedBy(publicKey: string, signed: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, 'base64url')]),
      format: 'der',
      type: 'spki',
    });
    return verify(undefined, signed, key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
