/** Probot's own setup pages and its conversion of a manifest's code. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConfigError } from '../../domain/event/errors.ts';

/** The parts of Probot that are used, as Probot 14.3.2 has them. */
export interface ProbotPages {
  setupView: (page: {
    name?: string;
    version?: string;
    description?: string;
    createAppUrl: string;
    manifest: string;
  }) => string;
  importView: (page: { name: string; GH_HOST: string; WEBHOOK_PROXY_URL?: string }) => string;
  successView: (page: { name: string }) => string;
  /** Style sheet and pictures of the pages; returns whether it answered. */
  staticFilesHandler: (req: IncomingMessage, res: ServerResponse) => boolean;
  ManifestCreation: new (options: {
    updateEnv: (env: Record<string, string | null>) => object;
  }) => {
    getManifest(options: {
      pkg: object;
      baseUrl: string;
      readFileSync: (file: string, encoding: string) => string;
    }): string;
    /** Resolves with the App's page on GitHub, after `updateEnv` got the credentials. */
    createAppFromCode(code: string, options: object): Promise<string>;
  };
}

const MODULES = [
  ['setupView', 'views/setup.js'],
  ['importView', 'views/import.js'],
  ['successView', 'views/success.js'],
  ['staticFilesHandler', 'server/handlers/static-files.js'],
  ['ManifestCreation', 'manifest-creation.js'],
] as const;

/**
 * Loads them. Probot exports its setup only inside `run()`, which binds a port of its own, lets `.env` win over the
 * real environment and asks for a restart afterwards; its modules are imported by file instead, and checked, so
 * that a Probot which moved them is told apart from a broken page. ConfigError `probot-changed`.
 */
export async function loadProbotPages(): Promise<ProbotPages> {
  const parts: Partial<Record<(typeof MODULES)[number][0], unknown>> = {};
  for (const [name, file] of MODULES) parts[name] = await importPart(name, file);
  if (isProbotPages(parts)) return parts;
  throw probotChanged(undefined);
}

async function importPart(name: string, file: string): Promise<unknown> {
  try {
    const module: object = await import(new URL(file, import.meta.resolve('probot')).href);
    return new Map<string, unknown>(Object.entries(module)).get(name);
  } catch (error) {
    throw probotChanged(error);
  }
}

function isProbotPages(parts: Partial<Record<keyof ProbotPages, unknown>>): parts is ProbotPages {
  return MODULES.every(([name]) => typeof parts[name] === 'function');
}

function probotChanged(cause: unknown): ConfigError {
  return new ConfigError({
    code: 'probot-changed',
    message:
      'The setup page of this Probot cannot be used. Register the App by hand and set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.',
    cause,
  });
}
