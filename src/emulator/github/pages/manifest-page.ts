/** The confirmation page of the App manifest flow. */
import { Manifest } from '../routes/manifest-routes.ts';
import type { PageAnswer, PageRequest } from '../listener.ts';
import { drawHex, findAccount, type World } from '../world/world.ts';
import { markup } from './html.ts';
import { renderFrame } from './page-parts.ts';

/**
 * `POST /settings/apps/new` with a manifest shows what would be made; confirming leads back to the
 * manifest's `redirect_url` with a code for `POST /app-manifests/{code}/conversions`.
 */
export function answerManifest(world: World, request: PageRequest): PageAnswer {
  const text = request.form.get('manifest') ?? '';
  const manifest = parseManifest(text);
  if (manifest === undefined)
    return page(world, 422, markup`<h1 class="title">The manifest is not valid.</h1>`);
  const hookHost = URL.parse(manifest.hook_attributes?.url ?? '')?.hostname ?? '';
  if (world.behaviour.refusesLocalHooks && LOCAL.test(hookHost))
    return page(
      world,
      422,
      markup`<h1 class="title">
        Hook url is not supported because it isn't reachable over the public Internet (${hookHost})
      </h1>`,
    );
  const owner = /^\/organizations\/([^/]+)\//.exec(request.path)?.[1];
  if (request.form.get('confirmed') === 'yes')
    return confirmed(world, request, { manifest, owner });
  const action = `${request.path}?${request.query.toString()}`;
  const rows = Object.entries(manifest.default_permissions ?? {}).map(
    ([name, level]) => markup`<li><code>${name}</code>: ${level}</li>`,
  );
  return page(
    world,
    200,
    markup`<h1 class="title">Create GitHub App ${manifest.name}</h1>
      <p>Permissions:</p>
      <ul>
        ${rows}
      </ul>
      <form method="post" action="${action}">
        <input type="hidden" name="manifest" value="${text}" /><input
          type="hidden"
          name="confirmed"
          value="yes"
        /><button>Create GitHub App</button>
      </form>`,
  );
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function parseManifest(text: string): Manifest | undefined {
  try {
    const parsed = Manifest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function confirmed(
  world: World,
  request: PageRequest,
  at: { manifest: Manifest; owner: string | undefined },
): PageAnswer {
  const owner =
    at.owner === undefined
      ? [...world.state.accounts.values()].find((one) => one.type === 'User')
      : findAccount(world, at.owner);
  const { redirect_url: target } = at.manifest;
  if (owner === undefined || target === undefined)
    return page(
      world,
      422,
      markup`<h1 class="title">The manifest needs an owner and a redirect_url.</h1>`,
    );
  const code = drawHex(world.random, 40);
  world.state.manifests.set(code, { manifest: at.manifest, ownerId: owner.id });
  const url = new URL(target);
  url.searchParams.set('code', code);
  const state = request.query.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return { status: 302, headers: { location: url.toString() }, body: '' };
}

function page(world: World, status: number, body: ReturnType<typeof markup>): PageAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: renderFrame(world, { title: 'New GitHub App', body }),
  };
}
