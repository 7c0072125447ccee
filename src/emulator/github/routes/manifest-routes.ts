/** The manifest flow: turns the code that the confirmation page gave into a new App with its secrets. */
import { z } from 'zod';
import { HttpError, invalid, notFound } from '../behave/http-error.ts';
import { ANYONE } from '../world/permissions.ts';
import { toApp } from '../render/accounts.ts';
import { created, param, type Answer, type Call, type Route } from '../router.ts';
import { createApp, isAppNameTaken } from '../world/seed-apps.ts';
import { account, appOf, drawHex } from '../world/world.ts';

/** What GitHub reads from an App manifest. */
export const Manifest = z.looseObject({
  name: z.string(),
  url: z.string(),
  description: z.string().optional(),
  redirect_url: z.string().optional(),
  hook_attributes: z.looseObject({ url: z.string(), active: z.boolean().optional() }).optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).optional(),
  default_events: z.array(z.string()).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

async function convert(call: Call): Promise<Answer> {
  const { world } = call;
  const code = param(call, 'code');
  const pending = world.state.manifests.get(code);
  if (pending === undefined) throw notFound();
  // A code works once.
  world.state.manifests.delete(code);
  const parsed = Manifest.safeParse(pending.manifest);
  if (!parsed.success) throw new HttpError(422, 'Validation Failed');
  const manifest = parsed.data;
  if (isAppNameTaken(world, manifest.name))
    throw invalid({
      resource: 'Integration',
      field: 'name',
      code: 'custom',
      message: 'Name has already been taken',
    });
  const webhookUrl = manifest.hook_attributes?.url;
  const made = await createApp(world, {
    name: manifest.name,
    owner: account(world, pending.ownerId).login,
    description: manifest.description ?? '',
    permissions: manifest.default_permissions ?? {},
    events: manifest.default_events ?? [],
    webhookSecret: drawHex(world.random, 40),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
  });
  return created({
    ...toApp(world, appOf(world, made.appId)),
    client_id: made.clientId,
    client_secret: made.clientSecret,
    webhook_secret: made.webhookSecret ?? null,
    pem: made.privateKey,
  });
}

export const manifestRoutes: Route[] = [
  { method: 'POST', path: '/app-manifests/{code}/conversions', need: ANYONE, run: convert },
];
