/** Who looks at the pages and may use their forms: a browser on this machine, as the person it chose to act as. */
import type { PageAnswer, PageRequest } from '../../listener.ts';
import type { Account } from '../../world/world-model.ts';
import { findAccount, type World } from '../../world/world.ts';

export interface Visitor {
  /** Nobody until a person was chosen. */
  user: Account | undefined;
  /** Goes with each form: another site can post to this server, and cannot read this. */
  formToken: string;
  /** The current page, to return to. */
  path: string;
}

export const FORM_TOKEN = 'form_token';
const COOKIE = 'emulator_act_as';

export function readVisitor(world: World, request: PageRequest, formToken: string): Visitor {
  const login = readCookie(request.headers.cookie) ?? '';
  const user = findAccount(world, login);
  return { user: user?.type === 'User' ? user : undefined, formToken, path: request.path };
}

function readCookie(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}

/** Whether one of the emulator's own pages sent the form. */
export function isOwnForm({ headers, form }: PageRequest, { formToken }: Visitor): boolean {
  const { origin, host } = headers;
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  return !isForeign && form.get(FORM_TOKEN) === formToken;
}

/** Remembers in the browser who acts; an empty choice makes it nobody. */
export function answerActAs(world: World, { form }: PageRequest): PageAnswer | undefined {
  const login = form.get('login') ?? '';
  const user = findAccount(world, login);
  if (login !== '' && user?.type !== 'User') return undefined;
  const to = form.get('to') ?? '/';
  return {
    status: 303,
    headers: {
      location: /^\/(?![/\\])/.test(to) ? to : '/',
      'set-cookie': `${COOKIE}=${user?.login ?? ''}; HttpOnly; SameSite=Lax; Path=/`,
    },
    body: '',
  };
}
