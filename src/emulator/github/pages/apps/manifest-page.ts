/** The confirmation page of the App manifest flow. */
import { Manifest } from '../../routes/manifest-routes.ts';
import type { PageAnswer, PageRequest } from '../../listener.ts';
import { isAppNameTaken } from '../../world/seed-apps.ts';
import { drawHex, findAccount, type World } from '../../world/world.ts';
import { markup } from '../html.ts';
import { renderFrame } from '../page-parts.ts';

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
  const name = request.form.get('name') ?? manifest.name;
  const asked = { text, manifest: { ...manifest, name }, isTaken: isAppNameTaken(world, name) };
  return request.form.get('confirmed') === 'yes' && !asked.isTaken
    ? confirmed(world, request, asked.manifest)
    : confirmation(world, request, asked);
}

/** What would be made, under a name that can be changed. */
function confirmation(
  world: World,
  { path, query }: PageRequest,
  { text, manifest, isTaken }: { text: string; manifest: Manifest; isTaken: boolean },
): PageAnswer {
  const { name, default_permissions: permissions = {} } = manifest;
  const rows = Object.entries(permissions).map(
    ([permission, level]) => markup`<li><code>${permission}</code>: ${level}</li>`,
  );
  return page(
    world,
    isTaken ? 422 : 200,
    markup`<h1 class="title">Create GitHub App ${name}</h1>
      ${isTaken && markup`<p role="alert">Name has already been taken. Choose another one.</p>`}
      <p>Permissions:</p>
      <ul>
        ${rows}
      </ul>
      <form method="post" action="${`${path}?${query.toString()}`}">
        <input type="hidden" name="manifest" value="${text}" /><input
          type="hidden"
          name="confirmed"
          value="yes"
        /><label>Name <input name="name" value="${name}" required /></label>
        <button>Create GitHub App</button>
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

function confirmed(world: World, request: PageRequest, manifest: Manifest): PageAnswer {
  const organisation = /^\/organizations\/([^/]+)\//.exec(request.path)?.[1];
  const owner =
    organisation === undefined
      ? [...world.state.accounts.values()].find((one) => one.type === 'User')
      : findAccount(world, organisation);
  const { redirect_url: target } = manifest;
  if (owner === undefined || target === undefined)
    return page(
      world,
      422,
      markup`<h1 class="title">The manifest needs an owner and a redirect_url.</h1>`,
    );
  const code = drawHex(world.random, 40);
  world.state.manifests.set(code, { manifest, ownerId: owner.id });
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
