/** Changes what a repository keeps from one standup to the next: read, changed, and made again after a lost race. */
import { TransientError } from '../../domain/event/errors.ts';
import type { RepositoryValues, ValueName } from '../../domain/standup/kept-standup.ts';
import { NO_TENSIONS } from '../../domain/tension/tension.ts';
import type { StandupStore } from '../../ports/standup-store.ts';

/** Two workers that lose so many races to each other are not racing. */
const MAX_TRIES = 12;

const EMPTY: RepositoryValues = {
  tensions: NO_TENSIONS,
  relations: {},
  strictness: { level: 'even', answers: 0, noTension: 0 },
};

type Reads = Pick<StandupStore, 'load'>;

/** The value that the repository stores under this name, or the empty value. */
export async function readValue<K extends ValueName>(
  store: Reads,
  repository: number,
  name: K,
): Promise<RepositoryValues[K]> {
  return (await store.load(repository, name))?.value ?? EMPTY[name];
}

/**
 * Saves what `change` makes of the present value, and returns it. `change` must be pure: it is made again when somebody
 * else was faster. The same value back writes nothing.
 */
export async function changeValue<K extends ValueName>(
  store: Pick<StandupStore, 'load' | 'replace'>,
  { repository, name }: { repository: number; name: K },
  change: (value: RepositoryValues[K]) => RepositoryValues[K],
): Promise<RepositoryValues[K]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { version, value } = (await store.load(repository, name)) ?? {
      version: 0,
      value: EMPTY[name],
    };
    const changed = change(value);
    if (changed === value) return value;
    if (await store.replace(repository, name, { expected: version, value: changed }))
      return changed;
  }
  throw new TransientError({
    code: 'state-moved',
    message: `The ${name} of repository ${repository} changed ${MAX_TRIES} times while they were written.`,
  });
}
