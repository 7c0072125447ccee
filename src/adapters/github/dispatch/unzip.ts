/** Reads an archive that somebody else made: exactly these files, none larger than allowed, whatever it says of itself. */
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { RefusedError } from '../../../domain/event/errors.ts';

/** @throws RefusedError `intents-invalid` */
export async function unzip(
  archive: Buffer,
  most: ReadonlyMap<string, number>,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  try {
    const zip = await fromBufferPromise(archive, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize: bytes } = entry;
      const limit = most.get(fileName);
      if (limit === undefined || files.has(fileName))
        throw refused(`it holds other files than ${[...most.keys()].join(', ')}`);
      if (!isRegular(entry)) throw refused(`${fileName} is no regular file`);
      if (bytes > limit) throw refused(`${fileName} has ${bytes} bytes`);
      files.set(fileName, await readEntry(zip, entry));
    }
  } catch (error) {
    throw error instanceof RefusedError ? error : refused('it is no whole archive', error);
  }
  const missing = [...most.keys()].find((name) => !files.has(name));
  if (missing !== undefined) throw refused(`it has no ${missing}`);
  return files;
}

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

/** Archives made without a file system name no type. */
function isRegular({ externalFileAttributes: attributes }: Entry): boolean {
  const type = (attributes >>> 16) & FILE_TYPE;
  return type === 0 || type === REGULAR;
}

/** The stream fails where more comes out than the entry says. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of await zip.openReadStreamPromise(entry))
    if (piece instanceof Buffer) pieces.push(piece);
  return Buffer.concat(pieces);
}

function refused(why: string, cause?: unknown): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `The artifact of the workflow is refused: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}
