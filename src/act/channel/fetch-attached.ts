/** A file of a message, within bounds. Where one is not sent now, the message is looked at again while there is time. */
import type { ChatFile } from '../../domain/channel/chat-thread.ts';
import { NOT_GIVEN, NOT_SENT } from '../../domain/channel/text-files.ts';
import { QuorumError, TransientError } from '../../domain/event/errors.ts';
import type { Channel } from '../../ports/channel.ts';

export type FileSource = Pick<Channel, 'readFile'> | undefined;

/** A string says why it is not there. `patienceMs`: until then a TransientError is thrown. */
export async function fetchAttached(
  file: ChatFile,
  channel: FileSource,
  { maxBytes, patienceMs }: { maxBytes: number; patienceMs: number },
): Promise<Uint8Array | string> {
  try {
    return (await channel?.readFile?.(file, maxBytes)) ?? NOT_GIVEN;
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    if (!(error instanceof TransientError)) return NOT_GIVEN;
    if ((error.retryAfterMs ?? 0) < patienceMs) throw error;
    return NOT_SENT;
  }
}
