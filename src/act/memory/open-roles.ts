/** Makes approved operations in the files of roles, on a branch of its own, and opens a pull request with them. */
import { RefusedError } from '../../domain/event/errors.ts';
import { withUnionMerge } from '../../domain/memory/role/role-file.ts';
import {
  applyOperations,
  ROLE_FILES,
  ROLE_PATHS,
  type RoleOperation,
  type RoleTexts,
} from '../../domain/memory/role/role-memory.ts';
import { renderRolePull, roleBranch } from '../../domain/memory/role/role-proposal.ts';
import { ATTRIBUTES_FILE } from '../../domain/repository/git-attributes.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { DataOf, EffectContext } from '../effect-context.ts';
import type { Performed } from '../ports.ts';
import { settingsNow } from '../read/survey.ts';
import { workAt } from '../task/coder/coding-runtime.ts';
import { refuseWithoutAuthority } from '../write/thread-writes.ts';
import { memorySessionOf } from './read-memory.ts';
import { roleTexts } from './role-texts.ts';

export async function openRoles(
  { thread, operations, proposedBy, authority }: DataOf<'open-roles'>,
  { ports, readSettings }: EffectContext,
): Promise<Performed<'open-roles'>> {
  await refuseWithoutAuthority({ thread }, authority, ports);
  const session = workAt(ports, thread);
  const reached = memorySessionOf(session);
  const { config, facts } = await settingsNow(thread, session, { readSettings });
  if (reached === undefined || !config.enabled || !config.memory.enabled)
    throw new RefusedError({
      code: 'switched-off',
      message: 'Memory is now switched off here (`memory.enabled`): nothing is written.',
    });
  const repository = toRepositoryRef(thread);
  const branch = roleBranch(thread.number);
  const { title, body } = renderRolePull(operations, { ...authority.user, thread: thread.number });
  const shipped = await roleTexts(new Map(), ports);
  let refused: string[] = [];
  const { head } = await reached.memory.update(
    { repository, branch },
    {
      paths: [...Object.values(ROLE_PATHS), ATTRIBUTES_FILE],
      message: title,
      from: facts.defaultBranch,
      change: (files) => {
        const applied = applyTo(files, operations, shipped);
        ({ refused } = applied);
        return applied.files;
      },
    },
  );
  const done = (pull?: { number: number; url: string }): Performed<'open-roles'> => ({
    effectKind: 'open-roles',
    result: { ...(pull && { pull }), refused },
    githubCalls: session.counts,
  });
  // The files already contain what was approved.
  if (head === undefined) return done();
  const { number, url } = await session.tasks.ensurePull(repository, {
    marker: { kind: 'proposal', run: proposedBy, key: `memory-${thread.number}` },
    head: branch,
    headSha: head,
    base: facts.defaultBranch,
    title,
    body,
    isDraft: false,
  });
  return done({ number, url });
}

/** Files that nothing was approved for stay as they are; where one is missing, it begins with the shipped default. */
function applyTo(
  files: ReadonlyMap<string, string>,
  operations: readonly RoleOperation[],
  shipped: RoleTexts,
): { files: Map<string, string>; refused: string[] } {
  const before: RoleTexts = {
    pm: files.get(ROLE_PATHS.pm) ?? shipped.pm,
    artist: files.get(ROLE_PATHS.artist) ?? shipped.artist,
  };
  const { texts, refused } = applyOperations(before, operations);
  const changed = ROLE_FILES.filter((name) => texts[name] !== before[name]);
  const written = changed.map((name): [string, string] => [ROLE_PATHS[name], texts[name]]);
  const attributes: [string, string][] =
    written.length === 0 ? [] : [[ATTRIBUTES_FILE, withUnionMerge(files.get(ATTRIBUTES_FILE))]];
  return {
    files: new Map([...written, ...attributes]),
    refused: refused.map(({ reason }) => reason),
  };
}
