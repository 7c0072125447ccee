/** The adapter against the emulated Bluesky. */
import type { Channel } from '../../../src/ports/channel.ts';
import { createBluesky } from '../../../src/adapters/bluesky/create-bluesky.ts';
import type { BlueskyParts } from '../../../src/adapters/bluesky/bluesky-session.ts';
import { recordKey } from '../../../src/adapters/bluesky/record-key.ts';
import {
  startBluesky,
  type BlueskyEmulator,
} from '../../../src/emulator/chat/bluesky/start-bluesky.ts';
import { parentOf, rootOf } from '../../../src/emulator/chat/bluesky/bluesky-views.ts';
import {
  writeRecord,
  type BlueskyRecord,
} from '../../../src/emulator/chat/bluesky/bluesky-world.ts';
import { asObject } from '../../../src/emulator/chat/bluesky/bluesky-records.ts';
import { graphemesOf } from '../../../src/domain/channel/text/graphemes.ts';
import { createInstantClock } from '../../helpers/an-instant-clock.ts';
import type { ChannelWorld } from '../../contract/channel.ts';

export interface BlueskyTestWorld extends ChannelWorld {
  emulator: BlueskyEmulator;
  parts: BlueskyParts;
  open(): Channel;
  posts(): BlueskyRecord[];
}

const PASSWORD = ['app', 'password'].join('-');
export const TEAM = { did: 'did:plc:team', handle: 'team.test', password: PASSWORD };
const BOB = { did: 'did:plc:bob', handle: 'bob.test', password: PASSWORD };

export async function aBlueskyWorld(): Promise<BlueskyTestWorld> {
  const clock = createInstantClock();
  const emulator = await startBluesky({ clock, accounts: [TEAM, BOB] });
  const { world } = emulator;
  const parts: BlueskyParts = {
    settings: { service: emulator.url, identifier: TEAM.handle, password: PASSWORD },
    clock,
  };
  const posts = (): BlueskyRecord[] => inOrder(world.records);
  let said = 0;
  return {
    clock,
    emulator,
    parts,
    posts,
    canEdit: false,
    limit: 300,
    lengthOf: (text) => graphemesOf(text).length,
    paceMs: 0,
    open: () => createBluesky(parts),
    seen: () =>
      posts().map((post) => ({
        below: parentOf(post) !== undefined,
        text: String(post.value['text']),
        reactions: world.records
          .filter((each) => asObject(each.value['subject'])['uri'] === post.uri)
          .map(() => 'like'),
        files: [],
      })),
    say: async (text, below) => {
      said += 1;
      const at = {
        did: BOB.did,
        collection: 'app.bsky.feed.post',
        rkey: recordKey(`said ${said}`),
      };
      const root = posts().find(({ uri }) => uri === below?.thread);
      const ref = root === undefined ? undefined : { uri: root.uri, cid: root.cid };
      const mention = {
        index: { byteStart: 0, byteEnd: 10 },
        features: [{ $type: 'app.bsky.richtext.facet#mention', did: TEAM.did }],
      };
      writeRecord(world, at, {
        $type: 'app.bsky.feed.post',
        text: ref === undefined ? `@team.test ${text}` : text,
        createdAt: new Date(clock.now()).toISOString(),
        ...(ref === undefined ? { facets: [mention] } : { reply: { root: ref, parent: ref } }),
      });
      await Promise.resolve();
    },
    loseAnswer: () =>
      void emulator.faults.push({ method: 'com.atproto.repo.putRecord', kind: 'lost' }),
    limitNext: (seconds) =>
      void emulator.faults.push({
        method: 'com.atproto.repo.putRecord',
        kind: 'answer',
        answer: {
          status: 429,
          headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
          body: JSON.stringify({ error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }),
        },
      }),
    revoke: () => {
      world.isLocked = true;
      // Every token that was given out is over at once.
      clock.advance(91 * 86_400_000);
    },
    takeKey: (key) => {
      const at = { did: TEAM.did, collection: 'app.bsky.feed.post', rkey: recordKey(key) };
      const createdAt = new Date(clock.now()).toISOString();
      writeRecord(world, at, { $type: 'app.bsky.feed.post', text: 'somebody else', createdAt });
    },
    requests: () => emulator.calls.length,
    close: () => emulator.close(),
  };
}

function inOrder(records: readonly BlueskyRecord[]): BlueskyRecord[] {
  const posts = records.filter(({ collection }) => collection === 'app.bsky.feed.post');
  const heads = posts.filter((post) => parentOf(post) === undefined);
  return heads.flatMap((head) => [
    head,
    ...posts.filter((post) => post !== head && rootOf(post) === head.uri),
  ]);
}
