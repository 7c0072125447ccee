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

/** Ids of the channels that are for the repository. */
export function placesOf(config: z.infer<typeof ChannelsConfig>, fullName: string): string[] {
  return Object.keys(config.slack.map).filter((place) => isMappedTo(config, place, fullName));
}
