/** A thread of a channel in which somebody asks for work: one thread is one issue on GitHub, and what is said goes there. */
import { codeDigest, IDENTITIES_KEY } from '../../../domain/channel/identities.ts';
import {
  isPublicChannel,
  type ChatMessage,
  type ChatReaction,
} from '../../../domain/channel/chat-thread.ts';
import type { Event, EventData } from '../../../domain/event/event.ts';
import type { ChatLook } from '../../../domain/event/result.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { hasPermission, type RepositoryRef } from '../../../domain/run/thread-ref.ts';
import {
  createStep,
  emitEvent,
  ignored,
  readState,
  type Decision,
  type DecisionContext,
  type Step,
} from '../../run/decision.ts';
import { isClosing } from '../../run/answers/closing.ts';
import { chatKey, EMPTY_CHAT, toChatPost, type ChatState, type SaidInChat } from './chat-state.ts';
import { isToTeam, mustSayUnread, NOT_ASKED, readFilesOnly } from './files-only.ts';
import { listen, takeTranscript } from './hear-recording.ts';
import { clickProblem, noteClick, type ClickProblem } from './approval-clicks.ts';
import { restUntil, sharedProblem, toAsked, wakeShared } from './shared-posts.ts';
import {
  answer,
  leaveOut,
  reactTo,
  sayAt,
  tellCrowd,
  tellOpened,
  tellPause,
  TOO_MUCH,
} from './say-in-chat.ts';
import { lookAtSaid } from './look-at-said.ts';
import { bringToGitHub } from './bring-to-github.ts';
import { countUnsent } from './unsent.ts';
import { joinThread, aboutNumber, toThread, wantRequest, type Chatting } from './to-github.ts';

/** Messages of one thread that wait; more are left alone. */
const MOST_HEARD = 20;
/** Of one author, where anybody in the world may write: a stranger cannot take all places. */
const MOST_OF_ONE = 3;

export function decideChat(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const state = readState<ChatState>(before, EMPTY_CHAT);
  const { data } = event;
  state.id ||= derivedId(event.id, now);
  const step = createStep(event.key, state, now);
  const reason = take({ state, step }, data);
  if (reason !== undefined) return ignored(state, reason);
  return { state, effects: step.effects, events: step.events };
}

interface Context {
  state: ChatState;
  step: Step;
}

/** Why nothing was to be done, when nothing was. */
function take(context: Context, data: EventData): string | undefined {
  const { state } = context;
  if (data.kind === 'trigger')
    return data.trigger.kind === 'said' ? onSaid(context, data.trigger) : 'not for a channel';
  if (data.kind === 'linked') return onLinked(context, data);
  if (data.kind === 'timer') return onTimer(context, data.timer);
  if (data.kind === 'done' || data.kind === 'failed') return onResult(context, data);
  if (data.kind === 'request-told') return onRequestTold(context, data);
  if (data.kind === 'chat-announced') return onAnnounced(state, data);
  if (data.kind !== 'chat-moved') return 'not for a channel';
  if (state.number === data.from) state.number = data.to;
  return undefined;
}

function onTimer(context: Context, timer: string): string | undefined {
  const said = wakeShared(context.state, timer);
  if (said === undefined) return 'nothing waits for it';
  const problem = sharedProblem(context.state, said.message, context.step.now);
  if (problem === undefined) hear(context, said);
  return problem;
}

function onAnnounced(
  state: ChatState,
  { repository, number }: Extract<EventData, { kind: 'chat-announced' }>,
): string | undefined {
  if (state.number !== undefined) return 'the thread is about an issue already';
  Object.assign(state, { repository, number, isAnnounced: true });
  return undefined;
}

function onResult(
  context: Context,
  data: Extract<EventData, { kind: 'done' | 'failed' }>,
): string | undefined {
  const { state, step } = context;
  const { phase } = state;
  if (data.effectKind === 'transcribe') return onTranscript(context, data);
  if (data.effectKind === 'chat-reply') return countUnsent(context, data);
  if (phase?.effectId !== data.effectId) return 'nothing waits for it';
  const [said] = state.heard;
  if (said === undefined) return next(context);
  const chatting = { state, step, said, look: phase.look };
  if (data.kind === 'failed') return onUnsent(chatting);
  if (data.effectKind === 'look-chat') return onLook({ ...chatting, look: data.result });
  if (data.effectKind === 'issue') {
    toThread.begin(chatting, data.result);
    tellOpened(chatting, data.result);
  }
  if (data.effectKind === 'comment') {
    noteClick(state, said.message);
    toThread.say(chatting, data.result);
  }
  return next(context);
}

/** Its author would wait for an answer. In public nobody reads a refusal. */
function onUnsent(chatting: Chatting): undefined {
  const { state, said, look: found } = chatting;
  const repository = found?.repository;
  if (state.phase?.kind !== 'looking' && repository && !isPublicChannel(said.message.channel))
    answer(chatting, repository, UNSENT);
  return next(chatting);
}

const UNSENT = 'This did not reach GitHub. Try again later, or write it there.';

/** Bots are never answered, and what is only seen is not for us unless the thread is about an issue. */
function onSaid(
  context: Context,
  { message, address }: { message: ChatMessage; address?: SaidInChat['address'] },
): string | undefined {
  const { state, step } = context;
  if (message.author.isBot) return 'automated accounts are not answered';
  if (!isForTeam(state, { message, address })) return 'it does not address the team';
  const problem = sharedProblem(state, message, step.now);
  if (problem !== undefined) return problem;
  if (isPublicChannel(message.channel) && state.number === undefined && message.links.length === 0)
    return 'it names nothing on GitHub';
  if (state.heard.length >= MOST_HEARD) return leaveOut(state, message);
  if (isPublicChannel(message.channel) && countOf(state, message) >= MOST_OF_ONE)
    return 'too much at once of one account';
  hear(context, toAsked({ message, ...(address !== undefined && { address }) }));
  return undefined;
}

function hear(context: Context, said: SaidInChat): void {
  context.state.heard.push(said);
  if (context.state.phase === undefined) lookAtSaid(context);
}

/** In a thread that somebody began with a request, all is. Below an announcement people talk among themselves. */
function isForTeam(
  { number, isAnnounced }: ChatState,
  { message: { why, click }, address }: Pick<SaidInChat, 'message'> & { address: unknown },
): boolean {
  if (number === undefined) return why !== 'seen';
  return isAnnounced !== true || why === 'mention' || click !== undefined || address !== undefined;
}

function countOf({ heard }: ChatState, { author }: ChatMessage): number {
  return heard.filter(({ message }) => message.author.id === author.id).length;
}

/** The message is done with; the next one is read. */
function next(context: Context): undefined {
  const { state } = context;
  state.heard.shift();
  delete state.phase;
  if (state.heard.length === 0) tellCrowd(context);
  lookAtSaid(context);
  return undefined;
}

const NOBODYS = 'no repository is for this channel';
const TOO_MANY =
  'none of the first 100 repositories is for this channel, and more were not searched';

function onLook(chatting: Chatting & { look: ChatLook }): string | undefined {
  const { state, said, look: found } = chatting;
  const { repository, person, needed } = found;
  if (repository === undefined) return skip(chatting, found.isCut === true ? TOO_MANY : NOBODYS);
  const problem = clickProblem(state, said.message, found);
  if (problem !== undefined) return refuseClick(chatting, repository, problem);
  if (person === undefined) return askForLink(chatting, repository);
  if (!hasPermission(person.permission, needed)) return refuse(chatting, repository);
  if (isPutOff(chatting, repository)) return next(chatting);
  if (!listen(chatting, repository)) return takeUp(chatting, repository);
  // Turning it into text waits for the end of the pause, too.
  tellPause(chatting, repository);
  return next(chatting);
}

/** The words are there, and their author may say them. */
function takeUp(
  chatting: Chatting & { look: ChatLook },
  repository: RepositoryRef,
): string | undefined {
  const { state, said, look: found } = chatting;
  state.repository = repository;
  if (found.number !== undefined) joinThread(chatting, { ...repository, number: found.number });
  if (isFirstBelow(chatting)) joinAnnounced(chatting, repository);
  if (isClosing(said.message.text)) return nod(chatting, repository, 'done');
  if (aboutNumber(chatting) === undefined) return wantRequest(chatting);
  return bringToGitHub(chatting, repository);
}

function onRequestTold(
  { state, step }: Context,
  { isTooMuch, isFirst }: Extract<EventData, { kind: 'request-told' }>,
): string | undefined {
  const { phase, repository } = state;
  const [said] = state.heard;
  if (phase?.kind !== 'asking' || said === undefined || repository === undefined)
    return 'nothing waits for it';
  const chatting = { state, step, said, look: phase.look };
  if (isTooMuch !== true) return bringToGitHub(chatting, repository);
  if (isFirst === true && !isPublicChannel(said.message.channel))
    answer(chatting, repository, TOO_MUCH);
  return nod(chatting, repository, 'refused');
}

/** What nobody asked for waits for the end of quiet hours, and what has no words is only answered. */
function isPutOff(chatting: Chatting & { look: ChatLook }, repository: RepositoryRef): boolean {
  const { said, look: found } = chatting;
  if (said.message.why === 'shared' && found.quietUntil !== undefined) {
    restUntil(chatting, found.quietUntil);
    return true;
  }
  const unread = readFilesOnly(said.message, found.canTranscribe === true);
  if (unread === undefined) return false;
  const isRecording = 'recording' in unread;
  if (isRecording && isToTeam(chatting.state, said.message)) return false;
  if (mustSayUnread(chatting)) answer(chatting, repository, isRecording ? NOT_ASKED : unread.say);
  return true;
}

/** Its words are taken up like others, after a look of that moment. */
function onTranscript(
  context: Context,
  data: Extract<EventData, { kind: 'done' | 'failed' }>,
): string | undefined {
  const { state } = context;
  const isOurs = state.listening?.effectId === data.effectId;
  if (!isOurs) return 'nothing waits for it';
  takeTranscript(context, data);
  if (state.phase === undefined) lookAtSaid(context);
  return undefined;
}

/** A press changes the message that has the buttons, and needs no report beside it. */
function isFirstBelow({ state, said }: Chatting): boolean {
  const { isAnnounced, isJoined } = state;
  return isAnnounced === true && isJoined !== true && said.message.click === undefined;
}

function joinAnnounced(chatting: Chatting, repository: RepositoryRef): void {
  const { state } = chatting;
  if (state.number === undefined) return;
  state.isJoined = true;
  joinThread(chatting, { ...repository, number: state.number });
}

function refuseClick(
  chatting: Chatting,
  repository: RepositoryRef,
  { reason, say }: ClickProblem,
): string | undefined {
  if (say === undefined) return skip(chatting, reason);
  answer(chatting, repository, say);
  return next(chatting);
}

function skip(context: Context, reason: string): string {
  next(context);
  return reason;
}

function nod(chatting: Chatting, repository: RepositoryRef, reaction: ChatReaction): undefined {
  reactTo(chatting, repository, reaction);
  return next(chatting);
}

/** Refuses people without a linked GitHub account, and explains once how to link one. */
function askForLink(
  chatting: Chatting & { look: ChatLook },
  repository: RepositoryRef,
): string | undefined {
  const { state, step, said, look: found } = chatting;
  const { author, click } = said.message;
  const isKnown = state.told.includes(author.id) || found.wasHinted === true;
  const isTold = click === undefined && isKnown;
  if (found.code === undefined || isTold)
    return skip(chatting, 'nobody on GitHub is known for its author');
  // What only its reader sees may be gone: after a press it is said again.
  if (click === undefined) state.told = [...state.told, author.id].slice(-MOST_HEARD);
  const chat = toChatPost(said.message);
  step.run.step += 1;
  emitEvent(
    step,
    { kind: 'link-asked', run: state.id, person: author, chat, codeDigest: codeDigest(found.code) },
    { key: IDENTITIES_KEY, suffix: `link-${step.run.step}` },
  );
  const markdown = `I do not know who you are on GitHub. Within 15 minutes, comment this on an issue of \`${repository.owner}/${repository.repo}\`, and then ${click === undefined ? 'ask again here' : 'press the button again'}:\n\n\`/pm link ${found.code}\``;
  // The code is good for 15 minutes: an answer that is retried must not hold it back.
  answer(chatting, repository, { markdown, isUrgent: true });
  return next(chatting);
}

function refuse(
  chatting: Chatting & { look: ChatLook },
  repository: RepositoryRef,
): string | undefined {
  const { said, look: found } = chatting;
  if (isPublicChannel(said.message.channel)) return skip(chatting, 'its author may not ask for it');
  const { login = '', permission = 'none' } = found.person ?? {};
  const markdown = `\`${login}\` has the permission \`${permission}\` in \`${repository.owner}/${repository.repo}\`. This needs \`${found.needed}\`.`;
  answer(chatting, repository, markdown);
  return said.message.click === undefined ? nod(chatting, repository, 'refused') : next(chatting);
}

function onLinked(
  { state, step }: Context,
  { by, chat }: Extract<EventData, { kind: 'linked' }>,
): string | undefined {
  state.told = [];
  const { repository } = state;
  if (repository === undefined || chatKey(chat) !== step.key) return undefined;
  const markdown = `You are \`${by.login}\` on GitHub now.`;
  sayAt({ step, repository }, chat, { markdown });
  return undefined;
}
