/** Which repository a message in a channel is for, and who its author is on GitHub. Both are read at this moment. */
import { endOfQuiet, isQuietHour } from '../../domain/channel/announce/quiet-hours.ts';
import { isMappedTo } from '../../domain/channel/channel-map.ts';
import { findLink, findNamed, IDENTITIES_KEY, wasHinted } from '../../domain/channel/identities.ts';
import {
  isPublicChannel,
  type ChannelName,
  type ChatFile,
  type ChatPerson,
  type ChatPost,
  type ChatThread,
} from '../../domain/channel/chat-thread.ts';
import { readGitHubLink, type LinkedPlace } from '../../domain/channel/github-links.ts';
import { isImage } from '../../domain/channel/images.ts';
import type { ChatLook } from '../../domain/event/result.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../domain/plan/plan-digest.ts';
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import { addCalls, type CallCounts } from '../../domain/run/ledger.ts';
import {
  hasPermission,
  repositoryKey,
  type RepositoryRef,
  type ThreadRef,
} from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { Person } from '../../ports/github/github-survey.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { readSettingsAt, type Settings } from '../settings/read-settings.ts';
import { readOpenHead } from './open-head.ts';
import { noteImages } from './note-images.ts';
import { readTextFiles } from './read-text-files.ts';

/** Of more repositories only these are searched for the one that a channel is for. The look says so. */
const MOST_REPOSITORIES = 100;
const CODE_LENGTH = 10;
/** How long a message waits for its text files. Then it is taken up without them, and its author reads that. */
const FILE_PATIENCE_MS = 5 * 60_000;

export async function lookAtChat(
  data: DataOf<'look-chat'>,
  context: EffectContext,
): Promise<Performed<'look-chat'>> {
  const githubCalls: CallCounts = {};
  const result = await find(data, context, githubCalls);
  return { effectKind: 'look-chat', result, githubCalls };
}

async function find(
  data: DataOf<'look-chat'>,
  context: EffectContext,
  githubCalls: CallCounts,
): Promise<ChatLook> {
  const { chat, at, links } = data;
  const { channel } = chat;
  const linked = links === undefined ? undefined : readGitHubLink(links[0] ?? '');
  const { isCut, candidates } =
    at === undefined
      ? await listCandidates(context, chat, linked)
      : { isCut: false, candidates: [at] };
  const found = await Promise.all(
    candidates.map((ref) => readPlace(ref, { channel, context, githubCalls })),
  );
  const [place, ...others] = found
    .flatMap((each) => each ?? [])
    .filter(
      ({ settings, fullName }) =>
        channel !== 'slack' || isMappedTo(settings.config.channels, chat.place, fullName),
    );
  if (place === undefined || others.length > 0) return { needed: 'admin', ...(isCut && { isCut }) };
  const number = at === undefined ? linked?.number : undefined;
  return lookFrom(place, { data, number, context, githubCalls });
}

interface Looking {
  data: DataOf<'look-chat'>;
  /** Of the issue that the message names. */
  number: number | undefined;
  context: EffectContext;
  githubCalls: CallCounts;
}

async function lookFrom(
  place: Place,
  {
    data: { chat, person, at, of, isUnprompted, files = [] },
    number,
    context,
    githubCalls,
  }: Looking,
): Promise<ChatLook> {
  const { channel } = chat;
  const { ref, session, settings } = place;
  const repository = toRef(ref);
  const needed = settings.config.access.spend;
  const known = await findPerson(place, { channel, id: person.id }, context);
  if (known === undefined && isPublicChannel(channel)) return { repository, needed };
  if (known === undefined)
    return { repository, needed, code: newCode(context), ...(await readHinted(person, context)) };
  const about = number === undefined ? at : { ...repository, number };
  const shown = about === undefined ? {} : await readShown(about, session, of);
  addCalls(githubCalls, session.counts);
  return {
    repository,
    needed,
    person: known,
    ...(await canTranscribe(place, channel, context)),
    ...(hasPermission(known.permission, needed) &&
      (await readFiles(place, { chat, files }, context))),
    ...(await readPause(ref, context)),
    ...(number !== undefined && { number }),
    ...shown,
    ...(isLinked(about, files) && place.isPrivate && (await readPermalink(ref, chat, context))),
    ...(isUnprompted === true && quietUntil(settings, context)),
  };
}

/** A new issue links to its message, and so does a comment about an image, which is only there. */
function isLinked(about: ThreadRef | undefined, files: readonly ChatFile[]): boolean {
  return about === undefined || files.some(isImage);
}

/**
 * Of a private repository alone: the address names the workspace and the channel, which not everybody in the world has to
 * know. The request goes on without the link where the channel does not answer. */
async function readPermalink(
  ref: RepositoryRef,
  chat: ChatPost,
  { ports }: EffectContext,
): Promise<Pick<ChatLook, 'permalink'>> {
  const channel = await ports.channels?.open(chat.channel, ref);
  const permalink = await channel?.linkTo?.(chat).catch((error: unknown) => {
    if (error instanceof QuorumError) return undefined;
    throw error;
  });
  return permalink === undefined ? {} : { permalink };
}

async function readPause(
  ref: RepositoryRef,
  { ports: { store } }: EffectContext,
): Promise<Pick<ChatLook, 'pausedBy'>> {
  const state = toRepositoryState((await store.load(repositoryKey(ref)))?.state);
  return state?.paused === undefined ? {} : { pausedBy: state.paused.by };
}

async function canTranscribe(
  { ref }: Place,
  name: ChannelName,
  { ports }: EffectContext,
): Promise<Pick<ChatLook, 'canTranscribe'>> {
  if (ports.transcriber === undefined) return {};
  const channel = await ports.channels?.open(name, ref);
  return channel?.readFile === undefined ? {} : { canTranscribe: true };
}

async function readFiles(
  { ref }: Place,
  { chat, files }: { chat: ChatThread; files: readonly ChatFile[] },
  { ports, at }: EffectContext,
): Promise<Pick<ChatLook, 'texts' | 'images' | 'unread'>> {
  if (files.length === 0) return {};
  const patienceMs = Date.parse(at) + FILE_PATIENCE_MS - ports.clock.now();
  const channel = await ports.channels?.open(chat.channel, ref);
  const others = files.filter((file) => !isImage(file));
  const read = await readTextFiles(others, channel, patienceMs);
  const noted = await noteImages(files.filter(isImage), channel);
  const unread = [...(read.unread ?? []), ...(noted.unread ?? [])];
  return { ...read, ...noted, ...(unread.length > 0 && { unread: [...new Set(unread)] }) };
}

function quietUntil(
  { config: { quietHours } }: Settings,
  { ports }: EffectContext,
): Pick<ChatLook, 'quietUntil'> {
  const now = ports.clock.now();
  return isQuietHour(now, quietHours) ? { quietUntil: endOfQuiet(now, quietHours) } : {};
}

function newCode({ ports }: EffectContext): string {
  return ports.random.id().slice(-CODE_LENGTH).toUpperCase();
}

async function readHinted(
  { id }: ChatPerson,
  { ports: { store, clock } }: EffectContext,
): Promise<Pick<ChatLook, 'wasHinted'>> {
  const kept = await store.load(IDENTITIES_KEY);
  return wasHinted(kept?.state, id, clock.now()) ? { wasHinted: true } : {};
}

function toRef({ installationId, repositoryId, owner, repo }: RepositoryRef): RepositoryRef {
  return { installationId, repositoryId, owner, repo };
}

/** A channel that anybody can write to is for no repository: only what a message names is looked for. */
async function listCandidates(
  context: EffectContext,
  { channel }: ChatThread,
  linked: LinkedPlace | undefined,
): Promise<Candidates> {
  if (channel === 'slack') return atMost(await listRepositories(context));
  if (linked === undefined) return { candidates: [], isCut: false };
  const all = await listRepositories(context, linked.owner);
  return atMost(all.filter(({ owner, repo }) => isSameName(`${owner}/${repo}`, linked)));
}

interface Candidates {
  candidates: RepositoryRef[];
  /** There are more. */
  isCut: boolean;
}

function atMost(all: RepositoryRef[]): Candidates {
  return { candidates: all.slice(0, MOST_REPOSITORIES), isCut: all.length > MOST_REPOSITORIES };
}

function isSameName(fullName: string, linked: LinkedPlace | undefined): boolean {
  return fullName.toLowerCase() === `${linked?.owner}/${linked?.repo}`.toLowerCase();
}

/** Of one account, where it is named. */
async function listRepositories(
  { ports }: EffectContext,
  owner?: string,
): Promise<RepositoryRef[]> {
  const { app } = ports.github;
  const installations = (await app.installations()).filter(
    ({ isSuspended, account }) =>
      !isSuspended && (owner === undefined || account.toLowerCase() === owner.toLowerCase()),
  );
  const lists = await Promise.all(
    installations.map(({ installationId }) => app.repositories(installationId)),
  );
  return lists.flat();
}

interface Place {
  ref: RepositoryRef;
  session: GitHubSession;
  settings: Settings;
  fullName: string;
  isPrivate: boolean;
}

/** Undefined where the repository may not use the channel. */
async function readPlace(
  ref: RepositoryRef,
  {
    channel: name,
    context,
    githubCalls,
  }: { channel: ChannelName; context: EffectContext; githubCalls: CallCounts },
): Promise<Place | undefined> {
  const { ports, readSettings } = context;
  const channel = await ports.channels?.open(name, ref).catch(() => undefined);
  if (channel === undefined) return undefined;
  const session = ports.github.at(ref);
  const facts = await session.read.repository(ref);
  if (facts.isPrivate && isPublicChannel(name)) return undefined;
  const settings = await readSettingsAt(ref, facts, { session, readSettings });
  addCalls(githubCalls, session.counts);
  return settings.config.enabled
    ? { ref, session, settings, fullName: facts.fullName, isPrivate: facts.isPrivate }
    : undefined;
}

/** Whom the default branch's settings name, or else who linked the account with a code. */
async function findPerson(
  { ref, session, settings }: Place,
  { channel, id }: { channel: ChannelName; id: ChatPerson['id'] },
  { ports }: EffectContext,
): Promise<Person | undefined> {
  const named = findNamed(settings.config.access.identities, channel, id);
  if (named !== undefined) return session.survey.person(ref, named);
  const kept = await ports.store.load(IDENTITIES_KEY);
  const linked = findLink(kept?.state, id);
  if (linked === undefined) return undefined;
  return { ...linked, permission: await session.read.permission(ref, linked) };
}

/** What a person approves there now. */
async function readShown(
  at: ThreadRef,
  session: GitHubSession,
  of: 'head' | undefined,
): Promise<Pick<ChatLook, 'planDigest' | 'headSha'>> {
  if (of === 'head') {
    const headSha = await readOpenHead(session, at);
    return headSha === undefined ? {} : { headSha };
  }
  const plan = parsePlan((await session.read.issue(at)).body);
  return plan.tasks.length === 0 ? {} : { planDigest: planDigest(plan) };
}
