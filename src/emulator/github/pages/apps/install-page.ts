/** The page on which an owner installs an App, where the manifest flow ends. */
import { install } from '../../world/installations.ts';
import type { App } from '../../world/world-model.ts';
import type { PageAnswer, PageRequest } from '../../listener.ts';
import { findAccount, type World } from '../../world/world.ts';
import { markup, type Markup } from '../html.ts';
import { renderFrame } from '../page-parts.ts';

const PATH = /^\/apps\/([^/]+)\/installations\/new$/;

/** `GET` offers every account, `POST account=login` installs the App on all of its repositories. */
export function answerInstall(world: World, request: PageRequest): PageAnswer | undefined {
  const slug = PATH.exec(request.path)?.[1];
  const app = [...world.state.apps.values()].find((one) => one.slug === slug);
  if (slug === undefined || app === undefined) return undefined;
  if (request.method === 'GET') return page(world, app, choices(world, app));
  const owner = findAccount(world, request.form.get('account') ?? '');
  if (owner === undefined) return page(world, app, markup`<p>No such account.</p>`);
  const present = [...world.state.installations.values()].some(
    (one) => one.appId === app.id && one.accountId === owner.id,
  );
  if (!present) install(world, { app, accountId: owner.id, repositories: undefined });
  return page(world, app, markup`<p>${app.name} is installed on <b>${owner.login}</b>.</p>`);
}

function choices(world: World, app: App): Markup {
  const owners = [...world.state.accounts.values()].filter((one) => one.type !== 'Bot');
  const rows = owners.map(
    (one) =>
      markup`<form method="post" class="row"><span class="grow t">${one.login}</span><input type="hidden" name="account" value="${one.login}"><button>Install ${app.name}</button></form>`,
  );
  return markup`<div class="box">${rows}</div>`;
}

function page(world: World, app: App, body: Markup): PageAnswer {
  const title = `Install ${app.name}`;
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: renderFrame(world, { title, body: markup`<h1 class="title">${title}</h1>${body}` }),
  };
}
