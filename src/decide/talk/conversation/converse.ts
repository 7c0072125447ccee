/** A comment without a command: who is spoken to, whether we may answer at all, and when (NW-11, TG-10 to TG-13). */
import { permitUnless, type Permit } from '../../../domain/run/permit/permit.ts';
import { hasCommandLine } from '../../../domain/commands/command-line.ts';
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { Question } from '../../../domain/run/talk.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { CommentView } from '../../../domain/run/view.ts';
import type { CommandContext } from '../../run/command-context.ts';
import { drop, react } from '../commands/send-reply.ts';
import { emitTimer } from '../../run/decision.ts';
import { classifySpeakers, type Conversation } from '../guards/conversation.ts';
import type { WindingLimits } from '../guards/winding-down.ts';
import { mayAnswer, type MayAnswer, type SilenceReason } from '../guards/may-answer.ts';
import { readTurn, turnDelayMs } from '../guards/turn.ts';
import { addressedIn, findAddressee, type Addressee } from './addressee.ts';
import { ownInAnHour } from './own-words.ts';
import { askNext } from './question.ts';
import { pickReaction, readMood } from './reaction.ts';
import { voicesIn } from './voices.ts';

/** A persona answers a comment that speaks to it, unless something forbids it. */
export function converse(context: CommandContext): Outcome {
  const { talk, view, step } = context;
  // Automated accounts start no conversation (LOOP-02).
  if (talk.actor.isBot || talk.address.appId !== undefined)
    return drop(context, 'an automated comment');
  const addressee = addresseeOf(context, view.comment);
  if (talk.isHeard) {
    if (addressee.kind !== 'nobody' && isEntitled(context)) react(context, 'eyes');
    return drop(context, 'the discussion that goes on hears it');
  }
  if (addressee.kind === 'nobody') return drop(context, 'it addresses nobody in the team');
  const all = conversationOf(context);
  const upTo = all.comments.findIndex((each) => each.id === view.comment.id);
  const conversation = { ...all, comments: all.comments.slice(0, upTo + 1) };
  const own = ownInAnHour(context, view);
  const limits = limitsOf(context, addressee.handle);
  const may = mayAnswer(conversation, { now: step.now, own, limits });
  if (!may.answer) return staySilent(context, addressee.handle, may);
  const permit = mayConverse(context);
  if (permit.kind === 'refused') {
    react(context, 'confused');
    return drop(context, permit.reason);
  }
  if (mustWait(context, all)) return wait(context);
  talk.questions = [toQuestion(context, addressee.handle, { all, maybeCircle: may.maybeCircle })];
  react(context, 'eyes');
  return askNext(context);
}

/** What the persona's own file says of when it stops; bounds are kept where it is used (TG-13). */
function limitsOf({ view }: CommandContext, handle: string): Partial<WindingLimits> {
  const persona = view.personas.find((each) => each.handle === handle);
  const { replies, depth, silenceMinutes, unansweredMinutes } = persona?.conversation ?? {};
  return {
    ...(replies !== undefined && { replies }),
    ...(depth !== undefined && { depth }),
    ...(silenceMinutes !== undefined && { silenceMs: silenceMinutes * MINUTE_MS }),
    ...(unansweredMinutes !== undefined && { unansweredMs: unansweredMinutes * MINUTE_MS }),
  };
}

const MINUTE_MS = 60_000;

/**
 * Thanks and circles end with a reaction instead of a comment (TG-12). A person who gets no answer because of a limit
 * sees that the comment was read.
 */
function staySilent(
  context: CommandContext,
  handle: string,
  { reason, react: isToReact }: Extract<MayAnswer, { answer: false }>,
): Outcome {
  const persona = context.view.personas.find((each) => each.handle === handle);
  if (isToReact && isEntitled(context)) {
    const { id, body } = context.view.comment;
    react(context, pickReaction(persona?.role ?? '', readMood(body), (id % 10) / 10));
  } else if (LIMITS.has(reason) && isEntitled(context)) react(context, 'confused');
  return drop(context, `kept still: ${reason}`);
}

const LIMITS: ReadonlySet<SilenceReason> = new Set(['enough-said', 'hourly-cap']);

function mayConverse(context: CommandContext): Permit {
  const { view, stopped, talk } = context;
  return permitUnless([
    [!isEntitled(context), 'its author may not ask the team'],
    [view.issue.state === 'closed', 'the thread is closed'],
    [view.paused !== undefined, 'the repository is paused'],
    [talk.isQuiet, 'enough was said here for an hour'],
    [stopped !== undefined, stopped ?? ''],
  ]);
}

function toQuestion(
  { view }: CommandContext,
  handle: string,
  { all, maybeCircle }: { all: Conversation; maybeCircle: boolean },
): Question {
  const { said, mode } = readTurn(all, view.comment.id);
  return {
    handle,
    text: view.comment.body,
    depth: 0,
    ...(maybeCircle ? { maybeCircle } : {}),
    ...(said.length === 0 ? {} : { alreadySaid: said.map(({ by, text }) => `${by}: ${text}`) }),
    ...(mode === 'only-missing' ? { onlyMissing: true } : {}),
  };
}

/** A conversation is paid for: it needs what a question needs. */
function isEntitled({ view }: CommandContext): boolean {
  const needed = requiredPermission(view.config.access, 'ask', 'spend');
  return hasPermission(view.permission ?? 'none', needed);
}

function addresseeOf(
  { view }: CommandContext,
  comment: Pick<CommentView, 'body' | 'createdAt'>,
): Addressee {
  return findAddressee({
    text: comment.body,
    at: Date.parse(comment.createdAt),
    place: 'github',
    personas: view.personas,
    appName: view.self.login,
    voices: voicesIn(
      view.comments.map(({ createdAt, marker }) => ({ at: Date.parse(createdAt), marker })),
      view.personas,
    ),
  });
}

/** The thread as the guards see it. */
function conversationOf(context: CommandContext): Conversation {
  const { view } = context;
  const { comments, issue, self, config, personas } = view;
  const kinds = classifySpeakers(
    comments.map(({ author }) => ({ by: author.login, isBot: author.isBot })),
    {
      us: [self.login],
      agents: config.access.peers,
      author: issue.author.login,
      members: comments
        .filter((each) => hasPermission(each.permission, 'triage'))
        .map((each) => each.author.login),
    },
  );
  return {
    comments: comments.map((each) => ({
      id: each.id,
      by: each.author.login,
      kind: kinds.get(each.author.login) ?? 'person',
      at: Date.parse(each.createdAt),
      text: each.body,
      addressesUs: addresseeOf(context, each).kind === 'persona' || hasCommandLine(each.body),
      addresses: othersIn(each.body, addressedIn(each.body, personas)),
    })),
    isProject: issue.isPull && issue.author.id === self.id,
  };
}

const MENTION = /(?<![\w`@/.-])@([a-z0-9][a-z0-9-]{0,38})/gi;

function othersIn(text: string, ours: readonly string[]): string[] {
  const names = Array.from(text.matchAll(MENTION), (match) => (match[1] ?? '').toLowerCase());
  return names.filter((name) => !ours.includes(name));
}

/** Where other agents take part, each waits its own time and then reads again what was said (TG-11). */
function mustWait({ talk }: CommandContext, { comments }: Conversation): boolean {
  return !talk.hasWaited && comments.some(({ kind }) => kind === 'peer' || kind === 'bot');
}

function wait({ talk, step, view }: CommandContext): Outcome {
  talk.hasWaited = true;
  talk.phase = { kind: 'waiting', timer: emitTimer(step, 'turn', turnDelayMs(view.self.login)) };
  return HANDLED;
}
