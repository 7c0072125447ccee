/** A plan on a GitHub in memory: its text is compared by nobody, its leases are; for schedules by the thousand. */
import { editShared } from '../../src/adapters/github/work/edit-body.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import type { BodyVersion } from '../../src/domain/plan/body/body-versions.ts';
import type { Actor } from '../../src/domain/run/thread-ref.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { WorkSession } from '../../src/ports/github/work.ts';
import { createMemoryRefs } from './memory-leases.ts';

export interface MemoryPlan {
  body(): string;
  leases: WorkSession['leases'];
  /** What a person does, in one go. */
  edit(change: (body: string) => string): void;
  /** What an installation's effects are carried out with; `before` is awaited before each call. */
  portsOf(instance: string, before: (what: string) => Promise<unknown>): ActPorts;
}

const BOT: Actor = { id: 9, login: 'quorum[bot]', isBot: true };
const PERSON: Actor = { id: 1, login: 'ana', isBot: false };
/** As many as GitHub is asked for. */
const SHOWN = 20;

export function createMemoryPlan(first: string, clock: Clock): MemoryPlan {
  const refs = createMemoryRefs();
  const versions: BodyVersion[] = [{ id: 'v0', text: first, by: PERSON, at: 0 }];
  let body = first;
  const put = (text: string, by: Actor): void => {
    body = text;
    versions.push({ id: `v${versions.length}`, text, by, at: 0 });
  };
  const seen = () => ({ body, versions: versions.length === 1 ? [] : versions.slice(-SHOWN) });
  const sessionOf = (before: (what: string) => Promise<unknown>) => {
    const read = async () => {
      await before('read text');
      return seen();
    };
    const write = async (text: string) => {
      await before('write text');
      put(text, BOT);
      return read();
    };
    const shared = { read, write, wait: () => Promise.resolve(), name: 'the plan' };
    const survey = async () => {
      await before('look');
      return {
        permissions: new Map([[PERSON.id, 'write']]),
        repository: { defaultBranch: 'main', headSha: 'base' },
        issue: { body, state: 'open', isLocked: false },
      };
    };
    return {
      counts: {},
      leases: refs.open(before),
      tasks: {},
      survey: { issue: survey },
      plans: {
        editBody: (_: unknown, edit: Parameters<typeof editShared>[1]) => editShared(shared, edit),
        history: async () => (await read()).versions,
      },
    };
  };
  return {
    body: () => body,
    leases: refs.open(),
    edit: (change) => put(change(body), PERSON),
    portsOf: (instance, before) => {
      const session = sessionOf(before);
      const random = { next: () => 0, id: () => 'n0n5e7k2x9q4w8z1' };
      const ports = { github: { at: () => session }, clock, random, codingRuntime: { instance } };
      // Claims and edits of the text ask for nothing else; what is missing fails the test.
      return ports as unknown as ActPorts;
    },
  };
}
