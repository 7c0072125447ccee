/** Who we are on GitHub, asked once, and which comments are ours. */
import { RefusedError } from '../../domain/event/errors.ts';
import type { Actor } from '../../domain/run/thread-ref.ts';
import type { Calls } from './installation-client.ts';
import {
  GET_ACCOUNT,
  GET_APP,
  GET_USER,
  LIST_INSTALLATIONS,
  type WireUser,
} from './rest-operations.ts';
import type { JobSignatures } from '../../domain/github/job-signature.ts';
import type { GitHubAuth, GitHubOptions } from './client/github-options.ts';
import { toActor } from './read/to-domain.ts';

export interface Identity {
  self(): Promise<Actor>;
  /** By the App's id or the numeric id of our account. */
  isOurs(thing: Authored): Promise<boolean>;
  /**
   * As `isOurs`, of a text whose marker is to be believed. Where nothing is signed, its id must be recorded too, or the text
   * be signed by a job for this scope.
   */
  isOurText(text: OwnText, scope?: string): Promise<boolean>;
  /** Takes the account from something that we just wrote, where the server could not tell it before. */
  learn(thing: Authored): void;
}

interface OwnText extends Authored {
  id: number;
  body?: string | null;
}

export interface Authored {
  user?: WireUser | null | undefined;
  performed_via_github_app?: { id: number } | null | undefined;
}

/** What acts behind the token of a workflow on github.com. */
const ACTIONS_BOT = 'github-actions[bot]';

export interface IdentityParts {
  auth: GitHubAuth;
  isRecorded?: GitHubOptions['isRecorded'] | undefined;
  jobSignatures?: JobSignatures | undefined;
  /** As the App, or with the token. */
  own: Calls;
  of(installationId: number): Calls;
}

export function createIdentity(parts: IdentityParts): Identity {
  const { auth } = parts;
  let known: Account | undefined;
  let pending: Promise<Account> | undefined;
  const self = async (): Promise<Actor> => {
    if (known?.isFinal === true) return known.actor;
    pending ??= (
      auth.kind === 'app' ? appAccount(parts) : tokenAccount(parts.own, auth.login)
    ).finally(() => (pending = undefined));
    known = await pending;
    return known.actor;
  };
  const isOurs = async (thing: Authored): Promise<boolean> => {
    const app = thing.performed_via_github_app;
    if (auth.kind === 'app' && app?.id === Number(auth.appId)) return true;
    return isSame(await self(), thing.user);
  };
  return {
    self,
    isOurs,
    isOurText: async (text, scope) => isBelieved(parts, text, scope) && (await isOurs(text)),
    learn: ({ user }) => {
      const isUnknown = known !== undefined && known.actor.id === 0;
      if (isUnknown && user?.login === known?.actor.login)
        known = { actor: toActor(user), isFinal: true };
    },
  };
}

function isBelieved(
  { isRecorded, jobSignatures }: IdentityParts,
  { id, body }: OwnText,
  scope: string | undefined,
): boolean {
  if (isRecorded?.(id) ?? true) return true;
  if (scope === undefined || typeof body !== 'string') return false;
  return jobSignatures?.isSigned(body, scope) ?? false;
}

interface Account {
  actor: Actor;
  /** Otherwise it is asked again: nothing could be asked yet. */
  isFinal: boolean;
}

/** Without a numeric id the bot's login decides: no person can have brackets in theirs. */
function isSame(self: Actor, user: Authored['user']): boolean {
  if (!user) return false;
  return self.id === 0 ? user.type === 'Bot' && user.login === self.login : user.id === self.id;
}

/** GitHub shows accounts to an installation only, not to the App itself. */
async function appAccount(parts: IdentityParts): Promise<Account> {
  const { slug } = (await parts.own.get(GET_APP, {})).data;
  const installations = await parts.own.find(LIST_INSTALLATIONS, {});
  const one = installations?.data.find((installation) => !installation.suspended_at);
  if (one !== undefined) return findBot(parts.of(one.id), `${slug}[bot]`);
  return { actor: nameless(`${slug}[bot]`), isFinal: installations === undefined };
}

/** A workflow's token may not ask who it is; then it is the Actions bot. */
async function tokenAccount(calls: Calls, login: string | undefined): Promise<Account> {
  if (login !== undefined) return { actor: nameless(login), isFinal: true };
  try {
    return { actor: toActor((await calls.get(GET_USER, {})).data), isFinal: true };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return findBot(calls, ACTIONS_BOT);
  }
}

/** Servers that know no bot accounts get an account without an id. */
async function findBot(calls: Calls, login: string): Promise<Account> {
  const user = await calls.find(GET_ACCOUNT, { username: login });
  const actor = user === undefined ? nameless(login) : { id: user.data.id, login, isBot: true };
  return { actor, isFinal: true };
}

function nameless(login: string): Actor {
  return { id: 0, login, isBot: true };
}
