/** In which channels people may ask for work in a repository. */
import type * as z from 'zod';
import type { ChannelsConfig } from '../config/config-limits.ts';

/** A repository can only ask for itself, whatever its file says of others. `place`: id of the channel. */
export function isMappedTo(
  { slack }: z.infer<typeof ChannelsConfig>,
  place: string,
  fullName: string,
): boolean {
  return slack.map[place]?.toLowerCase() === fullName.toLowerCase();
}
