/** Commands about what the team remembers, how threads get along, and pictures. */
import type { CommandEntry } from './command.ts';
import { NOTHING, NUMBER, NUMBER_AND_PROSE, PROSE } from './rules.ts';

/** What most of these share. */
const TEACH = {
  kind: 'change',
  where: 'thread',
  destructive: false,
  safety: 0,
  built: false,
} as const;

export const KNOWLEDGE_COMMANDS: readonly CommandEntry[] = [
  {
    ...TEACH,
    name: 'remember',
    built: true,
    usage: '/pm remember what',
    summary: 'Keeps a sentence in the memory of the team.',
    examples: ['/pm remember we never bump majors on a Friday'],
    takes: PROSE,
  },
  {
    ...TEACH,
    name: 'memory',
    built: true,
    usage:
      '/pm memory [approve [1,3]|reject [2]|remove N|add: what|change N to what|approve ID|remove ID|change ID to what|why N|why ID]',
    summary:
      'Shows what is remembered, answers what was proposed, or says which note led to a finding. N is the number of a proposed memory, and of a finding after `why`. ID is the id of a note in the list, with or without `m:` before it. `/pm memory remove 3` is the same as `/pm remove 3`, and so with `add` and `change`; `remove ID` is `/pm forget ID`.',
    examples: [
      '/pm memory',
      '/pm memory approve [1,3]',
      '/pm memory reject',
      '/pm memory why 2',
      '/pm memory why 4f0c2b91aa',
    ],
    kind: 'read',
    kindWithArguments: 'change',
    safetyOf: { approve: -1, reject: 2 },
    takes: {
      words:
        /^(?:why (?:#?\d{1,6}|(?:m:)?[0-9a-f]{10})|(?:reject|approve)(?: (?:[0-9a-f]{10}|\[?\d{1,4}(?:, ?\d{1,4}){0,49}\]?))?)?$/i,
    },
  },
  {
    ...TEACH,
    name: 'remove',
    built: true,
    usage: '/pm remove N',
    summary: 'Removes one of the proposed memories.',
    examples: ['/pm remove 3'],
    destructive: true,
    takes: NUMBER,
  },
  {
    ...TEACH,
    name: 'add',
    built: true,
    usage: '/pm add: what',
    summary: 'Adds one to the proposed memories.',
    examples: ['/pm add: tests run on Node 24'],
    takes: PROSE,
  },
  {
    ...TEACH,
    name: 'change',
    built: true,
    usage: '/pm change N|ID to what',
    summary:
      'Rewords one of the proposed memories by its number, or a note of `/pm memory` by its id.',
    examples: [
      '/pm change 1 to tests run on Node 24 and 26',
      '/pm change 4f0c2b91aa to we release on Mondays',
    ],
    takes: { head: 2, words: /^(?:#?\d{1,6}|(?:m:)?[0-9a-f]{10}) to:?$/i, prose: 'required' },
  },
  {
    ...TEACH,
    name: 'correct',
    built: true,
    usage: '/pm correct N what',
    summary: 'Corrects an answer of the report, and the memory with it.',
    examples: ['/pm correct 1 the cache is per user'],
    takes: NUMBER_AND_PROSE,
  },
  {
    ...TEACH,
    name: 'conflicts',
    usage: '/pm conflicts',
    summary: 'Shows which open threads touch the same files.',
    examples: ['/pm conflicts'],
    kind: 'read',
    takes: NOTHING,
  },
  {
    ...TEACH,
    name: 'order',
    usage: '/pm order',
    summary: 'Shows in which order to merge overlapping changes.',
    examples: ['/pm order'],
    kind: 'read',
    takes: NOTHING,
  },
  {
    ...TEACH,
    name: 'image',
    usage: '/pm image what · /pm image again change · /pm image push path',
    summary: 'Makes a picture, makes it again, or proposes it as a file.',
    examples: ['/pm image a logo of three birds', '/pm image again with more contrast'],
    takes: PROSE,
  },
  {
    ...TEACH,
    name: 'feedback',
    // As for a thumb down on a finding, the triage role is enough.
    kind: 'spend',
    usage: '/pm feedback what',
    summary:
      'Dismisses a finding with the reason, in its conversation or by its number, rule or title. Any other text is shown to the next run here.',
    examples: [
      '/pm feedback this is a fixture, not a secret',
      '/pm feedback 3: by design',
      '/pm feedback leave the generated files alone',
    ],
    built: true,
    takes: PROSE,
  },
  {
    ...TEACH,
    name: 'forget',
    built: true,
    usage: '/pm forget what|run ID|author LOGIN',
    summary: 'Removes a note from memory, or all that grew from a run or from what somebody wrote.',
    examples: [
      '/pm forget the rule about Fridays',
      '/pm forget 4f0c2b91aa',
      '/pm forget author mallory',
    ],
    destructive: true,
    takes: PROSE,
  },
  {
    ...TEACH,
    name: 'undo',
    built: true,
    usage: '/pm undo',
    summary:
      'Reverts the last command of this thread: approve, reject, hold, unhold, claim, release, block, model, pause or resume. For others it says why it cannot.',
    examples: ['/pm undo'],
    takes: NOTHING,
  },
];
