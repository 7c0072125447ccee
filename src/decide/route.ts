/** The one reducer: an event's stream says what kind of thing it is about. */
import type { Event } from '../domain/event/event.ts';
import { decideChat } from './channel/chat/decide-chat.ts';
import { decideCursor, decideIdentities, decideSession } from './channel/identities.ts';
import { decideChannels } from './channel/decide-channels.ts';
import { decideBuild } from './kinds/build/follow-builds.ts';
import type { Decision, DecisionContext } from './run/decision.ts';
import { decideInstallation } from './installation.ts';
import { decideModels } from './decide-models.ts';
import { decidePrecision } from './decide-precision.ts';
import { decideRepository } from './repository.ts';
import { decideTick } from './decide-tick.ts';
import { decideTask } from './task/decide-task.ts';
import { decideThread } from './thread.ts';

export type Reducer = (state: unknown, event: Event, moment: DecisionContext) => Decision;

/** Streams by the word before the colon of their key. */
const REDUCERS: Readonly<Record<string, Reducer>> = {
  thread: decideThread,
  task: decideTask,
  build: decideBuild,
  repository: decideRepository,
  precision: decidePrecision,
  installation: decideInstallation,
  tick: decideTick,
  models: decideModels,
  channels: decideChannels,
  chat: decideChat,
  identities: decideIdentities,
  cursor: decideCursor,
  session: decideSession,
};

/** Reduces one event: pure, the same for live work, replay and simulation. */
export function decide(state: unknown, event: Event, moment: DecisionContext): Decision {
  const [kind = ''] = event.key.split(':');
  const reducer = REDUCERS[kind];
  if (reducer === undefined)
    return { state, effects: [], events: [], ignored: `no reducer for the stream ${event.key}` };
  return reducer(state, event, moment);
}
