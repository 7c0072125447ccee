/** `/pm model`: which models answer in this thread and by whose choice, and switching to another of the pool (CB-14). */
import { ALLOWED, forbid, type Permit } from '../../../../domain/run/permit/permit.ts';
import { shownRuns } from '../../../../domain/run/state/run-record.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { ModelAlias } from '../../../../domain/config/config-limits.ts';
import { TIERS } from '../../../../domain/run/model-pool.ts';
import { nearest } from '../../../../domain/text/nearest.ts';
import type { ModelState, ModelSwitch, TalkView } from '../../../../domain/run/talk.ts';
import type { Undo } from '../../../../domain/commands/undo.ts';
import {
  asCode,
  done,
  inCell,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { modelInUse } from './status-command.ts';

/** Takes the choice back. */
const BACK = 'default';
/** Kept for people, newest first; only the first one counts. */
const MAX_SWITCHES = 20;

export function showModel(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const [name] = args;
  if (name === undefined) return done(describe(context));
  if (name.toLowerCase() === BACK) return goBack(context);
  const model = findModel(context.view, name);
  return 'refusal' in model ? refused(model.refusal) : switchTo(context, model.name);
}

function switchTo(context: CommandContext, model: string): CommandOutcome {
  if (context.state.switches?.[0]?.model === model)
    return done(`${asCode(model)} already answers in this thread.`);
  const undo = undoOf(context);
  note(context, { model });
  const own = ownModels(context.view);
  const say = `From now on ${asCode(model)} answers and discusses in this thread. \`/pm model ${BACK}\` goes back.${own === '' ? '' : ` Not asked to change: ${own}.`}`;
  return { ...done(say), undo };
}

function goBack(context: CommandContext): CommandOutcome {
  if (context.state.switches?.[0]?.model === undefined)
    return done('No other model was chosen for this thread.');
  const undo = undoOf(context);
  note(context, {});
  const say = 'Back to the models that the repository and this host choose.';
  return { ...done(say), undo };
}

function undoOf({ state }: CommandContext): Undo {
  const model = state.switches?.[0]?.model;
  return { kind: 'model', ...(model === undefined ? {} : { model }) };
}

/** CB-14: when it was, by whom, and at which message. */
export function note(
  { state, talk, step }: CommandContext,
  choice: Pick<ModelSwitch, 'model'>,
): void {
  const at = new Date(step.now).toISOString();
  const entry: ModelSwitch = {
    ...choice,
    by: talk.actor.login,
    at,
    commentId: talk.comment.id,
  };
  state.switches = [entry, ...(state.switches ?? [])].slice(0, MAX_SWITCHES);
}

/** A name of the pool as the pool spells it, or why it cannot be asked. */
function findModel(view: TalkView, wanted: string): { name: string } | { refusal: string } {
  const isWanted = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase();
  const tier = TIERS.find(isWanted);
  if (tier !== undefined) return { name: tier };
  const model = view.models.find(({ name }) => isWanted(name));
  if (model === undefined) return { refusal: unknown(view, wanted) };
  const permit = mayUseModel(model);
  return permit.kind === 'allowed' ? { name: model.name } : { refusal: permit.reason };
}

function unknown({ models, config }: TalkView, wanted: string): string {
  const names = [...models.map(({ name }) => name), ...TIERS];
  const meant = nearest(wanted, names);
  const isOwn = Object.hasOwn(config.models.pool, wanted);
  return [
    isOwn
      ? `${asCode(wanted)} is defined in this repository's configuration; only a host's own models answer.`
      : `There is no model ${asCode(wanted, 60)} here.`,
    meant === undefined ? '' : `Did you mean \`/pm model ${meant}\`?`,
    `The pool: ${names.map((name) => asCode(name)).join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function mayUseModel({ name, state, aliases }: ModelState): Permit {
  if (state === 'missing' || state === 'unusable')
    return forbid(
      `${asCode(name)} cannot be asked on this host (${state}); \`/pm model\` shows which can.`,
    );
  const isForText = aliases.length === 0 || aliases.some((alias) => isTextAlias(alias));
  return isForText ? ALLOWED : forbid(`${asCode(name)} does not write text.`);
}

function isTextAlias(alias: string): boolean {
  return alias === 'memoryExtraction' || TIERS.some((tier) => tier === alias);
}

function describe(context: CommandContext): string {
  const { view, state } = context;
  const rows = view.models.map(
    ({ name, provider, model, state: is }) =>
      `| ${inCell(name)} | ${inCell(provider)} | ${inCell(model)} | ${is} |`,
  );
  const own = ownModels(view);
  const parts = [
    inForce(context),
    own === '' ? '' : `With a model of their own: ${own}.`,
    history(state.switches ?? []),
    rows.length === 0
      ? ''
      : ['| name | provider | model | state |', '|---|---|---|---|', ...rows].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What holds now, and by whose choice (NW-16). */
function inForce({ view, state }: CommandContext): string {
  const last = `Answered last here: ${modelInUse(view, shownRuns(state))}.`;
  const chosen = state.switches?.[0];
  if (chosen?.model !== undefined)
    return `${asCode(chosen.model)} answers here, ${wordsOf(chosen)}. \`/pm model ${BACK}\` goes back. ${last}`;
  const rows = TIERS.map((tier) => {
    const { name, source } = sourceOf(view, tier);
    return `| ${inCell(tier)} | ${inCell(name)} | ${source} |`;
  });
  return [last, '', '| tier | model | chosen by |', '|---|---|---|', ...rows].join('\n');
}

function sourceOf(view: TalkView, tier: ModelAlias): { name: string; source: string } {
  const own = view.config.models.aliases[tier];
  const source = view.explained.find(({ key }) => key === `models.${tier}`)?.source;
  if (own !== undefined) return { name: own, source: inCell(source ?? 'this repository') };
  const given = view.models.find(({ aliases }) => aliases.includes(tier));
  return { name: given?.name ?? 'offline', source: 'this host' };
}

function ownModels({ personas }: TalkView): string {
  return personas
    .filter(({ active, model }) => active && !ModelAlias.safeParse(model).success)
    .map(({ handle, model }) =>
      [asCode(handle), asCode(typeof model === 'string' ? model : model.model)].join(' with '),
    )
    .join(', ');
}

const MAX_SHOWN = 5;

function history(switches: readonly ModelSwitch[]): string {
  const [, ...earlier] = switches;
  if (earlier.length === 0) return '';
  const lines = earlier
    .slice(0, MAX_SHOWN)
    .map((each) => `${asCode(each.model ?? BACK)} ${wordsOf(each)}`);
  return `Before that: ${lines.join('; ')}.`;
}

function wordsOf({ by, at, commentId }: ModelSwitch): string {
  return `chosen by ${asCode(by)} on ${at.slice(0, 16)}Z in comment ${commentId}`;
}
