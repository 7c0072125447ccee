/** Folders follow their personas: renamed, archived, brought back; never deleted, and never on a guess. */
import { describe, expect, test } from 'vitest';
import { workingPath } from '../../../src/domain/memory/file/apply-change.ts';
import {
  moveFolders,
  TEAM_FILE,
  withChanges,
  type TeamMember,
} from '../../../src/domain/memory/file/move-folders.ts';
import { TEAM } from '../../../src/domain/memory/memory-entry.ts';
import { verifies } from '../../verifies.ts';

const member = (handle: string, role: string, name = handle): TeamMember => ({
  handle,
  name,
  role,
});
const maya = member('maya', 'Security Reviewer', 'Maya');
const dev = member('dev', 'Developer', 'Dev');
const mila = member('mila', 'Security Reviewer', 'Mila');

const line = (text: string): string => `## 2026-01-03 [PATTERN]\n\n- [PATTERN] ${text}\n`;

/** The branch as it was written while this team was there. */
function branch(team: readonly TeamMember[], more: Record<string, string> = {}) {
  const folders = team.map(
    ({ handle }) => [workingPath(handle), line(`${handle} knows this`)] as const,
  );
  const files = new Map([...folders, ...Object.entries(more)]);
  return withChanges(files, moveFolders(files, team));
}

function next(files: ReadonlyMap<string, string>, team: readonly TeamMember[]) {
  return withChanges(files, moveFolders(files, team));
}

const foldersOf = (files: ReadonlyMap<string, string>): string[] =>
  [...files.keys()].filter((path) => path !== TEAM_FILE).toSorted();

describe('folders of personas', () => {
  verifies(['NW-14'], 'a persona with a new handle and the same role keeps its memory', () => {
    const files = next(branch([maya, dev], { 'personas/maya/core.md': line('core') }), [mila, dev]);
    expect(foldersOf(files)).toEqual([
      'personas/dev/working.md',
      'personas/mila/core.md',
      'personas/mila/working.md',
    ]);
    expect(files.get('personas/mila/working.md')).toContain('maya knows this');
  });

  verifies(['NW-14'], 'the memory of a persona that was removed goes into the archive', () => {
    expect(foldersOf(next(branch([maya, dev]), [dev]))).toEqual([
      'personas/.archived/maya/working.md',
      'personas/dev/working.md',
    ]);
  });

  test('where two could be the heir, nobody is', () => {
    const twin = member('mona', 'Security Reviewer');
    expect(foldersOf(next(branch([maya, dev]), [mila, twin, dev]))).toContain(
      'personas/.archived/maya/working.md',
    );
  });

  test('two that left do not share one heir', () => {
    const twin = member('mona', 'Security Reviewer');
    expect(foldersOf(next(branch([maya, twin]), [mila]))).toEqual([
      'personas/.archived/maya/working.md',
      'personas/.archived/mona/working.md',
    ]);
  });

  test('a persona that returns gets its memory back', () => {
    const away = next(branch([maya, dev]), [dev]);
    expect(foldersOf(next(away, [maya, dev]))).toEqual([
      'personas/dev/working.md',
      'personas/maya/working.md',
    ]);
  });

  test('what was archived before stays beside what is archived now', () => {
    const older = { 'personas/.archived/maya/working.md': line('Older note') };
    const text = next(branch([maya, dev], older), [dev]).get('personas/.archived/maya/working.md');
    expect(text).toContain('Older note');
    expect(text).toContain('maya knows this');
  });

  test('the team folder stays, and a damaged list archives nobody who is in the team', () => {
    const files = new Map([
      [`personas/${TEAM}/working.md`, line('We release on Fridays')],
      [workingPath('dev'), line('dev knows this')],
      [TEAM_FILE, '{"dev":'],
    ]);
    expect(moveFolders(files, [dev]).isMoving).toBe(false);
  });

  test('where nothing moves, only the list of the team may differ', () => {
    const files = branch([maya, dev]);
    expect(moveFolders(files, [maya, dev]).changes.size).toBe(0);
    const renamed = moveFolders(files, [{ ...maya, name: 'May' }, dev]);
    expect([...renamed.changes.keys()]).toEqual([TEAM_FILE]);
    expect(renamed.isMoving).toBe(false);
  });
});
