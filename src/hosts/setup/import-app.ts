/** Imports an App that exists already. */
import { z } from 'zod';
import { readRequestBody } from '../../adapters/http/body.ts';
import { parseJsonBytes } from '../../adapters/http/json.ts';
import { PROBLEMS } from '../../adapters/http/http-problems.ts';
import { toFailure } from '../../domain/event/errors.ts';
import { toAppId, toPrivateKey } from '../environment/app-credentials.ts';
import type { Setup, Entered } from './setup-visit.ts';
import { PAGE_HEADERS, TAKEN, refuseSetup, answerAndDone } from './setup-answers.ts';
import { acceptCredentials } from './accept-credentials.ts';

const MAX_IMPORT_BYTES = 64 * 1024;

const Imported = z.object({
  appId: z.union([z.string(), z.number()]).transform(String),
  pem: z.string(),
  webhook_secret: z.string().min(1),
});

/** An App that exists already. Needs a JSON content type, which no foreign page can send without being asked. */
export async function importApp(setup: Setup, { req, res }: Entered): Promise<boolean> {
  if (!/^application\/json\b/.test(req.headers['content-type'] ?? ''))
    return answerAndDone(res, PROBLEMS.mediaType);
  const body = await readRequestBody(req, MAX_IMPORT_BYTES, {
    limit: MAX_IMPORT_BYTES * 2,
    held: 0,
  });
  if (body.kind !== 'read') return answerAndDone(res, PROBLEMS.tooLarge);
  const imported = Imported.safeParse(parseJsonBytes(body.bytes)?.value).data;
  if (imported === undefined)
    return refuseSetup(res, 'import-invalid', 'appId and/or pem and/or webhook_secret missing');
  if (setup.isTaken) return answerAndDone(res, TAKEN);
  setup.isTaken = true;
  try {
    await acceptCredentials(setup, {
      appId: toAppId(imported.appId),
      privateKey: toPrivateKey(imported.pem),
      webhookSecrets: [imported.webhook_secret],
    });
  } catch (error) {
    setup.isTaken = false;
    return refuseSetup(res, toFailure(error).code, toFailure(error).message);
  }
  res.writeHead(200, PAGE_HEADERS).end();
  return true;
}
