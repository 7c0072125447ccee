/** Ends in a journal: a thread that was closed, and permanent failures. */
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { quoteCode, inLine } from '../quote.ts';
import type { Done, Scene, Told } from './scene.ts';

export function tellClose({ effectId, result }: Done<'close'>, scene: Scene): Told[] {
  if (scene.event.key === scene.key) scene.journal.state = 'closed';
  if (result === 'was-closed') return [];
  const close = scene.effects.get(effectId);
  const why = close?.kind === 'close' ? ` as ${close.reason.replace('_', ' ')}` : '';
  const number = scene.event.key.split('/').at(-1) ?? '';
  return [{ kind: 'close', text: `**Quorum closed #${number}**${why}.` }];
}

/** What people miss when it fails; a read that failed is read again and tells nothing. */
const NAMES: Readonly<Partial<Record<EffectKind, string>>> = {
  ask: 'A question to the team',
  propose: 'Planning',
  claim: 'Claiming the task',
  code: 'Writing the code',
  verify: 'Running the gates',
  publish: 'Pushing the change',
  retest: 'Testing with the new base',
  merge: 'Merging',
  review: 'Posting the review',
};

export function tellFailure(
  { effectKind, effectId, failure }: Extract<EventData, { kind: 'failed' }>,
  scene: Scene,
): Told[] {
  const name = NAMES[effectKind];
  if (name === undefined) return [];
  const asked = scene.effects.get(effectId);
  const of = asked?.kind === 'ask' ? ` (${quoteCode(asked.persona)})` : '';
  const text = `**${name}${of} failed** (${quoteCode(failure.code)}): ${inLine(failure.message, scene.rules)}`;
  return [{ kind: 'failure', text }];
}
