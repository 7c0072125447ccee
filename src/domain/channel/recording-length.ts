/** How long a recording is. What a message says of it is its sender's word, so the audio itself is measured too. */

/** Recordings of speech take at least 16 kbit/s, and usual ones no more than 128. */
const FEWEST_BYTES_A_SECOND = 2_000;
const USUAL_BYTES_A_SECOND = 16_000;
/** Samples of 16 bits in stereo take 192,000. A header that tells of more is damaged or forged. */
const MOST_BYTES_A_SECOND = 200_000;

/** Both in seconds; undefined where nobody says it. */
export interface RecordingLength {
  bytes: number;
  claimed: number | undefined;
  measured: number | undefined;
}

/** The longer of what is claimed and what was measured; 0 where neither is known. */
export function knownSeconds({ bytes, claimed = 0, measured }: RecordingLength): number {
  return Math.max(claimed, plausibleSeconds(measured, bytes) ?? 0);
}

/** For a price: the same, where a length that was not measured is no shorter than its size tells. */
export function billedSeconds({ bytes, claimed = 0, measured }: RecordingLength): number {
  const rate = claimed > 0 ? USUAL_BYTES_A_SECOND : FEWEST_BYTES_A_SECOND;
  return Math.max(claimed, plausibleSeconds(measured, bytes) ?? bytes / rate);
}

function plausibleSeconds(measured: number | undefined, bytes: number): number | undefined {
  if (measured === undefined || !Number.isFinite(measured) || measured <= 0) return undefined;
  return bytes / measured <= MOST_BYTES_A_SECOND ? measured : undefined;
}
