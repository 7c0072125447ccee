/** People in a journal: the opening of a thread, their comments, and whose approval work rests on. */
import { planDigest } from '../../../domain/plan/plan-digest.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import type { Actor } from '../../../domain/run/thread-ref.ts';
import type { CommentView } from '../../../domain/run/view.ts';
import { placeOfKey } from '../../thread-record.ts';
import { quoteCode, inLine, quoted } from '../quote.ts';
import type { ApprovalSeen, Done, Scene, Told } from './scene.ts';

interface Opening {
  title: string;
  body: string;
  author: Actor;
  isPull: boolean;
}

/** The first look at a thread tells who opened it; later ones tell nothing. */
function tellOpening({ title, body, author, isPull }: Opening, scene: Scene): Told[] {
  const { key } = scene.event;
  if (key === scene.key) scene.journal.title = inLine(title, scene.rules);
  if (scene.opened.has(key)) return [];
  scene.opened.add(key);
  const own = Number(key.split('/').at(-1));
  // The journal of the task already told of a pull request that it opened.
  if (scene.journal.pulls.some((pull) => pull.number === own)) return [];
  const what = isPull ? 'pull request' : 'issue';
  const text = `**${quoteCode(author.login)} opened ${what} #${own}**: ${inLine(title, scene.rules)}`;
  return [{ kind: 'person', text, ...quoteOf(body, scene) }];
}

function quoteOf(body: string, scene: Scene): { quote?: string } {
  const quote = quoted(body, scene.rules);
  return quote === '' ? {} : { quote };
}

/** Comments of people that no earlier view had. */
function tellComments(comments: readonly CommentView[], scene: Scene): Told[] {
  return comments
    .filter(({ author, marker }) => !author.isBot && marker === undefined)
    .flatMap((comment) => tellComment(comment, scene));
}

type Comment = Pick<CommentView, 'id' | 'author' | 'body'>;

function tellComment({ id, author, body }: Comment, scene: Scene): Told[] {
  if (scene.heard.has(id) || author.isBot) return [];
  scene.heard.add(id);
  noteApproval({ id, author, body }, scene);
  const isCommand = /^\/\w[^\n]*$/.test(body.trim());
  const said = isCommand
    ? { text: ` ${quoteCode(body.trim())}` }
    : { text: '', ...quoteOf(body, scene) };
  const told: Told = {
    kind: 'person',
    ...said,
    text: `**${quoteCode(author.login)} wrote${whereOf(scene)}**${said.text}`,
  };
  const choice = scene.switches.get(id);
  return choice === undefined ? [told] : [told, tellSwitch(choice)];
}

/** Of another thread than the journal's own, such as the pull request of a task. */
function whereOf({ event, key }: Scene): string {
  const number = placeOfKey(event.key)?.number;
  return number === undefined || event.key === key ? '' : ` on #${number}`;
}

function tellSwitch({ model, by }: { model?: string; by: string }): Told {
  const text =
    model === undefined
      ? `${quoteCode(by)} went back to the usual models.`
      : `From here on ${quoteCode(model)} answers in this thread, chosen by ${quoteCode(by)}.`;
  return { kind: 'model', text };
}

const APPROVE = /^ {0,3}\/pm[ \t]{1,9}(?:approve|run)\b/im;

/** Whether it is one shows when work begins on it. */
function noteApproval({ id, author, body }: Comment, scene: Scene): void {
  const address = scene.addressed.get(id);
  const isCommand = APPROVE.test(body);
  if (!isCommand && address?.isYes !== true) return;
  const how = isCommand ? 'command' : 'words';
  const digest = address?.digest ?? scene.planDigest;
  scene.approvals.set(author.id, { by: author, how, digest, isTold: false });
}

export function tellLook({ result }: Done<'look' | 'look-code'>, scene: Scene): Told[] {
  const { issue, comments } = result.view;
  return [...tellOpening(issue, scene), ...tellComments(comments, scene)];
}

export function tellPullLook({ result }: Done<'look-pull'>, scene: Scene): Told[] {
  const { pull, comments } = result.view;
  return [...tellOpening({ ...pull, isPull: true }, scene), ...tellComments(comments, scene)];
}

export function tellCommentLook({ result }: Done<'look-comment'>, scene: Scene): Told[] {
  if (result.kind === 'gone') return [];
  const { issue, comment } = result.view;
  return [...tellOpening(issue, scene), ...tellComment(comment, scene)];
}

/** A plan's text: as it was first read, and each other text that it got since. */
export function tellPlanLook({ result }: Done<'look-plan'>, scene: Scene): Told[] {
  const { issue, writer, thumbs } = result;
  for (const by of thumbs ?? [])
    scene.approvals.set(by.id, { by, how: 'reaction', digest: scene.planDigest, isTold: false });
  if (scene.event.key === scene.key) scene.journal.title = inLine(issue.title, scene.rules);
  if (issue.body === scene.planSource) return [];
  scene.planSource = issue.body;
  const plan = parsePlan(issue.body);
  const digest = planDigest(plan);
  const before = scene.planDigest;
  if (digest === before) return [];
  scene.planDigest = digest;
  scene.opened.add(scene.event.key);
  const lines = plan.tasks.map(
    ({ number, title }) => `Task ${number}: ${inLine(title, scene.rules)}`,
  );
  const text =
    before === undefined
      ? `**${quoteCode(issue.author.login)} wrote plan #${issue.number}**, version ${versionOf(digest)}.`
      : `**The plan was changed** to version ${versionOf(digest)}${writer === undefined ? '' : ` by ${quoteCode(writer.login)}`}.`;
  return [{ kind: 'planning', text, lines, ...quoteOf(plan.goal, scene) }];
}

export function versionOf(digest: string): string {
  return quoteCode(digest.slice(0, 12));
}

/** What a delivery says besides: the text that a comment or label was given to, and the end of a thread. */
export function tellTrigger(trigger: Trigger, scene: Scene): Told[] {
  if (trigger.kind === 'commented') noteAddress(trigger, scene);
  if (trigger.kind === 'labeled' && trigger.plan !== undefined)
    scene.approvals.set(trigger.actor.id, {
      by: trigger.actor,
      how: 'label',
      digest: trigger.plan.digest,
      isTold: false,
    });
  if (trigger.kind !== 'ended' && trigger.kind !== 'reopened') return [];
  const isOwn = scene.event.key === scene.key;
  if (isOwn) scene.journal.state = trigger.kind === 'ended' ? 'closed' : 'open';
  const how = trigger.kind === 'ended' ? trigger.how : 'reopened';
  return [
    {
      kind: 'close',
      text: `**${quoteCode(trigger.actor.login)}** ${how} #${trigger.thread.number}.`,
    },
  ];
}

function noteAddress(trigger: Extract<Trigger, { kind: 'commented' }>, scene: Scene): void {
  const { commentId, address } = trigger;
  if (address === undefined) return;
  scene.addressed.set(commentId, {
    digest: address.planDigest,
    isYes: address.isYes === true,
  });
}

const HOW: Readonly<Record<ApprovalSeen['how'], string>> = {
  command: 'by command',
  label: 'by a label',
  words: 'in words',
  reaction: 'by a thumbs-up',
};

/** Told once, when the first task begins on it. */
export function tellApproval(by: { id: number; login: string }, scene: Scene): Told[] {
  const seen = scene.approvals.get(by.id);
  if (seen?.isTold === true) return [];
  scene.approvals.set(by.id, {
    ...(seen ?? { by, how: 'command', digest: scene.planDigest }),
    isTold: true,
  });
  if (!scene.journal.approvedBy.includes(by.login)) scene.journal.approvedBy.push(by.login);
  const how = seen === undefined ? '' : ` ${HOW[seen.how]}`;
  const digest = seen?.digest ?? scene.planDigest;
  const version = digest === undefined ? 'the plan' : `version ${versionOf(digest)} of the plan`;
  return [{ kind: 'approval', text: `**${quoteCode(by.login)} approved ${version}**${how}.` }];
}
