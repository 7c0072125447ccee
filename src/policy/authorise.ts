/** Who may run a command: numeric ids, the collaborator's role, the repository's rules, and floors that nothing lowers. */
import type { ParsedCommand } from '../domain/commands/command.ts';
import { findCommand, kindOf } from '../domain/commands/registry.ts';
import { requiredPermission, type CommandKind, type Config } from '../domain/config/config.ts';
import {
  hasPermission,
  PERMISSIONS,
  type Actor,
  type Permission,
} from '../domain/run/thread-ref.ts';

/** What GitHub's collaborator API says of an account, right now. */
export interface CollaboratorRole {
  /** The account that the answer is about: a login can belong to another one now. */
  userId: number;
  /** `admin`, `write`, `read` or `none`. */
  permission: string;
  /** One of the built-in roles, or the name of a custom one. */
  roleName?: string | undefined;
}

/** Who asks. */
interface Asker extends Actor {
  /** The App that wrote the comment, by itself or for somebody. */
  appId?: number | undefined;
  /** Teams of the organisation that the account is in, by slug; undefined when that is not known. */
  teams?: readonly string[] | undefined;
}

export interface AccessQuestion {
  command: Pick<ParsedCommand, 'name' | 'args'>;
  asker: Asker;
  /** Undefined when GitHub could not be asked: then the answer is no. */
  role: CollaboratorRole | undefined;
  /** From the default branch's configuration. */
  access: Config['access'];
  /** Ids of our own App and its account. */
  us: { appId: number; botId: number };
}

export type RefusalCode =
  | 'own-output'
  | 'bot'
  | 'foreign-app'
  | 'person-only'
  | 'role-unknown'
  | 'identity'
  | 'not-listed'
  | 'teams-unknown'
  | 'permission';

export type Access =
  | { allowed: true; held: Permission; needed: Permission }
  | { allowed: false; code: RefusalCode; held: Permission; needed: Permission };

/** An App that the owner listed has the rights of somebody with write access, and no more. */
const LISTED_APP: Permission = 'write';

/**
 * Decides whether a command may be run. To be asked at receipt and again before the effect: a role can be taken away
 * in between. Unknown is no.
 */
export function authorise(question: AccessQuestion): Access {
  const { command, access } = question;
  const kind: CommandKind = kindOf(command);
  const needed = requiredPermission(access, command.name.toLowerCase(), kind);
  const held = heldBy(question);
  const code = refusalBy(question) ?? (hasPermission(held, needed) ? undefined : 'permission');
  return code === undefined
    ? { allowed: true, held, needed }
    : { allowed: false, code, held, needed };
}

/** The built-in role that an answer comes to. A custom role counts as the one it is built on. */
export function toHeldPermission(
  role: Pick<CollaboratorRole, 'permission' | 'roleName'>,
): Permission {
  return builtIn(role.roleName) ?? builtIn(role.permission) ?? 'none';
}

function builtIn(name: string | undefined): Permission | undefined {
  return PERMISSIONS.find((permission) => permission === name);
}

function isListedApp({ asker, access }: AccessQuestion): boolean {
  return asker.appId !== undefined && access.allowedApps.includes(asker.appId);
}

function heldBy(question: AccessQuestion): Permission {
  const { asker, role } = question;
  if (asker.isBot) return isListedApp(question) ? LISTED_APP : 'none';
  return role === undefined || role.userId !== asker.id ? 'none' : toHeldPermission(role);
}

/** Why the asker is out of the question, whatever the role. */
function refusalBy(question: AccessQuestion): RefusalCode | undefined {
  const { asker, command, us } = question;
  if (asker.appId === us.appId || asker.id === us.botId) return 'own-output';
  if (asker.appId !== undefined && !isListedApp(question)) return 'foreign-app';
  const isPerson = !asker.isBot && asker.appId === undefined;
  if (!isPerson && findCommand(command.name)?.person === true) return 'person-only';
  if (asker.isBot) return asker.appId === undefined ? 'bot' : undefined;
  return refusalOfPerson(question);
}

function refusalOfPerson({ asker, role, access }: AccessQuestion): RefusalCode | undefined {
  if (!Number.isSafeInteger(asker.id) || asker.id <= 0) return 'identity';
  if (role === undefined) return 'role-unknown';
  if (role.userId !== asker.id) return 'identity';
  const { allowedUsers, allowedTeams } = access;
  if (allowedUsers.length === 0 && allowedTeams.length === 0) return undefined;
  // The lists only narrow: being on one grants nothing, so a login that changed hands gains nothing by it.
  if (includesFolded(allowedUsers, asker.login)) return undefined;
  if (allowedTeams.length > 0 && asker.teams === undefined) return 'teams-unknown';
  const slugs = new Set(allowedTeams.map(toSlug));
  return asker.teams?.some((team) => slugs.has(toSlug(team))) === true ? undefined : 'not-listed';
}

/** A team's slug, however people write its name: `core`, `@acme/core`. */
export function toSlug(team: string): string {
  return (team.split('/').at(-1) ?? '').replace(/^@/, '').toLowerCase();
}

function includesFolded(list: readonly string[], wanted: string): boolean {
  const folded = wanted.replace(/^@/, '').toLowerCase();
  return list.some((each) => each.replace(/^@/, '').toLowerCase() === folded);
}
