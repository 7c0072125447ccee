/** What a browser without script does with the emulator's pages: it keeps cookies, reads forms and sends them. */
import type { GitHubEmulator } from '../../src/emulator/github/emulator-interface.ts';

export interface Shown {
  status: number;
  /** Path and query after redirects. */
  at: string;
  html: string;
}

export interface Browser {
  open(path: string): Promise<Shown>;
  /** Chooses on the page whom to act as. */
  actAs(login: string): Promise<Shown>;
  /**
   * Sends the form of the page that leads to `action`, with what it holds already and these fields; a list replaces all
   * values of its name. @throws when the page has no such form
   */
  send(page: string, action: string, fields?: Record<string, string | string[]>): Promise<Shown>;
  /** Sends fields without looking at a page, as somebody who forges a request does. */
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Shown>;
}

export function aBrowser({ url }: Pick<GitHubEmulator, 'url'>): Browser {
  let cookie = '';
  const open = async (path: string, init: RequestInit = {}): Promise<Shown> => {
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html');
    if (cookie !== '') headers.set('cookie', cookie);
    const answer = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const location = answer.headers.get('location');
    if (location !== null) return open(location);
    return { status: answer.status, at: path, html: await answer.text() };
  };
  const post: Browser['post'] = (path, fields, headers = {}) =>
    open(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const send: Browser['send'] = async (page, action, fields = {}) => {
    const { html } = await open(page);
    const form = formOf(html, action);
    if (form === undefined) throw new Error(`no form on ${page} leads to ${action}`);
    const body = new URLSearchParams(form);
    for (const [name, values] of Object.entries(fields)) {
      body.delete(name);
      for (const value of [values].flat()) body.append(name, toSent(value));
    }
    return open(action, { method: 'POST', body, headers: { origin: new URL(url).origin } });
  };
  return {
    open: (path) => open(path),
    post,
    send,
    actAs: (login) => send('/', '/act-as', { login }),
  };
}

/** Browsers send line breaks in this form, and GitHub keeps them so. */
function toSent(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** The fields that a form holds by itself: hidden ones and ticked boxes. */
function formOf(html: string, action: string): [string, string][] | undefined {
  const found = [...html.matchAll(/<form\b[^>]*\baction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, to]) => to === action,
  );
  if (found === undefined) return undefined;
  return [...(found[2] ?? '').matchAll(/<input\b([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    const isSent = read('type') === 'hidden' || /\schecked\b/.test(attributes);
    const name = read('name');
    return isSent && name !== undefined ? [[name, unescape(read('value') ?? '')]] : [];
  });
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
