/** What a newer worker wrote is left alone: an older one reduces nothing in that stream. */
import { expect } from 'vitest';
import { decide } from '../../src/decide/route.ts';
import { EVENT_VERSION } from '../../src/domain/event/event.ts';
import { ANA, THREAD } from '../helpers/play.ts';
import { verifies } from '../verifies.ts';

const STREAMS = ['thread', 'task', 'build', 'repository', 'precision', 'installation', 'tick'];

verifies(
  'DUR-07: state of a newer version',
  'a state of a newer version is refused by the reducer of every stream that keeps one',
  () => {
    const at = '2026-03-02T09:00:00Z';
    const data = {
      kind: 'trigger',
      trigger: { kind: 'edited', thread: THREAD, actor: ANA },
    } as const;
    for (const stream of STREAMS) {
      const event = { id: 'e', key: `${stream}:7/1`, version: EVENT_VERSION, at, data };
      const before = { v: 99, runs: {} };
      const reduce = (): unknown => decide(before, event, { now: Date.parse(at) });
      expect(reduce).toThrow(expect.objectContaining({ code: 'state-newer' }));
    }
  },
);
