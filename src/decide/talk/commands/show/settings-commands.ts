/** `/pm config`, `doctor`, `cost` and `report`: what holds here, whether all is there, what was spent. */
import { hasEffect } from '../../../../domain/config/availability.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import type { ExplainedValue } from '../../../../domain/config/config-file.ts';
import { findLead } from '../../../../domain/persona/roster.ts';
import type { TalkView } from '../../../../domain/run/talk.ts';
import {
  asCode,
  done,
  inCell,
  money,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { renderValue } from './value-command.ts';
import { spending } from './status-command.ts';

/** Configured values come first, and the defaults are folded away. */
export function showSettings({ view }: CommandContext): CommandOutcome {
  const set = view.explained.filter((each) => each.source !== 'default');
  const defaults = view.explained.filter(
    ({ key, source }) => source === 'default' && hasEffect(key),
  );
  const own =
    set.length === 0 ? 'Nothing is configured, so every setting has its default.' : table(set);
  const parts = [
    own,
    ...problems(view),
    ...unreadableTeams(view),
    `<details><summary>${defaults.length} defaults</summary>\n\n${table(defaults)}\n\n</details>`,
  ];
  return done(parts.join('\n\n'));
}

function table(values: readonly ExplainedValue[]): string {
  const rows = values.map(
    ({ key, value, source }) =>
      `| ${inCell(key)} | ${inCell(JSON.stringify(value) ?? '')} | ${inCell(source)}${hasEffect(key) ? '' : ', no effect yet'} |`,
  );
  return ['| key | value | from |', '|---|---|---|', ...rows].join('\n');
}

const MAX_PROBLEMS = 10;

function problems({ problems: all }: TalkView): string[] {
  return all
    .slice(0, MAX_PROBLEMS)
    .map(
      ({ file, line, message, severity }) =>
        `**${severity === 'error' ? 'To fix' : 'Remark'}:** ${asCode(`${file}:${line}`)} ${asCode(message, 300)}`,
    );
}

function unreadableTeams({ config, teams }: TalkView): string[] {
  if (config.access.allowedTeams.length === 0 || teams !== undefined) return [];
  return [
    '**To fix:** `access.allowedTeams` lists teams, and Quorum cannot read who is in them, so membership of a team gives no access. Grant the App the optional permission `members: read`.',
  ];
}

interface Check {
  is: boolean;
  name: string;
  says: string;
}

export function runDoctor({ view }: CommandContext): CommandOutcome {
  const checks = [...checkSettings(view), ...checkTeam(view), checkModels(view), checkBudget(view)];
  const bad = checks.filter((check) => !check.is).length;
  const head =
    bad === 0 ? 'Quorum has everything it needs.' : `${bad} of ${checks.length} to look at.`;
  const rows = checks.map(
    ({ is, name, says }) => `| ${is ? 'ok' : '**look**'} | ${name} | ${says} |`,
  );
  return done([head, '', '| | | |', '|---|---|---|', ...rows].join('\n'));
}

function checkSettings(view: TalkView): Check[] {
  const { repository, config, paused } = view;
  const errors = view.problems.filter((each) => each.severity === 'error');
  const [first] = errors;
  return [
    {
      is: config.enabled && paused === undefined && !repository.isArchived,
      name: 'work',
      says: workSays(view),
    },
    {
      is: errors.length === 0,
      name: 'configuration',
      says:
        first === undefined
          ? 'no error'
          : `${errors.length} to fix, first ${inCell(`${first.file}:${first.line} ${first.message}`)}`,
    },
    {
      is: repository.headSha !== '',
      name: 'code',
      says:
        repository.headSha === ''
          ? 'the repository has no commit'
          : `${inCell(repository.defaultBranch)} at ${inCell(repository.headSha.slice(0, 12))}`,
    },
  ];
}

function workSays({ config, paused, repository }: TalkView): string {
  if (!config.enabled) return 'switched off: `enabled: false`';
  if (repository.isArchived) return 'the repository is archived';
  return paused === undefined ? 'goes on' : `paused by ${inCell(paused.by)}`;
}

function checkTeam({ personas }: TalkView): Check[] {
  const active = personas.filter((persona) => persona.active);
  const lead = findLead(personas, 'issue_review');
  return [
    { is: active.length > 0, name: 'team', says: `${active.length} of ${personas.length} active` },
    {
      is: lead !== undefined,
      name: 'lead',
      says:
        lead === undefined ? 'no lead: discussions cannot end with a verdict' : inCell(lead.handle),
    },
  ];
}

function checkModels({ models }: TalkView): Check {
  const ready = models.filter(
    (model) =>
      model.provider !== 'offline' && (model.state === 'ready' || model.state === 'half-open'),
  );
  const says =
    ready.length === 0
      ? 'offline rules only: no model has a key that works'
      : ready.map((model) => inCell(model.name)).join(', ');
  return { is: ready.length > 0, name: 'models', says };
}

function checkBudget({ spent, config, hostMoney }: TalkView): Check {
  const cap = Math.min(config.budget.perDayUsd, hostMoney?.repository?.capUsd ?? Infinity);
  return {
    is: spent.day.usd < cap * config.budget.warnAt,
    name: 'budget',
    says: `${money(spent.day.usd, spent.day.unknownCalls > 0)} of ${money(cap)} in the last day`,
  };
}

const PERIODS = { thread: 'This thread', day: 'Last 24 hours', month: 'Last 30 days' } as const;

export function showCost({ view }: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const { council, pm, coder, perDayUsd } = view.config.budget;
  const caps = {
    thread: `cap ${money(council.perThreadUsd)} for discussions, ${money(pm.perThreadUsd)} for answers, ${money(coder.perThreadUsd)} for the code of one task`,
    day: `cap ${money(perDayUsd)} for the repository, ${money(coder.perDayUsd)} of it for code`,
    month: 'no cap',
  };
  const wanted = (['thread', 'day', 'month'] as const).filter(
    (period) => args[0] === undefined || args[0].toLowerCase() === period,
  );
  const lines = [
    ...wanted.map(
      (period) => `- ${PERIODS[period]}: ${spending(view.spent[period])} (${caps[period]})`,
    ),
    ...(wanted.includes('day') ? hostLimits(view) : []),
  ];
  const value = args.length === 0 ? renderValue(view) : '';
  return done([lines.join('\n'), value].filter((part) => part !== '').join('\n\n'));
}

/** The operator's limits. Of the installation a public thread reads no sum: private repositories are part of it. */
function hostLimits({ hostMoney = {}, repository: { isPrivate } }: TalkView): string[] {
  const { repository, installation, total } = hostMoney;
  const limits = [
    repository && `${money(repository.capUsd)} for this repository`,
    installation &&
      `${money(installation.capUsd)} for the installation (${usedOf(installation, isPrivate)})`,
    total && `one for all repositories together (${reachedOr(total.isReached)})`,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0
    ? []
    : [`- Limits that the operator of this Quorum set for 24 hours: ${limits.join(', ')}`];
}

function usedOf(
  { capUsd, spentUsd }: { capUsd: number; spentUsd: number },
  isPrivate: boolean,
): string {
  return isPrivate ? `${money(spentUsd)} used` : reachedOr(spentUsd >= capUsd);
}

function reachedOr(isReached: boolean): string {
  return isReached ? 'reached' : 'not reached';
}

/** The figures are read and put into words where the store is (`look-comment`). */
export function showReport({ view: { report } }: CommandContext): CommandOutcome {
  return report === undefined ? refused(NO_REPORT) : done(report);
}

const NO_REPORT = 'The report could not be read this time. Comment `/pm report` again.';
