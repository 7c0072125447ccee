/** What is said to somebody who may not run a command: what is missing, and who has it. */
import type { Access, RefusalCode } from './authorise.ts';
import type { Permission } from '../domain/run/thread-ref.ts';

export interface DenialContext {
  /** The command's name. */
  command: string;
  access: Extract<Access, { allowed: false }>;
  /** Login of the owner in the configuration, who can be asked. */
  owner?: string | undefined;
  isPublic: boolean;
}

/** Automated accounts get no answer: answering them starts loops. */
const UNANSWERED = new Set<RefusalCode>(['own-output', 'bot', 'foreign-app']);

/**
 * The answer to a refused command, in one line. Undefined for automated accounts, and for strangers in a public
 * repository (CMD-01). Nobody is mentioned: a refusal is no reason to ping anyone.
 */
export function renderDenial(context: DenialContext): string | undefined {
  const { command, access, isPublic } = context;
  if (UNANSWERED.has(access.code)) return undefined;
  if (isPublic && access.held === 'none') return undefined;
  return `\`/pm ${command}\` was not run: ${REASONS[access.code](context)}.`;
}

const REASONS: Readonly<Record<RefusalCode, (context: DenialContext) => string>> = {
  'own-output': () => 'this is Quorum’s own output',
  bot: () => 'automated accounts cannot give commands',
  'foreign-app': () => 'this App is not listed under `access.allowedApps` on the default branch',
  'person-only': () => 'only a person can give it',
  'role-unknown': () => 'GitHub did not say which permission you have; try again in a minute',
  identity: () => 'GitHub did not identify your account',
  'not-listed': (context) =>
    `only the people and teams under \`access\` in the configuration may; ${ask(context)}`,
  'teams-unknown': () =>
    'only the teams under `access.allowedTeams` may, and Quorum cannot read who is in them: grant the App the optional permission `members: read`',
  permission: (context) => {
    const { needed, held } = context.access;
    return `it needs ${named(needed)} permission and you have ${named(held)}; ${ask(context)}`;
  },
};

function named(permission: Permission): string {
  return permission === 'none' ? 'none' : `\`${permission}\``;
}

function ask({ access, owner }: DenialContext): string {
  const who = owner === undefined ? 'somebody' : `\`${owner}\` or somebody`;
  return `${who} with ${named(access.needed)} permission can`;
}
