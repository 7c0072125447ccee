/** Who works on csvpeek, and what each may do there. */
import type { Permission } from '../../domain/run/thread-ref.ts';

export interface Person {
  login: string;
  name: string;
  permission: Permission;
}

export const OWNER = 'tablewright';
export const REPOSITORY = `${OWNER}/csvpeek`;

/** Decides what only a person may. */
export const MAINTAINER = 'ana-lund';
/** Approves what the team wrote: the person who asked for the work may not. */
export const APPROVER = 'ben-okafor';
/** May put labels on, and no more. */
export const TRIAGER = 'chloe-marchetti';

export const PEOPLE: readonly Person[] = [
  { login: MAINTAINER, name: 'Ana Lund', permission: 'maintain' },
  { login: 'ben-okafor', name: 'Ben Okafor', permission: 'write' },
  { login: TRIAGER, name: 'Chloé Marchetti', permission: 'triage' },
  { login: 'dario-perez', name: 'Dario Pérez', permission: 'none' },
  { login: 'mei-tanaka', name: 'Mei Tanaka', permission: 'none' },
];
