/**
 * A GitHub that costs next to nothing: `node stub-github.ts <answer time in ms>`, prints its port.
 *
 * It knows one repository (`acme/bench`, id 1) with any number of issues and takes every write there; every other
 * repository is a 404. Nothing is kept.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const delayMs = Number(process.argv[2] ?? 0);
let nextId = 100;

const USER = { id: 7, login: 'bench[bot]', type: 'Bot' };
const REPOSITORY = {
  id: 1,
  name: 'bench',
  full_name: 'acme/bench',
  owner: { id: 2, login: 'acme', type: 'Organization' },
  private: false,
  archived: false,
  default_branch: 'main',
};

/** The App addresses a repository by its id. */
const BY_ID = /^\/repositories\/1(?![^/])/;

type Answer = [status: number, body: unknown];
type Respond = (body: Record<string, unknown>) => Answer;

/** By method and the shape of the path; the first that fits answers. */
const ROUTES: readonly (readonly [RegExp, Respond])[] = [
  [/^POST \/app\/installations\/\d+\/access_tokens$/, () => [201, token()]],
  [/^GET \/app\/installations$/, () => [200, []]],
  [/^GET \/app$/, () => [200, { id: 1, slug: 'bench' }]],
  [/^GET \/repos\/acme\/bench$/, () => [200, REPOSITORY]],
  [/^POST \/repos\/acme\/bench\/issues\/\d+\/reactions$/, () => [201, reaction()]],
  [/^GET \/repos\/acme\/bench\/issues\/\d+\/(comments|labels|reactions)$/, () => [200, []]],
  [/^GET \/repos\/acme\/bench\/labels\//, () => [200, { id: 3, name: 'ready' }]],
  [/^POST \/repos\/acme\/bench\/issues\/\d+\/labels$/, () => [200, [{ name: 'ready' }]]],
  [/^POST \/repos\/acme\/bench\/issues\/\d+\/comments$/, (body) => [201, comment(body)]],
];

function token(): object {
  return { token: 'stub', expires_at: new Date(Date.now() + 3_600_000).toISOString() };
}

function reaction(): object {
  nextId += 1;
  return { id: nextId, content: 'eyes', user: USER };
}

function comment(body: Record<string, unknown>): object {
  nextId += 1;
  const at = new Date().toISOString();
  const url = `http://127.0.0.1/acme/bench/issues/1#issuecomment-${nextId}`;
  return {
    id: nextId,
    body: body['body'],
    html_url: url,
    user: USER,
    created_at: at,
    updated_at: at,
  };
}

function answer(req: IncomingMessage, res: ServerResponse, text: string): void {
  const [path = '/'] = (req.url ?? '/').split('?');
  const name = `${req.method} ${path.replace(/^\/api\/v3/, '').replace(BY_ID, '/repos/acme/bench')}`;
  const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  const respond = ROUTES.find(([shape]) => shape.test(name))?.[1];
  const [status, value] = respond?.(body) ?? [404, { message: 'Not Found' }];
  const json = JSON.stringify(value);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
  };
  const send = (): void => void res.writeHead(status, headers).end(json);
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
}

const server = createServer((req, res) => {
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (chunk: string) => (text += chunk));
  req.on('end', () => answer(req, res, text));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
