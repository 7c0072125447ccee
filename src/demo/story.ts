/** What issues and pull requests of the demonstration have in common: each is a thread that is watched and judged. */
import type { Run } from '../domain/run/state/run-record.ts';
import { threadKey } from '../domain/run/thread-ref.ts';
import { REPOSITORY } from './project/people.ts';
import type { World } from './open-world.ts';

export interface Story {
  number: number;
  title: string;
  /** The thread's stream. */
  key: string;
  url: string;
}

export interface Watched {
  /** `#8`, or which task it is. */
  name: string;
  title: string;
  run: Run | undefined;
  /** Its status, where the discussion does not show it. */
  says?: string;
}

export function toStory(
  { emulator }: Pick<World, 'emulator'>,
  opened: { number: number; title: string; html_url: string },
): Story {
  const { number, title, html_url: url } = opened;
  const key = threadKey({ repositoryId: emulator.repository(REPOSITORY).id, number });
  return { number, title, key, url };
}

/** Names of the labels that are on a thread. */
export function labelsOn({ emulator }: Pick<World, 'emulator'>, number: number): string[] {
  const { labels, threads } = emulator.repository(REPOSITORY);
  const { labelIds = [] } = threads.get(number) ?? {};
  return labels.filter(({ id }) => labelIds.includes(id)).map(({ name }) => name);
}
