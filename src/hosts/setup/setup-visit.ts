/** What the setup page is made of, and one visit of a browser to it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { AppCredentials } from '../environment/app-credentials.ts';
import type { Env } from '../environment/env-file.ts';
import type { ManifestCreation } from './manifest-creation.ts';
import type { SetupAccess, SetupSession } from './setup-access.ts';

export interface SetupOptions {
  env: Env;
  /** Where credentials are kept: `.env`. */
  envFile: string;
  /** `app.yml`. */
  manifestFile: string;
  log: Log;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'id'>;
  /** Told the page's address with its token: for the terminal, never for a log. Again when the one before has expired. */
  onAddress: (address: string) => void;
  /** Takes the new credentials into use; the answer waits for it. */
  onCredentials: (credentials: AppCredentials) => Promise<void>;
}

export interface Setup extends SetupOptions {
  manifestCreation: ManifestCreation;
  access: SetupAccess;
  /** Credentials are being taken over, or were: it happens once. */
  isTaken: boolean;
}

export interface Visit {
  req: IncomingMessage;
  res: ServerResponse;
  pathname: string;
  searchParams: URLSearchParams;
}

export interface Entered extends Visit {
  session: SetupSession;
}
