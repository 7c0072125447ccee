/** Registers Apps in the embedded GitHub. */
import { generateKeyPair, createPublicKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { App, AppPermissions } from './world-model.ts';
import { drawHex, findAccount, nextId, nowIso, type World } from './world.ts';
import { createAccount } from './seed.ts';

export interface AppSeed {
  name: string;
  slug?: string;
  owner?: string;
  description?: string;
  permissions?: AppPermissions;
  events?: readonly string[];
  webhookUrl?: string;
  webhookSecret?: string;
  /** PKCS#1 or PKCS#8 PEM; generated when absent (about 100 ms). */
  privateKey?: string;
}

export interface AppCredentials {
  appId: number;
  slug: string;
  /** PEM, for `APP_PRIVATE_KEY`. */
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookSecret: string | undefined;
  botLogin: string;
}

/** Names of Apps are unique across all of GitHub, as the slugs that are made of them. */
export function isAppNameTaken(world: World, name: string): boolean {
  return findAccount(world, `${toSlug(name)}[bot]`) !== undefined;
}

function toSlug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

export async function createApp(world: World, seed: AppSeed): Promise<AppCredentials> {
  const privateKey = seed.privateKey ?? (await generatePem());
  const slug = seed.slug ?? toSlug(seed.name);
  const owner =
    findAccount(world, seed.owner ?? 'github') ??
    createAccount(world, { login: 'github', type: 'Organization' });
  const bot = createAccount(world, { login: `${slug}[bot]`, type: 'Bot', name: `${slug}[bot]` });
  const app: App = {
    id: nextId(world),
    slug,
    name: seed.name,
    clientId: `Iv23li${drawHex(world.random, 14)}`,
    clientSecret: drawHex(world.random, 40),
    ownerId: owner.id,
    botId: bot.id,
    description: seed.description ?? '',
    externalUrl: 'https://example.test',
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    permissions: { ...seed.permissions },
    events: [...(seed.events ?? [])],
    webhookUrl: seed.webhookUrl,
    webhookSecret: seed.webhookSecret,
    createdAt: nowIso(world),
  };
  world.state.apps.set(app.id, app);
  return {
    appId: app.id,
    slug,
    privateKey,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    webhookSecret: app.webhookSecret,
    botLogin: bot.login,
  };
}

/** A fresh 2048-bit key in PKCS#1, the form GitHub hands out. */
export async function generatePem(): Promise<string> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return pair.privateKey;
}
