/**
 * After work each participant says what conflicts with their principles (spec 08). Nobody waits for it, and what fails in
 * it fails nothing else.
 */
import type { RunKind } from '../../run/thread-context.ts';
import { onStandup } from './on-standup.ts';

export const STANDUP: RunKind<'standup'> = {
  name: 'Standup',
  look: ({ thread, about, id }) => ({
    kind: 'look-standup',
    thread,
    source: about ?? { run: id, outcome: 'completed' },
  }),
  onEvent: onStandup,
  show: () => undefined,
  end: () => undefined,
};
