/** The page of a person, an organisation or an App's bot: where they have a role, and what they opened. */
import { fullName, findAccount, roleOf, type World } from '../world/world.ts';
import { markup, type Markup } from './html.ts';
import { renderAvatar, renderFrame, threadPath } from './page-parts.ts';
import type { Visitor } from './forms/visitor.ts';

/** An App's pages leave `[bot]` out. Undefined where nobody has the name. */
export function renderPersonPage(
  world: World,
  visitor: Visitor,
  login: string,
): string | undefined {
  const account = findAccount(world, login) ?? findAccount(world, `${login}[bot]`);
  if (account === undefined) return undefined;
  const repositories = [...world.state.repositories.values()];
  const roles = repositories
    .filter(({ collaborators, ownerId }) => collaborators.has(account.id) || ownerId === account.id)
    .map((one) => {
      const name = fullName(world, one);
      return row(markup`<a class="t" href="/${name}">${name}</a>`, roleOf(world, one, account.id));
    });
  const opened = repositories
    .flatMap((repository) =>
      [...repository.threads.values()].map((thread) => ({ world, repository, thread })),
    )
    .filter(({ thread }) => thread.userId === account.id)
    .map(({ repository, thread }) =>
      row(
        markup`<a class="t" href="${threadPath(world, repository, thread)}">${thread.title}</a>`,
        `${fullName(world, repository)}#${thread.number}`,
      ),
    );
  return renderFrame(world, {
    title: account.login,
    visitor,
    body: markup`<h1 class="title">${renderAvatar(account, 'small')} ${account.login}</h1>
      <p class="muted">${account.name}</p>
      ${box('Repositories', roles)}${box('Opened', opened.toReversed())}`,
  });
}

function row(what: Markup, more: string): Markup {
  return markup`<div class="row"><span class="grow">${what}</span><span class="muted">${more}</span></div>`;
}

function box(title: string, rows: readonly Markup[]): Markup {
  const none = markup`<p class="muted none">None</p>`;
  return markup`<section class="box">
    <h2 class="bar">${title}</h2>
    ${rows.length === 0 ? none : rows}
  </section>`;
}
