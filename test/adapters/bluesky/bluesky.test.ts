/** The adapter of Bluesky fulfils the contract of channels. */
import { describeChannel } from '../../contract/channel.ts';
import { aBlueskyWorld } from './bluesky-world.ts';

describeChannel('Bluesky', aBlueskyWorld);
