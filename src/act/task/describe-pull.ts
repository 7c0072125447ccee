/** Writes the text of a pull request as it is at the end, in the place of a text that Quorum wrote itself. */
import type { EffectData } from '../../domain/event/effect.ts';
import { splitMarker } from '../../domain/github/marker.ts';
import { isOwnText } from '../../domain/github/own-text.ts';
import { toShownText } from '../../domain/text/cap-body.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { workAt } from './coder/coding-runtime.ts';

type Describe = Extract<EffectData, { kind: 'describe' }>;

export async function describePull(
  { thread, from, to }: Describe,
  ports: ActPorts,
): Promise<Performed<'describe'>> {
  const session = workAt(ports, thread);
  const wanted = toShownText(to);
  const { outcome } = await session.plans.editBody(thread, (body) => {
    const { text, marker } = splitMarker(body.replaceAll('\r\n', '\n'));
    if (text === wanted) return body;
    // What a person changed stays as they wrote it.
    if (marker === undefined || !isOwnText(text, from)) return undefined;
    return `${wanted}\n\n${marker}`;
  });
  return { effectKind: 'describe', result: { outcome }, githubCalls: session.counts };
}
