/** The people of an example repository, each with what they may do there and a token to act with. */
import type { GitHubEmulator } from '../../emulator/github/emulator-interface.ts';
import type { Permission } from '../../domain/run/thread-ref.ts';
import { PEOPLE } from '../project/people.ts';

export interface PersonWithToken {
  login: string;
  role: Permission;
  token: string;
}

export function peopleOf(emulator: GitHubEmulator): PersonWithToken[] {
  return PEOPLE.map(({ login, permission: role }) => ({
    login,
    role,
    token: emulator.createUserToken(login),
  }));
}
