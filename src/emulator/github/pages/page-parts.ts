/** Pieces that several pages share: frame, avatars, labels, people, times. */
import type {
  Account,
  Label,
  Reaction,
  ReactionContent,
  Repository,
  Thread,
} from '../world/world-model.ts';
import { account, findAccount, fullName, type World } from '../world/world.ts';
import { markup, type Markup } from './html.ts';
import { renderActAs } from './forms/form-parts.ts';
import { renderMarkdown, type Links } from './markdown.ts';
import { Markup as Raw } from './html.ts';
import { STYLE } from './style.ts';
import type { Visitor } from './forms/visitor.ts';

/** A thread and what it is in. */
export interface ThreadPage {
  world: World;
  repository: Repository;
  thread: Thread;
}

/** A repository and who looks at it. */
export interface Visit {
  world: World;
  repository: Repository;
  visitor: Visitor;
}

export interface Frame {
  title: string;
  repository?: Repository;
  tab?: 'code' | 'issues' | 'pulls';
  /** Absent on pages that nobody acts on as a person. */
  visitor?: Visitor;
  body: Markup;
}

export function renderFrame(world: World, frame: Frame): string {
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${frame.title}</title>
        <style>
          ${new Raw(STYLE)}
        </style>
      </head>
      <body>
        ${topBar(world, frame)}
        <main>${frame.body}</main>
      </body>
    </html>`;
  return page.text;
}

function topBar(world: World, frame: Frame): Markup {
  const { repository, visitor } = frame;
  const actAs = visitor && renderActAs(world, visitor, repository);
  if (repository === undefined)
    return markup`<header class="top">
      <div class="crumb">
        <b><a href="/">GitHub emulator</a></b>${actAs}
      </div>
      <nav></nav>
    </header>`;
  const name = fullName(world, repository);
  const owner = account(world, repository.ownerId).login;
  const all = [...repository.threads.values()].filter((one) => one.state === 'open');
  const pulls = all.filter((one) => one.pull !== undefined).length;
  const tab = (key: Frame['tab'], path: string, label: Markup): Markup =>
    markup`<a class="${frame.tab === key ? 'on' : ''}" href="/${name}${path}">${label}</a>`;
  return markup`<header class="top">
    <div class="crumb">
      <a href="/">${owner}</a> <span class="muted">/</span>
      <b><a href="/${name}">${repository.name}</a></b>
      <span class="badge">${repository.private ? 'Private' : 'Public'}</span>${actAs}
    </div>
    <nav>
      ${tab('code', '', markup`Code`)}${tab('issues', '/issues', markup`Issues<span class="count">${all.length - pulls}</span>`)}${tab('pulls', '/pulls', markup`Pull requests<span class="count">${pulls}</span>`)}
    </nav>
  </header>`;
}

export function renderAvatar(user: Account, size: '' | 'small' = ''): Markup {
  const kind = user.type === 'Bot' ? 'bot' : '';
  return markup`<img
    class="avatar ${size} ${kind}"
    alt=""
    src="/avatars/${encodeURIComponent(user.login)}.svg"
  />`;
}

/** A link to a person, with the badge that tells an App's words from a human's. */
export function renderPerson(user: Account): Markup {
  const name = user.login.replace(/\[bot\]$/, '');
  const badge = user.type === 'Bot' ? markup` <span class="badge">bot</span>` : undefined;
  return markup`<b><a href="/${name}">${name}</a></b
    >${badge}`;
}

/** Initials on a colour drawn from the login. */
export function avatarSvg(login: string): string {
  let hue = 0;
  for (const char of login) hue = (hue * 31 + (char.codePointAt(0) ?? 0)) % 360;
  const letters = login
    .replaceAll(/[^a-z0-9]/gi, '')
    .slice(0, 2)
    .toUpperCase();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="hsl(${hue} 55% 42%)"/><text x="20" y="26" font-family="sans-serif" font-size="16" font-weight="600" fill="#fff" text-anchor="middle">${letters}</text></svg>`;
}

const DARK_INK = '#1f2328';

/** Relative luminance of a colour without its `#` (WCAG 2.2, 1.4.3). */
function luminance(color: string): number {
  const part = (at: number): number => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4);
}

/** Text on a label is dark or light, whichever contrasts more. */
export function renderLabel(label: Pick<Label, 'name' | 'color'>): Markup {
  const light = luminance(label.color);
  const isDark = (light + 0.05) / (luminance(DARK_INK.slice(1)) + 0.05) > 1.05 / (light + 0.05);
  return markup`<span
    class="label"
    style="background:#${label.color};color:${isDark ? DARK_INK : '#fff'};border-color:${light > 0.8 ? '#d1d9e0' : 'transparent'}"
    >${label.name}</span
  >`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function renderTime(iso: string): Markup {
  const date = new Date(iso);
  const time = iso.slice(11, 16);
  return markup`<time datetime="${iso}" title="${iso}"
    >on ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${time}</time
  >`;
}

const EMOJI: Record<ReactionContent, string> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
};

export function renderReactions(world: World, reactions: readonly Reaction[]): Markup | undefined {
  if (reactions.length === 0) return undefined;
  const groups = Map.groupBy(reactions, (one) => one.content);
  return markup`<div class="reactions">
    ${[...groups].map(([content, list]) => {
      const names = list.map((one) => account(world, one.userId).login).join(', ');
      return markup`<span class="reaction" title="${names} reacted with ${content}"
        >${EMOJI[content]} ${list.length}</span
      >`;
    })}
  </div>`;
}

export function linksOf(world: World, repository: Repository): Links {
  return {
    mention: (login) => (findAccount(world, login) === undefined ? undefined : `/${login}`),
    thread(number) {
      const thread = repository.threads.get(number);
      return thread === undefined ? undefined : threadPath(world, repository, thread);
    },
  };
}

/** What somebody wrote on a thread. */
export function renderWords(
  { world, repository }: ThreadPage,
  text: string,
  replaced?: readonly string[],
): Markup {
  const links = { ...linksOf(world, repository), hasHardBreaks: true };
  return renderMarkdown(text, replaced === undefined ? links : { ...links, replaced });
}

export function threadPath(world: World, repository: Repository, thread: Thread): string {
  return `/${fullName(world, repository)}/${thread.pull === undefined ? 'issues' : 'pull'}/${thread.number}`;
}

/** The word and colour of a thread's state. */
export function toStateBadge(thread: Thread): { word: string; className: string } {
  const { pull } = thread;
  if (pull?.merged ?? false) return { word: 'Merged', className: 'merged' };
  if (thread.state === 'open')
    return (pull?.draft ?? false)
      ? { word: 'Draft', className: 'draft' }
      : { word: 'Open', className: 'open' };
  if (pull !== undefined) return { word: 'Closed', className: 'rejected' };
  return thread.stateReason === 'not_planned' || thread.stateReason === 'duplicate'
    ? {
        word: thread.stateReason === 'duplicate' ? 'Closed as duplicate' : 'Closed as not planned',
        className: 'not_planned',
      }
    : { word: 'Closed', className: 'closed' };
}
