import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { readRequestBody } from '../../../src/adapters/http/body.ts';
import type { BodyBudget, ReadBody } from '../../../src/adapters/http/body.ts';
import { verifies } from '../../verifies.ts';

/** Sends the bodies at once to a reader with this budget; results in the order in which they were known. */
async function readAll(budget: BodyBudget, bodies: readonly string[]): Promise<ReadBody[]> {
  const results: ReadBody[] = [];
  const server = createServer((req, res) => {
    void readRequestBody(req, 1000, budget).then((result) => {
      results.push(result);
      return res.writeHead(200, { connection: 'close' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = (body: string): Promise<void> =>
    new Promise((resolve) => {
      const outgoing = request({ port, method: 'POST' }, (res) => res.resume().on('end', resolve));
      outgoing.on('error', () => resolve());
      outgoing.end(body);
    });
  await Promise.all(bodies.map(send));
  server.close();
  return results;
}

verifies('ING-07', 'all bodies together stay within a budget, which is given back', async () => {
  const budget: BodyBudget = { limit: 500, held: 0 };
  const [over] = await readAll(budget, ['x'.repeat(600)]);
  expect(over).toEqual({ kind: 'busy' });
  expect(budget.held).toBe(0);
  const fine = await readAll(budget, ['x'.repeat(400), '']);
  expect(fine.map((each) => each.kind)).toEqual(['read', 'read']);
  expect(budget.held).toBe(0);
  budget.held = 200;
  expect(await readAll(budget, ['x'.repeat(400)])).toEqual([{ kind: 'busy' }]);
  expect(budget.held).toBe(200);
});

verifies('ING-07', 'one body over its own limit is too large, whatever the budget', async () => {
  const budget: BodyBudget = { limit: 1_000_000, held: 0 };
  expect(await readAll(budget, ['x'.repeat(1001)])).toEqual([{ kind: 'too-large' }]);
  const [whole] = await readAll(budget, ['x'.repeat(1000)]);
  expect(whole?.kind === 'read' ? whole.bytes.length : 0).toBe(1000);
  expect(budget.held).toBe(0);
});
