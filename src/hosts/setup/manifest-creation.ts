/** Probot's manifest of an App, and its conversion of the code that GitHub gives for one. */
import { ConfigError } from '../../domain/event/errors.ts';

/** What is used of it, as Probot 14.3.2 has it. */
export type ManifestCreation = new (options: {
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

/**
 * Loads it. Probot exports its setup only inside `run()`, which binds its own port, lets `.env` win over the real
 * environment and asks for a restart. Instead, the module is imported by file and checked. A Probot that moved it
 * then fails with ConfigError `probot-changed`, which tells it apart from a broken page.
 */
export async function loadManifestCreation(): Promise<ManifestCreation> {
  try {
    const module: object = await import(
      new URL('manifest-creation.js', import.meta.resolve('probot')).href
    );
    const found: unknown = Reflect.get(module, 'ManifestCreation');
    if (isManifestCreation(found)) return found;
  } catch (error) {
    throw probotChanged(error);
  }
  throw probotChanged(undefined);
}

function isManifestCreation(found: unknown): found is ManifestCreation {
  return typeof found === 'function';
}

function probotChanged(cause: unknown): ConfigError {
  return new ConfigError({
    code: 'probot-changed',
    message:
      'This Probot cannot register an App. Register it by hand and set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.',
    cause,
  });
}
