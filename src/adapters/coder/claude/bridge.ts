/**
 * Runs inside the sandbox, as a child of the CLI: carries what it asks to our process over the run's socket, and knows
 * nothing itself. `mcp` speaks JSON-RPC by the line, `hook` passes one event on and prints the decision.
 */
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const [, , socketPath = '', token = '', mode = ''] = process.argv;

async function post(body: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const req = request({ socketPath, path: `/${mode}`, method: 'POST', headers });
  req.end(body);
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    req.on('response', resolve);
    req.on('error', reject);
  });
  const answer = await text(res);
  if (res.statusCode !== 200 && res.statusCode !== 202)
    throw new Error(`${res.statusCode}: ${answer}`);
  return answer;
}

async function carry(body: string, end: string): Promise<void> {
  const answer = await post(body);
  if (answer !== '') process.stdout.write(`${answer}${end}`);
}

function fail(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 2;
}

if (mode === 'hook')
  text(process.stdin)
    .then((event) => carry(event, ''))
    .catch(fail);
else
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() !== '') carry(line, '\n').catch(fail);
  });
