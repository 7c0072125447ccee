/** Runs the commands of one comment: each is authorised, done, and told of in the one answer. */
import { ALLOWED, forbid, permitOf, type Permit } from '../../../domain/run/permit/permit.ts';
import type { Outcome } from '../../run/outcome.ts';
import { authorise, type Access } from '../../../policy/authorise.ts';
import type { ParsedCommand, ParsedComment } from '../../../domain/commands/command.ts';
import { renderDenial } from '../../../policy/denial.ts';
import { renderCommandHelp, renderHelp, renderIgnored } from '../../../domain/commands/help.ts';
import { findCommand, kindOf } from '../../../domain/commands/registry.ts';
import type { TalkView } from '../../../domain/run/talk.ts';
import { askNext } from '../conversation/question.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { finishThread } from './plan/done-command.ts';
import { saveUndo, undo } from './plan/undo-command.ts';
import { hold, pause, resume, stop, unhold } from './control-commands.ts';
import { requestDeliberation, requestReview, watch } from './council-commands.ts';
import { explainPull } from './show/explain-command.ts';
import { okToRun } from './plan/ok-to-run-command.ts';
import { changeMemory } from './change-note.ts';
import { correctAnswer } from './correct-command.ts';
import { applyFeedback } from './feedback-command.ts';
import { confirmLink } from './link-command.ts';
import { forgetText, memory, rememberText } from './memory-commands.ts';
import { addProposed, operationNumbers, removeProposed } from './proposal-commands.ts';
import { showModel } from './show/model-command.ts';
import { approve, merge, reject } from './plan/plan-commands.ts';
import { plan, revise } from './plan/planning-commands.ts';
import { ask, consult } from './question-commands.ts';
import { drop, finish, react, reply } from './send-reply.ts';
import { runDoctor, showSettings, showCost, showReport } from './show/settings-commands.ts';
import { showStatus } from './show/status-command.ts';
import {
  blockTask,
  claimFor,
  release,
  retry,
  run as runTasks,
  unblock,
} from './plan/task-commands.ts';
import { decideTension, holdStandup, listTensions } from './tension-commands.ts';
import { explainRun } from './show/why-command.ts';

type Runner = (context: CommandContext, command: ParsedCommand) => CommandOutcome;

/** What is built; test/decide/talk/commands holds it against the registry. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  status: showStatus,
  link: confirmLink,
  help,
  ask,
  remember: rememberText,
  memory,
  forget: forgetText,
  remove: removeProposed,
  add: addProposed,
  change: changeMemory,
  correct: correctAnswer,
  review: requestReview,
  deliberate: requestDeliberation,
  watch,
  standup: holdStandup,
  tensions: listTensions,
  tension: decideTension,
  consult,
  model: showModel,
  cost: showCost,
  report: showReport,
  why: explainRun,
  explain: explainPull,
  'ok-to-run': okToRun,
  config: showSettings,
  doctor: runDoctor,
  hold,
  unhold,
  pause,
  resume,
  stop,
  feedback: applyFeedback,
  plan,
  revise,
  approve,
  reject,
  merge,
  done: finishThread,
  undo,
  run: runTasks,
  claim: claimFor,
  release,
  retry,
  block: blockTask,
  unblock,
};

/** In a paused repository these are done besides those that only read. */
const EVEN_PAUSED = new Set(['pause', 'resume', 'stop', 'hold', 'unhold']);
const CLOSED =
  'This thread is closed, so commands do not run here. Reopen it, or use an open thread.';

/** Takes what was parsed of a comment. */
export function runCommands(context: CommandContext, parsed: ParsedComment): Outcome {
  const { talk } = context;
  const outcomes = parsed.commands.map((command) => ({
    command,
    isShut: isShut(context, command),
    ...runOne(context, command),
  }));
  const ignored = mayRead(context) ? renderIgnored(parsed.ignored) : undefined;
  if (outcomes.every((each) => each.isSilent) && ignored === undefined)
    return drop(context, 'nobody who may give commands here');
  const said = outcomes.flatMap((each) => (each.isShut ? [CLOSED] : render(each)));
  talk.parts = [...new Set([...said, ...(ignored === undefined ? [] : [ignored])])];
  talk.isDone = outcomes.some(({ outcome }) => outcome.isDone && outcome.question === undefined);
  talk.questions = outcomes.flatMap(({ outcome }) => outcome.question ?? []);
  if (talk.questions.length > 0) {
    react(context, 'eyes');
    return askNext(context);
  }
  if (!outcomes.some(({ outcome }) => outcome.isUnderWay)) return finish(context);
  // The run itself says at its end how it went.
  react(context, 'eyes');
  if (talk.parts.length > 0) reply(context, talk.parts.join('\n\n'));
  return drop(context);
}

const FOUND_LATE =
  'GitHub did not deliver this comment, so it was found later. Something may have changed since then. Look at the current state, and repeat the command if you still want it.';

/** A standup comes after the end of the work that it is about. */
const LOOKING_BACK: ReadonlySet<string> = new Set(['standup', 'tensions', 'tension']);

/** What is proposed once work is over is answered where it was proposed. */
const ANSWERS: ReadonlySet<string> = new Set(['memory', 'remove', 'add', 'change']);

function isShut(context: CommandContext, { name }: ParsedCommand): boolean {
  if (context.view.issue.state !== 'closed' || LOOKING_BACK.has(name)) return false;
  const waiting = operationNumbers(context).length + (context.state.lessons?.length ?? 0);
  return waiting === 0 || !ANSWERS.has(name);
}

interface Ran {
  outcome: CommandOutcome;
  /** Nothing is to be seen of it at all. */
  isSilent: boolean;
}

function runOne(context: CommandContext, command: ParsedCommand): Ran {
  const access = accessTo(context, command);
  if (!access.allowed) return deny(context, command, access);
  return { outcome: runAllowed(context, command), isSilent: false };
}

function accessTo(
  { talk, view }: CommandContext,
  command: Pick<ParsedCommand, 'name' | 'args'>,
): Access {
  const { actor, address } = talk;
  const { permission, teams } = view;
  return authorise({
    command,
    asker: { ...actor, appId: address.appId, teams },
    // Read by numeric id: an answer about another account counts as no permission.
    role: permission === undefined ? undefined : { userId: actor.id, permission },
    access: view.config.access,
    // Our own App's comments end at the door; here its account is known.
    us: { appId: OUR_APP, botId: view.self.id },
  });
}

/** No App has this id. */
const OUR_APP = 0;

/** Whether the author may receive an answer at all. */
function mayRead(context: CommandContext): boolean {
  return accessTo(context, { name: 'help', args: [] }).allowed;
}

/** Told once to each person and thread; a refusal is no reason for a second comment. */
function deny(
  { state, talk, view }: CommandContext,
  { name }: ParsedCommand,
  access: Extract<Access, { allowed: false }>,
): Ran {
  const { owner } = view.config.access;
  const isPublic = !view.repository.isPrivate;
  const words = renderDenial({ command: name, access, owner, isPublic });
  if (words === undefined) return { outcome: refused(), isSilent: true };
  const told = state.denied ?? [];
  const isTold = told.some((each) => each.id === talk.actor.id && each.comment !== talk.comment.id);
  state.denied = [...told, { id: talk.actor.id, comment: talk.comment.id }].slice(-MAX_DENIED);
  return { outcome: isTold ? refused() : refused(words), isSilent: false };
}

const MAX_DENIED = 50;

function runAllowed(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const entry = findCommand(command.name);
  const runner = entry === undefined ? undefined : RUNNERS[entry.name];
  const { issue } = context.view;
  if (isShut(context, command)) return refused();
  if (entry === undefined || runner === undefined)
    return refused('This command is not available yet. See `/pm help`.');
  if (entry.where === 'pull' && !issue.isPull)
    return refused('This command works only on pull requests.');
  if (entry.person === true && context.talk.foundBy !== undefined) return refused(FOUND_LATE);
  const permit = mayRunNow(context, command);
  if (permit.kind === 'refused') return refused(permit.reason);
  const outcome = runner(context, command);
  saveUndo(context, command, outcome);
  return outcome;
}

/** Reading goes on and people may always stop the team; nothing else is done in a pause or after TG-1. */
function mayRunNow({ stopped, view }: CommandContext, command: ParsedCommand): Permit {
  if (kindOf(command) === 'read' || EVEN_PAUSED.has(command.name)) return ALLOWED;
  return view.paused === undefined ? permitOf(stopped) : forbid(pausedReason(view.paused));
}

function pausedReason({ by }: NonNullable<TalkView['paused']>): string {
  return `${asCode(by)} paused the work in this repository; \`/pm resume\` lets it go on.`;
}

function help({ view }: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const name = args.at(-1);
  const { access } = view.config;
  return done(name === undefined ? renderHelp(access) : renderCommandHelp(name, access));
}

/** The command as it was given, quoted, then what came of it. */
function render({
  command,
  outcome,
}: {
  command: ParsedCommand;
  outcome: CommandOutcome;
}): string[] {
  if (outcome.say === undefined) return [];
  return [`> ${asCode(`/pm ${command.name} ${command.text}`)}\n\n${outcome.say}`];
}
