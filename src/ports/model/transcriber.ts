/** Turns a recording into text. The recording leaves this host. */
import type { ModelCall } from '../../domain/run/ledger.ts';

export interface Recording {
  bytes: Uint8Array;
  /** With the ending of its format, such as `recording.m4a`. */
  name: string;
}

export interface Transcriber {
  /** The provider's name of the model. */
  readonly model: string;
  /** The length of a recording by its own audio; undefined where it does not tell. Sends nothing and never throws. */
  measureSeconds(audio: Uint8Array): Promise<number | undefined>;
  /** The most that it is likely to cost, in dollars; undefined when the price is unknown. */
  estimateUsd(recording: { seconds: number }): number | undefined;
  /**
   * One request, which is not repeated. The text is what a stranger said. Errors carry the call that they cost, see
   * `callsOf`, and are those of `model.ts`.
   */
  transcribe(
    recording: Recording,
    options: { timeoutMs: number },
  ): Promise<{ text: string; call: ModelCall }>;
}
