/** `/pm review`, `/pm deliberate` and `/pm watch`: a person asks for a run without a label. */
import { ALLOWED, forbid, type Permit } from '../../../domain/run/permit/permit.ts';
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { isPosting, questionOf, type Run } from '../../../domain/run/state/run-record.ts';
import type { CouncilTrigger } from '../../../domain/run/run-trigger.ts';
import { resolvePersona } from '../../../domain/persona/roster.ts';
import { startRun } from '../../discussion/start-run.ts';
import { endRunOf } from './control-commands.ts';
import { runKindOf } from '../../kinds/run-kinds.ts';
import {
  asCode,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { labelHere } from './show/status-command.ts';

export function requestReview(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const permit = mayBeginWork(context);
  if (permit.kind === 'refused') return refused(permit.reason);
  const { personas } = context.view;
  const wanted = args.map((word) => word.replace(/^@|,$/g, ''));
  const found = wanted.map((name) => resolvePersona(personas, name)?.handle);
  const unknown = wanted.find((_, index) => found[index] === undefined);
  if (unknown !== undefined) return refused(nobodyNamed(context, unknown));
  const named = [...new Set(found.filter((handle) => handle !== undefined))];
  return begin(context, 'pr_review', { label: '/pm review', named });
}

/** Who can be asked, when the one named cannot. */
export function nobodyNamed({ view }: CommandContext, name: string): string {
  const active = view.personas.filter((persona) => persona.active);
  return `The team has no member called ${asCode(name, 40)}. The team: ${active.map(({ handle }) => asCode(handle)).join(', ')}.`;
}

export function requestDeliberation(
  context: CommandContext,
  { text }: ParsedCommand,
): CommandOutcome {
  if (context.view.issue.isPull)
    return refused('Pull requests are reviewed, not discussed: `/pm review`.');
  const permit = mayBeginWork(context);
  if (permit.kind === 'refused') return refused(permit.reason);
  const question = text === '' ? {} : { question: text };
  return begin(context, 'issue_review', { label: '/pm deliberate', ...question });
}

/** The code watch is a standalone run: any thread of the repository will do. */
export function watch(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const permit = mayBeginWork(context);
  if (permit.kind === 'refused') return refused(permit.reason);
  const path = (args[0] ?? '').replaceAll(/^(?:\.?\/)+|(?<!\/)\/+$/g, '');
  return begin(context, 'code_watch', { label: '/pm watch', path });
}

/** A hold keeps what is new from beginning. */
export function mayBeginWork({ view }: CommandContext): Permit {
  const held = labelHere(view, 'hold');
  if (!view.issue.labels.includes(held)) return ALLOWED;
  return forbid(
    `This thread is on hold (label ${asCode(held)}): no new work starts here. \`/pm unhold\` removes the hold.`,
  );
}

interface Wish {
  label: string;
  named?: string[];
  question?: string;
  path?: string;
}

function begin(
  context: CommandContext,
  kind: CouncilTrigger,
  { label, named = [], question, path = '' }: Wish,
): CommandOutcome {
  const { state, talk, step, event } = context;
  const waiting = state.runs[kind];
  if (waiting?.status === 'blocked' && !isPosting(waiting)) {
    const isAnother = named.length > 0 || question !== undefined;
    if (!isAnother) return refused(waitingForText(waiting));
    endRunOf(context, waiting, `${asCode(talk.actor.login)} asked for another one`);
  }
  const { effects, events, ignored } = startRun(state, {
    // A thread's several requests in one comment are several causes.
    event: { ...event, id: `${talk.id}/${label}` },
    trigger: { kind: 'requested', by: 'command', thread: talk.thread, actor: talk.actor, label },
    kind,
    label,
    now: step.now,
    runKind: runKindOf({ trigger: kind }),
    ...(named.length === 0 ? {} : { named }),
    ...(question === undefined ? {} : { question }),
    ...(path === '' ? {} : { path }),
    askedIn: talk.comment,
  });
  step.effects.push(...effects);
  step.events.push(...events);
  if (ignored === undefined) return { isDone: true, isUnderWay: true };
  return { isDone: true, say: 'It is already running; one answer serves both requests.' };
}

/** The same again would only ask the same again. */
function waitingForText(run: Run): string {
  const needsYou = questionOf(run);
  const who = asCode(needsYou?.owner ?? run.settings.owner);
  const since = needsYou === undefined ? '' : ` since ${needsYou.since.slice(0, 16)}Z`;
  const what = needsYou === undefined ? '' : `: ${asCode(needsYou.question, 300)}`;
  return `It waits for an answer by ${who}${since}${what}. A comment by them, by the author or by anybody with the \`triage\` role lets it go on; \`/pm stop\` ends it.`;
}
