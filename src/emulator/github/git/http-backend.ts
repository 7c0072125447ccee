/** Serves clone, fetch and push by `git http-backend` as a CGI child. */
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { childEnv } from './git-process.ts';

const SERVICE =
  /^\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

export interface GitRequest {
  owner: string;
  name: string;
  file: string;
  isPush: boolean;
}

/** Recognises a smart HTTP request by its path and service. */
export function parseGitRequest(path: string, query: URLSearchParams): GitRequest | undefined {
  const match = SERVICE.exec(path);
  const [, owner, name, file] = match ?? [];
  if (owner === undefined || name === undefined || file === undefined) return undefined;
  const service = query.get('service') ?? file;
  return { owner, name, file, isPush: service === 'git-receive-pack' };
}

export interface GitServing {
  gitDir: string;
  request: GitRequest;
  user: string;
  query: string;
  /** Set for an App that may not touch workflow files. */
  refuseWorkflows: boolean;
  /** Branches that take signed commits only. */
  signed: string;
  /** The answer is thrown away: used when the caller must not learn of the effect. */
  discard: boolean;
}

/** Runs one exchange; resolves when git has ended. */
export async function serveGit(
  req: IncomingMessage,
  res: ServerResponse,
  serving: GitServing,
): Promise<{ status: number }> {
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: cgiEnv(req, serving),
  });
  req.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head = Buffer.alloc(0);
  let status = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (serving.discard) return;
    if (status !== 0) return void res.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const parsed = parseHead(head.subarray(0, end).toString());
    status = parsed.status;
    res.writeHead(status, parsed.headers);
    res.write(head.subarray(end + 4));
  });
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  if (!serving.discard && status === 0) res.writeHead(500);
  return { status: status === 0 ? 500 : status };
}

function parseHead(text: string): { status: number; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'status') status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers };
}

function cgiEnv(req: IncomingMessage, serving: GitServing): Record<string, string> {
  const slash = serving.gitDir.lastIndexOf('/');
  const env: Record<string, string> = {
    ...childEnv(),
    GIT_PROJECT_ROOT: serving.gitDir.slice(0, slash),
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: serving.user,
    REMOTE_ADDR: req.socket.remoteAddress ?? '127.0.0.1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.receivepack',
    GIT_CONFIG_VALUE_0: 'true',
    EMULATOR_SIGNED: serving.signed,
    EMULATOR_NO_WORKFLOWS: serving.refuseWorkflows ? '1' : '0',
    PATH_INFO: `/${serving.gitDir.slice(slash + 1)}/${serving.request.file}`,
    REQUEST_METHOD: req.method ?? 'GET',
    QUERY_STRING: serving.query,
    CONTENT_TYPE: req.headers['content-type'] ?? '',
  };
  const optional: Record<string, string | string[] | undefined> = {
    CONTENT_LENGTH: req.headers['content-length'],
    HTTP_CONTENT_ENCODING: req.headers['content-encoding'],
    GIT_PROTOCOL: req.headers['git-protocol'],
  };
  for (const [name, value] of Object.entries(optional))
    if (typeof value === 'string') env[name] = value;
  return env;
}
