/** Deliveries that never arrived are asked for again. */
import { describe, expect, test } from 'vitest';
import { verifies } from '../../verifies.ts';
import { createTestClock, makePrivateKey, openGitHub, openStage, type Script } from './stage.ts';

const auth = { kind: 'app', appId: 12, privateKey: makePrivateKey() } as const;
const NOW = createTestClock().now();
const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * 3_600_000).toISOString();
const delivery = (id: number, guid: string, [status, hoursAgo]: [number, number]) => ({
  id,
  guid,
  status_code: status,
  delivered_at: at(hoursAgo),
});

async function redeliver(pages: unknown[][], since: string, script?: Script) {
  const stage = await openStage((seen) => {
    const own = script?.(seen);
    if (own !== undefined) return own;
    if (seen.method === 'POST') return { status: 202, body: {} };
    const cursor = Number(new URL(seen.path, 'http://x').searchParams.get('cursor') ?? 0);
    const next = `<http://${seen.headers.host}/app/hook/deliveries?per_page=100&cursor=${cursor + 1}>; rel="next"`;
    return { body: pages[cursor] ?? [], headers: cursor + 1 < pages.length ? { link: next } : {} };
  });
  const count = await openGitHub(stage, createTestClock(), { auth }).app.redeliverFailed(since);
  const asked = stage.seen
    .filter((one) => one.method === 'POST')
    .map((one) => one.path.split('/')[4]);
  return { count, asked, stage };
}

describe('redeliverFailed', () => {
  verifies(
    'P7',
    'asks once for each delivery that no attempt got through, oldest first',
    async () => {
      const pages = [
        [delivery(9, 'c', [502, 1]), delivery(8, 'b', [200, 2]), delivery(7, 'a', [500, 3])],
        [delivery(6, 'b', [503, 4]), delivery(5, 'a', [0, 5])],
      ];
      const { count, asked } = await redeliver(pages, at(10));
      expect([count, asked]).toEqual([2, ['7', '9']]);
    },
  );

  test('stops reading at the time given, and never looks back more than three days', async () => {
    const pages = [
      [delivery(9, 'a', [500, 1]), delivery(8, 'b', [500, 80])],
      [delivery(7, 'c', [500, 90])],
    ];
    const { asked, stage } = await redeliver(pages, at(1000));
    expect(asked).toEqual(['9']);
    expect(stage.count('GET /app/hook/deliveries')).toBe(1);
  });

  test('goes on past a delivery that GitHub does not repeat', async () => {
    const pages = [[delivery(9, 'a', [500, 1]), delivery(8, 'b', [500, 2])]];
    const { count } = await redeliver(pages, at(5), (seen) =>
      seen.path.includes('/8/') ? { status: 422 } : undefined,
    );
    expect(count).toBe(1);
  });

  test('is nothing on a server without the list', async () => {
    const { count } = await redeliver([], at(5), () => ({ status: 404 }));
    expect(count).toBe(0);
  });

  test('keeps ids exact that are larger than numbers', async () => {
    const { asked } = await redeliver([], at(5), (seen) =>
      seen.method === 'POST'
        ? undefined
        : {
            raw: `[{"id":12345678901234567890,"guid":"a","status_code":500,"delivered_at":"${at(1)}"}]`,
          },
    );
    expect(asked).toEqual(['12345678901234567890']);
  });
});
