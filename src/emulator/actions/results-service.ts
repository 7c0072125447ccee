/**
 * The part of GitHub that keeps the artifacts of workflow runs, as `@actions/artifact` talks to it: Twirp for names, and
 * signed addresses for the bytes. It also gives OpenID Connect tokens to jobs that may ask. Loopback only, in memory.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import {
  createIdTokens,
  ID_TOKEN_PATH,
  type IdTokenRequest,
  type IdTokens,
  type JobOfRun,
} from './id-tokens.ts';

export interface KeptArtifact {
  id: number;
  name: string;
  workflowRun: string;
  job: string;
  bytes: Buffer;
}

export interface ResultsService {
  /** For `ACTIONS_RESULTS_URL`. */
  url: string;
  /** For `ACTIONS_RUNTIME_TOKEN` of a job. */
  createToken(workflowRun: string, job: string): string;
  /** For the environment of a job with `id-token: write`, and of no other. */
  offerIdToken(job: JobOfRun): IdTokenRequest;
  /** Live: tests may change bytes, names and runs between two jobs. */
  artifacts: KeptArtifact[];
  close(): Promise<void>;
}

interface Upload {
  name: string;
  workflowRun: string;
  job: string;
  blocks: Map<string, Buffer>;
  bytes: Buffer;
}

interface Service {
  url: string;
  artifacts: KeptArtifact[];
  uploads: Map<string, Upload>;
  tokens: Map<string, { workflowRun: string; job: string }>;
  idTokens: IdTokens;
  lastId: number;
}

const TWIRP = '/twirp/github.actions.results.api.v1.ArtifactService/';

/** Starts it on a free port. */
export async function startResultsService(): Promise<ResultsService> {
  const service: Service = {
    url: '',
    artifacts: [],
    uploads: new Map(),
    tokens: new Map(),
    idTokens: createIdTokens(Date.now),
    lastId: 0,
  };
  const server = createServer((request, response) => {
    answer(service, request, response).catch((error: unknown) => {
      send(response, 500, { msg: error instanceof Error ? error.message : String(error) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  service.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: service.url,
    artifacts: service.artifacts,
    createToken: (workflowRun, job) => createToken(service, workflowRun, job),
    offerIdToken: (job) => service.idTokens.offer(job, service.url),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function toJwtPart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** The client reads both ids from the token's scope; nobody checks its signature there. */
function createToken({ tokens }: Service, workflowRun: string, job: string): string {
  const scp = `Actions.Results:${workflowRun}:${job}`;
  const token = [
    toJwtPart({ alg: 'none' }),
    toJwtPart({ scp, jti: randomUUID() }),
    'unsigned',
  ].join('.');
  tokens.set(token, { workflowRun, job });
  return token;
}

async function answer(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', service.url);
  const body = await readBytes(request);
  if (pathname.startsWith('/blobs/'))
    return answerBlob(service, { request, response, body, pathname, searchParams });
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (pathname === ID_TOKEN_PATH) {
    const issued = service.idTokens.issue(token, searchParams.get('audience'));
    return send(response, issued === undefined ? 401 : 200, issued ?? { msg: 'unauthenticated' });
  }
  const caller = service.tokens.get(token);
  if (caller === undefined) return send(response, 401, { msg: 'unauthenticated' });
  const operation = OPERATIONS[pathname.slice(TWIRP.length)];
  if (operation === undefined || !pathname.startsWith(TWIRP))
    return send(response, 404, { msg: 'no such method' });
  send(response, 200, operation(service, JSON.parse(body.toString()), caller));
}

type Caller = { workflowRun: string; job: string };
type Operation = (service: Service, body: unknown, caller: Caller) => object;

const Named = z.looseObject({ name: z.string() });
const Filter = z.looseObject({
  name_filter: z.string().nullish(),
  id_filter: z.union([z.string(), z.number()]).nullish(),
});

const OPERATIONS: Readonly<Record<string, Operation>> = {
  CreateArtifact(service, body, { workflowRun, job }) {
    const { name } = Named.parse(body);
    const key = randomUUID();
    service.uploads.set(key, { name, workflowRun, job, blocks: new Map(), bytes: Buffer.alloc(0) });
    return { ok: true, signed_upload_url: `${service.url}/blobs/${key}?sig=upload` };
  },
  FinalizeArtifact(service, body, { workflowRun }) {
    const { name } = Named.parse(body);
    const found = [...service.uploads].findLast(
      ([, upload]) => upload.name === name && upload.workflowRun === workflowRun,
    );
    if (found === undefined) throw new Error(`no upload of ${name}`);
    const [key, { job, bytes }] = found;
    service.uploads.delete(key);
    service.lastId += 1;
    service.artifacts.push({ id: service.lastId, name, workflowRun, job, bytes });
    return { ok: true, artifact_id: String(service.lastId) };
  },
  ListArtifacts(service, body, { workflowRun }) {
    const { name_filter: name, id_filter: id } = Filter.parse(body);
    const found = service.artifacts.filter(
      (one) =>
        one.workflowRun === workflowRun &&
        (name == null || one.name === name) &&
        (id == null || String(one.id) === String(id)),
    );
    return { artifacts: found.map(toArtifact) };
  },
  GetSignedArtifactURL(service, body, { workflowRun }) {
    const { name } = Named.parse(body);
    const found = service.artifacts.findLast(
      (one) => one.workflowRun === workflowRun && one.name === name,
    );
    if (found === undefined) throw new Error(`no artifact ${name}`);
    return { signed_url: `${service.url}/blobs/artifact-${found.id}?sig=download` };
  },
};

function toArtifact({ id, name, workflowRun, job, bytes }: KeptArtifact): object {
  return {
    workflow_run_backend_id: workflowRun,
    workflow_job_run_backend_id: job,
    database_id: String(id),
    name,
    size: String(bytes.length),
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  };
}

interface BlobCall {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  pathname: string;
  searchParams: URLSearchParams;
}

/** Blocks under their ids, then the list that joins them; or all at once. */
function answerBlob(
  service: Service,
  { request, response, body, pathname, searchParams }: BlobCall,
): void {
  const key = pathname.slice('/blobs/'.length);
  if (request.method === 'GET') {
    const found = service.artifacts.find(({ id }) => `artifact-${id}` === key);
    if (found === undefined) return send(response, 404, {});
    response.writeHead(200, { 'content-type': 'application/zip' }).end(found.bytes);
    return;
  }
  const upload = service.uploads.get(key);
  if (upload === undefined) return send(response, 404, {});
  const part = searchParams.get('comp');
  if (part === 'block') upload.blocks.set(searchParams.get('blockid') ?? '', body);
  else if (part === 'blocklist') upload.bytes = Buffer.concat(joined(upload, body.toString()));
  else upload.bytes = body;
  response.writeHead(201, { 'x-ms-request-id': randomUUID(), etag: '"0"' }).end();
}

function joined({ blocks }: Upload, list: string): Buffer[] {
  const ids = Array.from(list.matchAll(/<Latest>([^<]*)<\/Latest>/g), ([, id = '']) => id);
  return ids.flatMap((id) => blocks.get(id) ?? []);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  await once(request, 'end');
  return Buffer.concat(parts);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
