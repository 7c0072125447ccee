/** The manifest that GitHub registers the App from: app.yml, with this server's own addresses filled in. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { ConfigError } from '../../domain/event/errors.ts';
import type { ManifestCreation } from './manifest-creation.ts';

export const WEBHOOK_PATH = '/api/github/webhooks';

export interface ManifestParts {
  /** `app.yml`. */
  manifestFile: string;
  manifestCreation: ManifestCreation;
}

/**
 * The webhook path of the server that was asked. (Probot's own default is `/`, where no webhook is received.)
 */
export function toHookUrl(req: IncomingMessage): string {
  return `${baseUrlOf(req)}${WEBHOOK_PATH}`;
}

function baseUrlOf(req: IncomingMessage): string {
  return `http://${req.headers.host ?? 'localhost'}`;
}

/**
 * JSON that is safe inside the form, for an App whose webhooks go to `hookUrl`.
 * ConfigError `manifest-invalid`.
 */
export async function toManifest(
  parts: ManifestParts,
  req: IncomingMessage,
  hookUrl: string,
): Promise<string> {
  // Needed once in the life of an App, and slow to load.
  const { parse, stringify } = await import('yaml');
  const hooked = {
    ...readManifest(parts.manifestFile, parse),
    hook_attributes: { url: hookUrl, active: true },
  };
  const creation = new parts.manifestCreation({ updateEnv: (env) => env });
  const baseUrl = baseUrlOf(req);
  const json = creation.getManifest({ pkg: {}, baseUrl, readFileSync: () => stringify(hooked) });
  return escapeForAttribute(json);
}

function readManifest(file: string, parse: (text: string) => unknown): object {
  const value = parse(readFileSync(file, 'utf8'));
  if (typeof value === 'object' && value !== null) return value;
  throw new ConfigError({ code: 'manifest-invalid', message: `${file} is no YAML mapping.` });
}

/** The form has the JSON between single quotes. */
function escapeForAttribute(json: string): string {
  return json.replace(
    /['&<>]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
