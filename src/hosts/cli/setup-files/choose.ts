/** What a new set-up is to have: from flags, and from questions where somebody can answer. */
import {
  MODEL_SECRETS,
  MORE_WORKFLOWS,
  type ModelSecret,
  type MoreWorkflow,
  type SetupChoices,
} from '../../../domain/setup/setup-files.ts';
import { nearest } from '../../../domain/text/nearest.ts';
import type { InitFlags } from './flags.ts';
import { usageError } from '../report-failure.ts';
import type { Prompts } from '../terminal/prompts.ts';

const KEY_NAMES: Readonly<Record<string, ModelSecret>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
};
const DEFAULT_USD = '5';
const MAX_USD = 1_000_000;

export type Choices = Omit<SetupChoices, 'pin' | 'branch'>;

/** ConfigError `choice-invalid`. */
export function choicesFrom(flags: InitFlags): Choices {
  return {
    secrets: parseKeys(flags.keys ?? 'anthropic'),
    perDayUsd: parseUsd(flags.dailyUsd ?? DEFAULT_USD),
    hasTemplates: flags.templates,
    more: parseMore(flags.with ?? ''),
    ...toAppId(flags.appId ?? ''),
  };
}

/** Asks for what no flag says. */
export async function askChoices(flags: InitFlags, prompts: Prompts): Promise<Choices> {
  const given = choicesFrom(flags);
  const secrets =
    flags.keys === undefined
      ? await prompts.multiselect({
          message: 'Which model keys does this repository have as secrets? None: offline rules',
          options: MODEL_SECRETS.map((value) => ({ value, label: value })),
          initial: given.secrets,
        })
      : given.secrets;
  const usd =
    flags.dailyUsd === undefined && secrets.length > 0
      ? await prompts.text({
          message: 'Most that discussions may cost in a day, in US dollars',
          initial: DEFAULT_USD,
          refuse: refuseUsd,
        })
      : String(given.perDayUsd);
  const hasTemplates =
    flags.templates &&
    (await prompts.confirm({
      message: 'Add issue templates for plans and questions?',
      initial: true,
    }));
  const more =
    flags.with === undefined
      ? await prompts.multiselect({
          message: 'Which other workflows? Each of them costs model calls',
          options: MORE_WORKFLOWS.map((value) => ({ value, label: MORE_LABELS[value] })),
          initial: [],
        })
      : given.more;
  const appId =
    more?.includes('code') === true && flags.appId === undefined
      ? toAppId(
          await prompts.text({
            message: 'Number of the account of the App, as quorum doctor shows it (may stay empty)',
            initial: '',
            refuse: (text) => (text === '' || APP_ID.test(text) ? undefined : APP_ID_FORM),
          }),
        )
      : {};
  const chosen = { ...given, secrets, perDayUsd: parseUsd(usd), hasTemplates };
  return { ...chosen, ...(more && { more }), ...appId };
}

const MORE_LABELS: Readonly<Record<MoreWorkflow, string>> = {
  tasks: 'tasks: a person starts a task of a plan, and approves its merge',
  sweeps: 'sweeps: every hour, what was lost is done',
  code: 'code: an App with QUORUM_CODER=actions has code written here',
};

const APP_ID = /^\d{1,15}$/;
const APP_ID_FORM = 'Write the number that quorum doctor shows in the line `coder`.';

function toAppId(text: string): Pick<Choices, 'appId'> {
  if (text === '') return {};
  if (APP_ID.test(text)) return { appId: text };
  throw usageError('choice-invalid', `--app-id is ${JSON.stringify(text)}. ${APP_ID_FORM}`);
}

function parseKeys(text: string): ModelSecret[] {
  if (text === 'none') return [];
  const named = text.split(',').map((name) => {
    const secret = KEY_NAMES[name.trim()];
    if (secret !== undefined) return secret;
    throw usageError('choice-invalid', `--keys names ${name}. Write anthropic, openai or none.`);
  });
  return MODEL_SECRETS.filter((secret) => named.includes(secret));
}

function parseMore(text: string): MoreWorkflow[] {
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find(
    (name) => name !== '' && !MORE_WORKFLOWS.some((each) => each === name),
  );
  if (unknown === undefined) return MORE_WORKFLOWS.filter((name) => named.includes(name));
  const meant = nearest(unknown, MORE_WORKFLOWS);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw usageError(
    'choice-invalid',
    `--with names ${JSON.stringify(unknown)}.${hint} Write ${MORE_WORKFLOWS.join(' or ')}.`,
  );
}

function refuseUsd(text: string): string | undefined {
  const amount = Number(text);
  const isGood = text.trim() !== '' && amount >= 0 && amount <= MAX_USD;
  return isGood ? undefined : `Write an amount from 0 to ${MAX_USD}, such as 5 or 2.50.`;
}

function parseUsd(text: string): number {
  const why = refuseUsd(text);
  if (why !== undefined) throw usageError('choice-invalid', `--daily-usd is ${text}. ${why}`);
  return Number(text);
}
