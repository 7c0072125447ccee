/** Settings of channels and quiet hours: where an announcement goes, and when. */
import { planDelivery } from '../../src/domain/channel/announce/plan-delivery.ts';
import { routeAnnouncement } from '../../src/domain/channel/announce/route-announcement.ts';
import { isMappedTo } from '../../src/domain/channel/channel-map.ts';
import { findNamed } from '../../src/domain/channel/identities.ts';
import type { Config } from '../../src/domain/config/config.ts';
import { anAnnouncement } from '../domain/channel/some-announcement.ts';
import type { OwnCase } from './setting-cases.ts';

const ROUTED = anAnnouncement({ event: 'failed', reason: 'tests' });

function routeWith({ channels }: Config): unknown {
  // A channel has to be named before Slack gets anything, unless the case is about that.
  const slack = { channel: '#quorum', ...channels.slack };
  const config = { ...channels, slack };
  return routeAnnouncement(ROUTED, { config, available: ['slack', 'bluesky'], isPrivate: false });
}

/** What becomes of an announcement at 03:30 UTC: the nights are quiet from 23 to 7. */
function deliverWith({ quietHours }: Config): unknown {
  const now = Date.parse('2026-11-25T03:30:00Z');
  return planDelivery([{ key: 'a', at: now - 1000, announcement: ROUTED }], { now, quietHours });
}

export const CHANNEL_CASES: Readonly<Record<string, OwnCase>> = {
  'channels.slack.channel': {
    values: [undefined, '#quorum'],
    outcome: ({ channels: config }) =>
      routeAnnouncement(ROUTED, { config, available: ['slack'], isPrivate: false }),
  },
  'channels.slack.map': {
    values: [{}, { C000000001: 'acme/tidy' }],
    outcome: ({ channels }) => isMappedTo(channels, 'C000000001', 'acme/tidy'),
  },
  'access.identities': {
    values: [[], [{ github: 'ana', slack: 'U1' }]],
    outcome: ({ access }) => findNamed(access.identities, 'slack', 'T1/U1'),
  },
  'channels.slack.events': { values: [[], ['failed']], outcome: routeWith },
  'channels.bluesky.events': { values: [[], ['failed']], outcome: routeWith },
  'quietHours.enabled': { values: [true, false], outcome: deliverWith },
  'quietHours.from': { values: [23, 5], outcome: deliverWith },
  'quietHours.to': { values: [7, 3], outcome: deliverWith },
  'quietHours.timeZone': { values: ['UTC', 'Asia/Tokyo'], outcome: deliverWith },
};
