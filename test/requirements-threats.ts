/** Threats and faults by family: a title for each number, which of them tests prove, and why the others have none yet. */
import type { Requirement } from './requirements.ts';

/** A family of threats and faults; a title's place is its number, from 1. */
interface Family {
  id: string;
  titles: readonly string[];
  proven: readonly number[];
  /** For all that is not proven, unless `but` says something else of a number. */
  otherwise: string;
  but?: Readonly<Record<number, string>>;
}

const FAMILIES: readonly Family[] = [
  {
    id: 'ING',
    titles: [
      'Unsigned and forged deliveries leave nothing behind',
      'Two webhook secrets live during rotation',
      'A delivery id counts once',
      'A captured body under a new id',
      'The door answers without waiting for work',
      'With the store down, deliveries get 503',
      'Bodies too large for the memory',
      'Odd payloads are kept, never thrown over',
      'Deliveries in any order end alike',
      'Lost deliveries are found again',
      'What is announced may appear a moment later',
      'Installations and repositories that change midway',
    ],
    proven: [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12],
    otherwise: 'no test yet',
    but: { 5: 'a figure of the bench: the answer waits for the insert and for nothing else' },
  },
  {
    id: 'CMD',
    titles: [
      'Each command has a lowest role',
      'Roles are read again when acting',
      'Only a plain first line commands',
      'Comments edited, deleted or changed before reading',
      'Mail replies and quotes command nothing',
      'Look-alike names and reused logins',
      'Apps and bots command nothing',
      'Nobody approves a pull request of their own',
      'An approval names one commit',
      'Arguments have a strict grammar',
      'Of opposite commands the safer wins',
      'Commands on closed or locked threads',
      "Commands that would run a fork's code",
    ],
    proven: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    otherwise: 'no test yet',
    but: { 13: 'nothing runs code yet' },
  },
  {
    id: 'INJ',
    titles: [
      'A model that obeys an attacker does no harm',
      'Invisible text reaches no prompt',
      'Imitated delimiters, tools and teammates',
      'Metadata, logs and file names as carriers',
      'Agent settings brought by a pull request',
      'Model endpoints redirected by repository files',
      'Model output as an attack on its readers',
      'Text is read again when acting on it',
      'Code comments that talk a reviewer round',
      'Floods cannot push the rules out',
      'Links that reach into other repositories',
      'Attachments as carriers of orders',
      'Suspicion travels with relayed text',
    ],
    proven: [1, 2, 3, 4, 5, 6, 7, 8, 10, 13],
    otherwise: 'what it needs is not built yet',
  },
  {
    id: 'EXE',
    titles: [
      'Tools that look for credentials',
      'Traffic to hosts nobody allowed',
      'Hostile tests and install scripts',
      'An agent that weakens its own checks',
      'Changes to protected files',
      'Paths that leave the working tree',
      'Poisoned caches and swapped artifacts',
      'Runaway processes and endless jobs',
      'Processes left behind for later steps',
      'Runners that vanish midway',
      'Jobs taken by a foreign runner',
    ],
    proven: [1, 2, 3, 4, 5, 6, 8, 9],
    otherwise: 'nothing runs on others’ runners yet',
  },
  {
    id: 'GIT',
    titles: [
      'The head moves before the merge',
      'Two good changes break together',
      'Checks that are skipped, neutral or missing',
      'Checks forged under a known name',
      'Twin pull requests and changed bases',
      'A merge that succeeded without an answer',
      'Refused merges are never forced',
      'Many writers of one branch',
      'A branch left half made',
      'Somebody rewrites our branch',
      'False authors, trailers and dates',
      'Huge, binary or secret-bearing changes',
      'People who hold a merge back',
      'Fighting over a revert',
    ],
    proven: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    otherwise: 'no test names it yet',
  },
  {
    id: 'MEM',
    titles: [
      'Strangers who dictate what is remembered',
      'Orders dressed as memories',
      'Entries pushed past the App',
      'Secrets that end up remembered',
      'Memory that grows and contradicts itself',
      'Broken memory files',
      'Memory leaks between repositories',
      'Taking a poisoned memory back',
    ],
    proven: [],
    otherwise: 'memory is not built yet',
  },
  {
    id: 'OUT',
    titles: [
      'Images and links that carry data out',
      'Pings and closing keywords in our words',
      'Chat markup that pings everybody',
      'Private text in public channels',
      'Limits of the chat services',
      'Messages sent but not recorded',
      'A channel that is away for days',
      'Orders that arrive through a channel',
      'Comments longer than GitHub takes',
      'Output posing as a person or as us',
    ],
    proven: [1, 2, 9, 10],
    otherwise: 'channels are not built yet',
  },
  {
    id: 'SEC',
    titles: [
      'Secrets stay out of prompts, logs and rows',
      'Secrets in disguise',
      "The App's own keys on a runner",
      'Tokens too wide or too long-lived',
      'Secrets that people paste',
      'Runs of forks without secrets',
      'Confused identity claims of jobs',
    ],
    proven: [1, 5],
    otherwise: 'no runner holds secrets yet',
  },
  {
    id: 'LOOP',
    titles: [
      'Our own events trigger nothing',
      'No ping-pong with other bots',
      'Commands in titles are none',
      'Repair after repair of one failure',
      'Workflows that our pushes start',
      'A stranger gets five answers a thread and hour',
      'Personas do not all answer',
      'No edit war over labels',
      'Pause, stop, switched off, uninstalled: nothing more is written',
    ],
    proven: [1, 2, 3, 4, 6, 7, 8, 9],
    otherwise: 'no workflow is started yet',
  },
  {
    id: 'DUR',
    titles: [
      'Killed between an effect and its record',
      'A creation that succeeded without an answer',
      'Two workers, one piece of work',
      'Clocks that jump or are wrong',
      'A database that restarts or fills up',
      'Poison is put aside, the rest goes on',
      'Old and new versions side by side',
      'The whole store is lost',
      'Reconcile and webhooks meet',
      'Dispatched jobs whose answers are lost',
    ],
    proven: [1, 2, 3, 6, 7, 8, 9],
    otherwise: 'no test yet',
    but: {
      4: 'tested for the signing of App tokens; leases and timers under a jumping clock are not',
      5: 'tested at the door and with cut connections; a restarted database and a full disk are not',
      10: 'nothing is dispatched yet',
    },
  },
  {
    id: 'LIM',
    titles: [
      'The hourly limit of GitHub is used up',
      'Secondary limits with and without a time',
      'A storm of failures that passes',
      'Comments stay below our own caps',
      'Unchanged reads cost nothing',
      'Pages are followed on our origin only',
      'Models that fail, refuse or stall',
      'Money is reserved before it is spent',
      'Minutes and jobs of Actions',
    ],
    proven: [1, 2, 3, 4, 5, 6, 7, 8],
    otherwise: 'no test yet',
    but: { 9: 'nothing is dispatched yet' },
  },
  {
    id: 'CFG',
    titles: [
      'Configuration from a pull request',
      'Hostile YAML and unknown keys are refused',
      'Two configuration files at once',
      'Values below the floor are raised',
      'Plans that are malformed or circular',
      'Plans edited by two at once',
      'Tasks changed after their approval',
      'Plans from people without the right',
      'Tampered dependencies of the product',
    ],
    proven: [2, 3, 4, 5, 6, 7, 8],
    otherwise: 'no test yet',
  },
];

/** Each threat as a requirement of its own. */
export const THREATS: readonly Requirement[] = FAMILIES.flatMap(
  ({ id, titles, proven, otherwise, but = {} }) =>
    titles.map((title, index): Requirement => {
      const number = index + 1;
      const name = `${id}-${String(number).padStart(2, '0')}`;
      return proven.includes(number)
        ? { id: name, title, state: 'proven' }
        : { id: name, title, state: 'not-yet', reason: but[number] ?? otherwise };
    }),
);
