/** Makes a kind of run that deliberates: what it shares with every other one, and what is its own. */
import { HANDLED, type Outcome } from '../run/outcome.ts';
import type { ResultData, RunContext, RunKind } from '../run/thread-context.ts';
import { onAskAnswered, onAskFailed } from './on-answer.ts';
import { remind, resumeAfterListening } from './listen-to-people.ts';
import type { DiscussionTrigger } from '../../domain/run/state/kind-state.ts';

type Done = Extract<ResultData, { kind: 'done' }>;
type Read = Done & { effectKind: 'look' | 'look-pull' | 'look-build' };

export interface Discussion<T extends DiscussionTrigger, K extends Read['effectKind']> extends Pick<
  RunKind<T>,
  'name' | 'label' | 'look' | 'acknowledge' | 'show' | 'end'
> {
  /** The effect with which it looks. */
  read: K;
  onRead: (context: RunContext<T>, data: Extract<Read, { effectKind: K }>) => Outcome;
  /** Takes what only this kind of run asks for; undefined for all else. */
  onOwnResult?: (context: RunContext<T>, data: ResultData) => Outcome | undefined;
}

export function discussion<T extends DiscussionTrigger, K extends Read['effectKind']>(
  own: Discussion<T, K>,
): RunKind<T> {
  const { read: _, onRead: __, onOwnResult, ...rest } = own;
  return {
    ...rest,
    onEvent: (context, data) => onOwnResult?.(context, data) ?? onResult(own, context, data),
  };
}

function onResult<T extends DiscussionTrigger, K extends Read['effectKind']>(
  { read, onRead }: Discussion<T, K>,
  context: RunContext<T>,
  data: ResultData,
): Outcome {
  if (data.kind === 'failed') return onAskFailed(context, data);
  if (data.kind === 'timer')
    return data.timer.endsWith('-reminder')
      ? remind(context, data.timer)
      : resumeAfterListening(context, data.timer);
  if (data.effectKind === 'ask') return onAskAnswered(context, data);
  return isRead(data, read) ? onRead(context, data) : HANDLED;
}

function isRead<K extends Read['effectKind']>(
  data: Done,
  kind: K,
): data is Extract<Read, { effectKind: K }> {
  return data.effectKind === kind;
}
