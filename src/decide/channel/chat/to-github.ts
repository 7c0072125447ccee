/** What is said in a thread of a channel, on GitHub: an issue, then comments that quote it. */
import type { Event } from '../../../domain/event/event.ts';
import type { ChannelName } from '../../../domain/channel/chat-thread.ts';
import { describeImage, nameInWords } from '../../../domain/channel/images.ts';
import type { ChatLook, EffectResults } from '../../../domain/event/result.ts';
import { bodyDigest } from '../../../domain/persona/digest.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import type { CommentAddress } from '../../../domain/run/talk.ts';
import { threadKey, type RepositoryRef, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { asCode } from '../../run/command-context.ts';
import { emitEffect, emitEvent, type Step } from '../../run/decision.ts';
import { channelsKey } from '../../../domain/channel/channels-state.ts';
import { isNestedChannel } from '../../../domain/channel/chat-thread.ts';
import { IDENTITIES_KEY } from '../../../domain/channel/identities.ts';
import { toChatPost, type ChatState, type SaidInChat } from './chat-state.ts';

export interface Chatting {
  state: ChatState;
  step: Step;
  said: SaidInChat;
  look: ChatLook | undefined;
}

/** The issue or pull request on GitHub that a message goes to; undefined where it asks for something new. */
export function aboutNumber({ state, said }: Pick<Chatting, 'state' | 'said'>): number | undefined {
  const { click } = said.message;
  return click?.of === 'head' ? click.number : state.number;
}

/** Whether its author may ask for one thing more. */
export function wantRequest({ state, step, said, look }: Chatting): undefined {
  const { author } = said.message;
  state.phase = { kind: 'asking', effectId: '', ...(look !== undefined && { look }) };
  const chat = toChatPost(said.message);
  tell(step, IDENTITIES_KEY, { kind: 'request-wanted', run: state.id, person: author.id, chat });
}

const MAX_TITLE = 120;
/** Longer messages are cut: GitHub takes 65,536 characters. */
export const MOST_SAID = 20_000;
/** What of the message and its files is written on GitHub. */
const MOST_WRITTEN = 60_000;

/** The first line is the title; a request in a channel has no other. */
export function openAskedIssue(chatting: Chatting, repository: RepositoryRef): void {
  const { state, step, said, look } = chatting;
  const title = firstLine(said.message.text);
  const effectId = emitEffect(step, {
    kind: 'issue',
    repository,
    marker: { kind: 'notice', run: state.id, key: `asked-${keyOf(said)}` },
    title,
    body: asked(chatting),
    labels: [],
  });
  state.phase = { kind: 'opening', effectId, ...(look !== undefined && { look }) };
}

/** Quotes the message on GitHub, where people read along. */
export function relay(chatting: Chatting, thread: ThreadRef): void {
  const { state, step, said, look } = chatting;
  const effectId = emitEffect(step, {
    kind: 'comment',
    thread,
    marker: { kind: 'notice', run: state.id, key: `said-${keyOf(said)}` },
    body: quoted(chatting),
    // What people say to a paused team may be `/pm resume`.
    evenPaused: true,
  });
  state.phase = { kind: 'relaying', effectId, ...(look !== undefined && { look }) };
}

function keyOf({ message }: SaidInChat): string {
  return bodyDigest(message.id).slice(0, 16);
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  const short = line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
  return short === '' ? 'A request' : short;
}

/** Lists and names of files stay what they are: the PM plans by them. An issue's text runs no command. */
function asked(chatting: Chatting): string {
  const link = chatting.look?.permalink;
  const service = SERVICES[chatting.said.message.channel];
  const where = link === undefined ? from(chatting) : `${whoOf(chatting)} in [${service}](${link})`;
  const body = `Asked by ${where}${how(chatting.said)}:\n\n${textOf(chatting.said.message.text)}`;
  return withFiles(body, chatting);
}

const SERVICES: Readonly<Record<ChannelName, string>> = { slack: 'Slack', bluesky: 'Bluesky' };

function from(chatting: Chatting): string {
  return `${whoOf(chatting)} in ${SERVICES[chatting.said.message.channel]}`;
}

function whoOf({ look }: Chatting): string {
  return `\`${look?.person?.login ?? ''}\``;
}

function textOf(text: string): string {
  return defuse(text.slice(0, MOST_SAID).toWellFormed());
}

function defuse(text: string): string {
  return text.replaceAll('@', '@\u200b');
}

/** No model sees an image. The text says so, because plans are made from it. */
function imageLines(look: Chatting['look']): string[] {
  const link = look?.permalink;
  return (look?.images ?? []).map((each) => {
    const name = nameInWords(each.name);
    return describeImage(each, { name: name === undefined ? undefined : asCode(name), link });
  });
}

/** Quoted as code, so that nothing in a file is markup. */
function withFiles(body: string, { look }: Chatting): string {
  let all = [body, ...imageLines(look)].join('\n\n');
  for (const { name, text, isCut } of look?.texts ?? []) {
    const lines = defuse(text.trimEnd())
      .split('\n')
      .map((line) => `> ${line}`);
    const whole = lines.join('\n');
    const { quote, fence } = fenced(whole, Math.max(0, MOST_WRITTEN - all.length));
    const cut = isCut === true || quote.length < whole.length ? ' (its beginning)' : '';
    all = `${all}\n\nThe file ${asCode(name)}${cut}:\n\n> ${fence}\n${quote}\n> ${fence}`;
  }
  return all;
}

/** As much of the text as there is room for with its fences, which are as long as its longest row of backticks. */
function fenced(text: string, room: number): { quote: string; fence: string } {
  const whole = text.slice(0, room).toWellFormed();
  const over = Math.max(0, whole.length + 2 * fenceAround(whole).length - room);
  const quote = whole.slice(0, Math.max(0, whole.length - over)).toWellFormed();
  return { quote, fence: fenceAround(quote) };
}

/** Longer than any in the text. */
function fenceAround(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}

/** A quotation holds no command, and mentions in code notify nobody. */
function quoted(chatting: Chatting): string {
  const lines = textOf(wordsOf(chatting.said).text)
    .split('\n')
    .map((line) => `> ${line}`);
  return withFiles(`${from(chatting)}${how(chatting.said)}:\n\n${lines.join('\n')}`, chatting);
}

function how({ message, isSpoken }: SaidInChat): string {
  if (isSpoken === true) return ', in a recording';
  return message.click === undefined ? '' : ', with a button';
}

/** The channel's thread is about this issue from now on, and reports what becomes of it. */
export function joinThread({ state, step, said }: Chatting, to: ThreadRef): void {
  const { number, ...repository } = to;
  state.number = number;
  const { channel, place, thread, message } = said.message;
  const isBelow = isNestedChannel(channel) && message !== thread;
  tell(step, channelsKey(repository.repositoryId), {
    kind: 'chat-joined',
    run: state.id,
    repository,
    number,
    thread: { channel, place, thread },
    ...(isBelow && { asked: message }),
  });
}

/**
 * What is said, and to whom. On Bluesky a message comes only because it names the account, so that it asks the team even
 * where it calls nobody. What was spoken may be misheard, so it is a question and never a command.
 */
function wordsOf({
  message,
  address,
  isSpoken,
}: SaidInChat): Pick<SaidInChat, 'address'> & { text: string } {
  const { channel } = message;
  const text = message.text.slice(0, MOST_SAID).toWellFormed();
  const asks = isSpoken === true || (channel === 'bluesky' && address === undefined);
  if (!asks) return { text, ...(address !== undefined && { address }) };
  return {
    text: `/pm ask ${text.replaceAll(/\s+/g, ' ').trim()}`,
    address: { place: 'thread', updatedAt: '', digest: '', isOnlyCommands: true },
  };
}

type IssueResult = EffectResults['issue'];
type CommentResult = EffectResults['comment'];

export const toThread = {
  /** The PM plans what the issue asks for. The channel's thread reports the outcome. */
  begin({ state, step, said, look }: Chatting, result: IssueResult): void {
    const { repository } = state;
    const person = look?.person;
    if (repository === undefined || person === undefined || !('number' in result)) return;
    const thread = { ...repository, number: result.number };
    joinThread({ state, step, said, look }, thread);
    trigger(step, thread, {
      kind: 'requested',
      thread,
      actor: { id: person.id, login: person.login, isBot: false },
      label: DEFAULT_LABELS['plan-me'],
      meaning: 'plan-me',
      by: 'command',
    });
  },
  /** As if its author had commented it: the same commands, the same permissions. */
  say({ state, step, said, look }: Chatting, result: CommentResult): void {
    const { repository, id } = state;
    const number = aboutNumber({ state, said });
    const person = look?.person;
    if (repository === undefined || number === undefined || person === undefined) return;
    const thread = { ...repository, number };
    const { text, address: whom } = wordsOf(said);
    const address = whom && {
      ...whom,
      updatedAt: result.updatedAt ?? '',
      digest: bodyDigest(text),
      relayed: {
        text,
        run: id,
        key: `said-${keyOf(said)}`,
        at: said.message.at,
        ...presserOf({ state, said }),
        ...(isNestedChannel(said.message.channel) && { asked: toChatPost(said.message) }),
      },
      ...(look?.planDigest !== undefined && { planDigest: look.planDigest }),
    };
    trigger(step, thread, {
      kind: 'commented',
      thread,
      actor: { id: person.id, login: person.login, isBot: false },
      commentId: result.id,
      isByBot: false,
      ...(address !== undefined && { address }),
    });
  },
};

/** Below an announcement that nobody answered in writing, answers on GitHub are not repeated. */
function presserOf({
  state: { isAnnounced, isJoined },
  said: { message: pressed },
}: Pick<Chatting, 'state' | 'said'>): Pick<NonNullable<CommentAddress['relayed']>, 'presser'> {
  const { click, author, channel, place, thread, message } = pressed;
  if (click === undefined || isAnnounced !== true || isJoined === true) return {};
  return { presser: { chat: { channel, place, thread, message }, person: author.id } };
}

function trigger(step: Step, thread: ThreadRef, wanted: Trigger): void {
  tell(step, threadKey(thread), { kind: 'trigger', trigger: wanted });
}

function tell(step: Step, key: string, data: Event['data']): void {
  step.run.step += 1;
  emitEvent(step, data, { key, suffix: `chat-${step.run.step}` });
}
