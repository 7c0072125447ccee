/** Registers a new App: converts the code that GitHub sends, and takes the App over. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { toFailure } from '../../domain/event/errors.ts';
import { toAppId, toPrivateKey, type AppCredentials } from '../environment/app-credentials.ts';
import { readApiUrl } from '../environment/host-settings.ts';
import type { Setup, Entered } from './setup-visit.ts';
import { TAKEN, NOT_TAKEN_OVER, redirect, refuseSetup, answerAndDone } from './setup-answers.ts';
import { acceptCredentials } from './accept-credentials.ts';

export const CODE = /^[\w-]{1,200}$/;

/** GitHub sends the browser here with a code that is good for one conversion within an hour. */
export async function registerNewApp(
  setup: Setup,
  { res, searchParams }: Entered,
): Promise<boolean> {
  const code = searchParams.get('code') ?? '';
  if (!CODE.test(code)) return refuseSetup(res, 'code-invalid', 'code missing or invalid');
  if (!setup.access.isState(searchParams.get('state') ?? ''))
    return refuseSetup(res, 'state-invalid', 'Start again at /probot: this link is from elsewhere');
  if (setup.isTaken) return answerAndDone(res, TAKEN);
  setup.isTaken = true;
  const converted = await createApp(setup, code);
  if (typeof converted !== 'string') return install(setup, res, converted);
  setup.isTaken = false;
  return refuseSetup(res, 'conversion-failed', converted);
}

interface NewApp {
  /** The App's page on GitHub. */
  page: string;
  credentials: AppCredentials;
}

/** Resolves with the App, or with why GitHub made none. */
async function createApp(setup: Setup, code: string): Promise<NewApp | string> {
  let values: Record<string, string | null> = {};
  const creation = new setup.manifestCreation({ updateEnv: (env) => (values = env) });
  const { env, log } = setup;
  const baseUrl = readApiUrl(env);
  try {
    const page = await creation.createAppFromCode(code, { baseUrl, request: {}, log });
    return { page, credentials: toCredentials(values) };
  } catch (error) {
    log.error({ failure: toFailure(error) }, 'GitHub did not convert the code of the manifest');
    return refusalReason(error);
  }
}

const Refused = z.object({
  status: z.literal(422),
  response: z.object({
    data: z.object({ errors: z.array(z.object({ message: z.string().optional() })) }),
  }),
});

/** GitHub checks the name of the App again when it converts the code: somebody may have taken it meanwhile. */
function refusalReason(error: unknown): string {
  const errors = Refused.safeParse(error).data?.response.data.errors ?? [];
  const reasons = errors.flatMap(({ message }) => message ?? []);
  return reasons.length === 0
    ? 'GitHub did not accept the code: start again at /probot'
    : `GitHub did not register the App (${reasons.join('; ')}): start again at /probot and choose another name on GitHub's page`;
}

/** The code is spent: from here on everything is kept, whatever else fails. */
async function install(setup: Setup, res: ServerResponse, app: NewApp): Promise<boolean> {
  try {
    await acceptCredentials(setup, app.credentials);
    return redirect(res, `${app.page}/installations/new`);
  } catch (error) {
    setup.log.error({ failure: toFailure(error) }, 'the new App could not be taken into use');
    return answerAndDone(res, NOT_TAKEN_OVER);
  }
}

const Converted = z.object({
  APP_ID: z.string(),
  PRIVATE_KEY: z.string(),
  WEBHOOK_SECRET: z.string().min(1),
  GITHUB_CLIENT_ID: z.string().nullish(),
  GITHUB_CLIENT_SECRET: z.string().nullish(),
});

function toCredentials(values: Record<string, string | null>): AppCredentials {
  const converted = Converted.parse(values);
  return {
    appId: toAppId(converted.APP_ID),
    privateKey: toPrivateKey(converted.PRIVATE_KEY.replace(/^"|"$/g, '')),
    webhookSecrets: [converted.WEBHOOK_SECRET],
    clientId: converted.GITHUB_CLIENT_ID ?? undefined,
    clientSecret: converted.GITHUB_CLIENT_SECRET ?? undefined,
  };
}
