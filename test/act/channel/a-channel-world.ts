/** A channel, a repository and a GitHub in memory, as acts of channels meet them: what was sent is kept. */
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { defaultConfig, type Config } from '../../../src/domain/config/config.ts';
import type { ChannelName } from '../../../src/domain/channel/chat-thread.ts';
import type { Persona } from '../../../src/domain/persona/persona.ts';
import type { RepositoryRef } from '../../../src/domain/run/thread-ref.ts';
import type { AnnouncedPost, ChatReply } from '../../../src/ports/channel.ts';

export const NOW = Date.parse('2026-06-01T09:00:00Z');
export const REPOSITORY: RepositoryRef = {
  installationId: 1,
  repositoryId: 7,
  owner: 'octo',
  repo: 'shop',
};

export interface ChannelWorld {
  config: Config;
  personas: readonly Persona[];
  /** Channels that this repository may use. */
  open: readonly ChannelName[];
  facts: { fullName: string; isPrivate: boolean; headSha: string; host?: string };
  /** Texts of issues and pull requests, by number. */
  issues: Record<number, { title: string; body: string; isPull: boolean }>;
  issueFails?: Error;
  /** Heads of pull requests, by number. */
  heads: Record<number, { state: 'open' | 'closed'; headSha: string }>;
  repositories: RepositoryRef[];
  isSuspended: boolean;
  /** What the store knows of a pause. */
  paused?: { by: string; at: string };
  links: Record<string, { id: number; login: string }>;
  /** Codes that people received, by their digest. */
  asked: Record<string, { person: string; until: number }>;
  permission: string;
  /** Logins on GitHub whose permission is `permission`. */
  people: Record<string, { id: number; login: string }>;
  /** Thrown by the channel for the message with this key, for each `digest`, or for each `reply`. */
  refuses: Record<string, Error>;
  /** What happens each time that GitHub is asked of the repository. */
  onRead?: () => void;
  now: number;
  /** What each file of a message holds; absent: the channel has none. */
  file?: string;
  /** Thrown for each file in its place. */
  fileFails?: Error;
  sent: AnnouncedPost[];
  replies: { to: object; reply: ChatReply }[];
  reactions: object[];
  /** The page of a message. */
  linkTo: (post: object) => Promise<string | undefined>;
  context(more?: Partial<EffectContext>): EffectContext;
}

export function aChannelWorld(): ChannelWorld {
  const config = defaultConfig();
  config.channels.slack.channel = '#team';
  const world: ChannelWorld = {
    config,
    personas: [],
    open: ['slack', 'bluesky'],
    facts: { fullName: 'octo/shop', isPrivate: false, headSha: 'tip' },
    issues: {},
    heads: {},
    repositories: [REPOSITORY],
    isSuspended: false,
    links: {},
    asked: {},
    permission: 'write',
    people: {},
    refuses: {},
    now: NOW,
    sent: [],
    replies: [],
    reactions: [],
    linkTo: async () => undefined,
    context: (more = {}) => contextOf(world, more),
  };
  return world;
}

/** What is missing fails the test. */
function contextOf(world: ChannelWorld, more: Partial<EffectContext>): EffectContext {
  return {
    ports: {
      github: { at: (ref: RepositoryRef) => sessionOf(world, ref), app: appOf(world) },
      channels: {
        open: async (name: ChannelName) =>
          world.open.includes(name) ? channelOf(world) : undefined,
      },
      store: {
        load: async (key: string) => ({
          state: key.startsWith('repository:')
            ? { v: 1, paused: world.paused }
            : { v: 1, asked: world.asked, links: world.links },
          version: 1,
        }),
      },
      clock: { now: () => world.now },
      random: { id: () => 'abcdefghijklmnop' },
    },
    readSettings: async () => ({
      config: world.config,
      personas: world.personas,
      problems: [],
    }),
    isNew: false,
    isFirst: false,
    effectId: 'r/1-chat-reply',
    at: new Date(NOW).toISOString(),
    ...more,
  } as unknown as EffectContext;
}

function sessionOf(world: ChannelWorld, { repo }: RepositoryRef) {
  return {
    counts: { rest: 2 },
    reviews: {},
    pulls: { pull: async ({ number }: { number: number }) => world.heads[number] },
    read: {
      repository: async () => {
        world.onRead?.();
        return {
          ...world.facts,
          fullName: repo === 'shop' ? world.facts.fullName : `octo/${repo}`,
        };
      },
      paths: async () => ({ paths: [], isCut: false }),
      issue: async ({ number }: { number: number }) => {
        if (world.issueFails !== undefined) throw world.issueFails;
        return world.issues[number] ?? { title: `Issue ${number}`, body: '', isPull: false };
      },
      permission: async () => world.permission,
    },
    survey: {
      person: async (_: RepositoryRef, login: string) => {
        const person = world.people[login];
        return person && { ...person, permission: world.permission };
      },
    },
  };
}

function appOf(world: ChannelWorld) {
  return {
    installations: async () => [
      { installationId: 1, account: 'octo', isSuspended: world.isSuspended },
    ],
    repositories: async () => world.repositories,
  };
}

function channelOf(world: ChannelWorld) {
  return {
    announce: async (post: AnnouncedPost) => {
      const refused = world.refuses[post.isDigest === true ? 'digest' : post.key];
      if (refused !== undefined) throw refused;
      world.sent.push(post);
      const asked = post.asks === undefined ? {} : { asked: `${post.key}/ask` };
      return { channel: 'slack', place: 'C1', thread: post.key, message: post.key, ...asked };
    },
    reply: async (to: object, reply: ChatReply) => {
      if (world.refuses['reply'] !== undefined) throw world.refuses['reply'];
      world.replies.push({ to, reply });
      return { ...to, message: 'answer' };
    },
    ...(world.file !== undefined && { readFile: async () => readFileOf(world) }),
    linkTo: (post: object) => world.linkTo(post),
    react: async (to: object, reaction: string) => void world.reactions.push({ to, reaction }),
  };
}

function readFileOf({ file = '', fileFails }: ChannelWorld): Buffer {
  if (fileFails !== undefined) throw fileFails;
  return Buffer.from(file);
}
