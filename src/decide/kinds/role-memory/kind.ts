/**
 * Asks, in the background, whether anything from finished work belongs in the files of the PM and the Artist. It shows
 * people the proposal, and opens a pull request with what one of them approves.
 */
import type { RunKind } from '../../run/thread-context.ts';
import { onRoleMemory } from './on-role-memory.ts';

export const ROLE_MEMORY: RunKind<'role_memory'> = {
  name: 'Role memory',
  waitsForWrites: true,
  look: ({ thread, source = {} }) => ({ kind: 'look-roles', thread, source }),
  onEvent: onRoleMemory,
  show: () => undefined,
  end: () => undefined,
};
