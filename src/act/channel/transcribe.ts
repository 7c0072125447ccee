/** A recording that somebody sent in a channel, as text: within the caps of the PM's work. */
import {
  billedSeconds,
  knownSeconds,
  type RecordingLength,
} from '../../domain/channel/recording-length.ts';
import {
  MOST_RECORDED_BYTES,
  recordingName,
  recordingProblem,
} from '../../domain/channel/recording.ts';
import type { Config } from '../../domain/config/config.ts';
import { RefusedError, TransientError } from '../../domain/event/errors.ts';
import { pmCaps } from '../../domain/run/caps.ts';
import type { Recording, Transcriber } from '../../ports/model/transcriber.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import { payForCall } from '../model/pay-for-call.ts';
import type { Performed } from '../ports.ts';
import { readSettingsAt } from '../settings/read-settings.ts';

/** Of an hour. */
const TIMEOUT_MS = 5 * 60_000;
/** What is said after the recording waits for it, so it is given up long before the queue would. */
const PATIENCE_MS = 10 * 60_000;
/** In the ledger. */
const ROLE = 'transcription';

export async function transcribe(
  data: DataOf<'transcribe'>,
  context: EffectContext,
): Promise<Performed<'transcribe'>> {
  return hear(data, context).catch((error: unknown) => {
    throw error instanceof TransientError ? impatient(error) : error;
  });
}

function impatient(error: TransientError): TransientError {
  const { code, message, retryAfterMs } = error;
  const isLate = retryAfterMs !== undefined && retryAfterMs >= PATIENCE_MS;
  const maxRetryMs = isLate ? 0 : Math.min(error.maxRetryMs ?? PATIENCE_MS, PATIENCE_MS);
  return new TransientError({ code, message, retryAfterMs, maxRetryMs, cause: error });
}

async function hear(
  data: DataOf<'transcribe'>,
  context: EffectContext,
): Promise<Performed<'transcribe'>> {
  const { ports, readSettings } = context;
  const { repository, chat, file } = data;
  const session = ports.github.at(repository);
  const channel = await ports.channels?.open(chat.channel, repository);
  const name = recordingName(file);
  const { transcriber } = ports;
  if (transcriber === undefined || channel?.readFile === undefined || name === undefined)
    throw new RefusedError({
      code: 'channel-file-refused',
      message: 'Recordings are not turned into text here.',
    });
  const facts = await session.read.repository(repository);
  const { config } = await readSettingsAt(repository, facts, { session, readSettings });
  const bytes = await channel.readFile(file, MOST_RECORDED_BYTES);
  const measured = await transcriber.measureSeconds(bytes);
  const length = { bytes: bytes.length, claimed: file.seconds, measured };
  const problem = recordingProblem({ name, bytes: bytes.length, seconds: knownSeconds(length) });
  if (problem !== undefined)
    throw new RefusedError({ code: 'channel-recording-refused', message: problem });
  const text = await toText({ bytes, name }, { data, context, transcriber, config, length });
  return { effectKind: 'transcribe', result: { text }, githubCalls: session.counts };
}

interface Hearing {
  data: DataOf<'transcribe'>;
  context: EffectContext;
  transcriber: Transcriber;
  config: Config;
  length: RecordingLength;
}

async function toText(
  recording: Recording,
  { data: { repository, asker }, context, transcriber, config, length }: Hearing,
): Promise<string> {
  const { effect, ports } = context;
  const { installationId, repositoryId } = repository;
  const { key, run } = effect;
  const payment = {
    id: `${effect.id}/reserved`,
    account: { installationId, repositoryId, key, run, role: ROLE, persona: ROLE },
    caps: pmCaps(config, asker),
    model: transcriber.model,
    estimateUsd: transcriber.estimateUsd({ seconds: billedSeconds(length) }),
  };
  const ask = () => transcriber.transcribe(recording, { timeoutMs: TIMEOUT_MS });
  return (await payForCall(payment, ports, ask)).text;
}
