/** The adapter of Slack fulfils the contract of channels. */
import { describeChannel } from '../../contract/channel.ts';
import { aSlackWorld } from './slack-world.ts';

describeChannel('Slack', aSlackWorld);
