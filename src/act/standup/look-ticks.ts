/** Reads which boxes of our comment somebody ticked, who that was, and whether they may; and keeps reactions to it (LS-11). */
import { requiredPermission } from '../../domain/config/config.ts';
import { parseMarker } from '../../domain/github/marker.ts';
import { hasPermission, threadKey } from '../../domain/run/thread-ref.ts';
import { readTicks } from '../../domain/standup/ticks.ts';
import type { TicksLook } from '../../domain/standup/standup-run.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';

const MAX_COMMENTS = 100;
/** The signed last line. Only the text before it is compared. */
const MARKER_START = '<!-- quorum:v1 ';

/** The comment's text is not believed: only a box may differ from what we wrote. */
export async function lookAtTicks(
  { thread, commentId, body, by, standup }: DataOf<'look-ticks'>,
  { ports, readSettings }: EffectContext,
): Promise<Performed<'look-ticks'>> {
  const session = ports.github.at(thread);
  const done = (result: TicksLook): Performed<'look-ticks'> => ({
    effectKind: 'look-ticks',
    result,
    githubCalls: session.counts,
  });
  const comments = await session.read.comments(thread, MAX_COMMENTS);
  const comment = comments.find(({ id }) => id === commentId);
  if (comment === undefined) return done({ kind: 'void', why: 'the comment is gone' });
  const marker = comment.isOurs
    ? parseMarker(comment.body, ports.markerSecret, threadKey(thread))
    : undefined;
  if (marker?.kind !== 'standup') return done({ kind: 'void', why: 'the marker is not ours' });
  const { thumbs } = comment;
  if (standup !== undefined && thumbs !== undefined)
    await ports.store.standups.rate({ repository: thread.repositoryId, run: standup }, thumbs);
  const text = comment.body.slice(0, comment.body.lastIndexOf(MARKER_START));
  const reading = readTicks(body, text);
  if (reading.kind === 'edited') return done({ kind: 'edited', line: reading.line });
  const { ticked, unticked } = reading;
  if (ticked.length + unticked.length === 0) return done({ kind: 'void', why: 'no box differs' });
  const editor = by ?? (await session.history.editor(thread, commentId));
  if (editor === undefined)
    return done({ kind: 'void', why: 'GitHub does not tell who edited the comment' });
  const { id, login } = editor;
  const people = [{ id, login }];
  const settings = await settingsNow(thread, session, { readSettings, people });
  const needed = requiredPermission(settings.config.access, 'tension', 'change');
  const held = await settings.permission({ id, login });
  const mayChange = !editor.isBot && hasPermission(held, needed);
  return done({ kind: 'boxes', ticked, unticked, by: editor, mayChange });
}
