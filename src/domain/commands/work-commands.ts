/** Commands that plan, run and stop work. */
import type { CommandEntry } from './command.ts';
import {
  MAYBE_PROSE,
  MAYBE_SHA,
  NOTHING,
  NUMBER,
  NUMBER_AND_MAYBE_PROSE,
  NUMBER_AND_PROSE,
  PROSE,
  SHA,
} from './rules.ts';

/** What most of these share: they change something and start or advance work. */
const ADVANCE = {
  kind: 'change',
  where: 'thread',
  destructive: false,
  safety: -1,
  built: false,
} as const;
const CONTROL = { ...ADVANCE, built: true } as const;
const TASK = { ...ADVANCE, where: 'plan' } as const;

const PLANNING: readonly CommandEntry[] = [
  {
    ...ADVANCE,
    name: 'plan',
    built: true,
    usage: '/pm plan [what]',
    summary: 'Has the PM read the code and propose a plan in a new issue.',
    examples: ['/pm plan', '/pm plan only the parser'],
    takes: MAYBE_PROSE,
  },
  {
    ...ADVANCE,
    name: 'revise',
    built: true,
    usage: '/pm revise what to change',
    summary: 'Has the PM revise the plan; completed tasks stay.',
    examples: ['/pm revise keep the old flag for one release'],
    takes: PROSE,
  },
  {
    ...ADVANCE,
    name: 'approve',
    built: true,
    usage: '/pm approve [sha]',
    summary: 'Approves the plan, or the head of a pull request, as it was shown.',
    examples: ['/pm approve', '/pm approve 3f2a9c1d7e5b'],
    person: true,
    takes: MAYBE_SHA,
  },
  {
    ...ADVANCE,
    name: 'reject',
    built: true,
    usage: '/pm reject [why]',
    summary: 'Rejects the proposal.',
    examples: ['/pm reject too large for this release'],
    safety: 2,
    takes: MAYBE_PROSE,
  },
  {
    ...ADVANCE,
    name: 'synthesise',
    usage: '/pm synthesise',
    summary: 'Proposes one plan from the open issues.',
    examples: ['/pm synthesise'],
    kind: 'spend',
    takes: NOTHING,
  },
];

const TASKS: readonly CommandEntry[] = [
  {
    ...TASK,
    name: 'run',
    built: true,
    usage: '/pm run [task N]',
    summary: 'Runs the next task, or the one named.',
    examples: ['/pm run', '/pm run task 3'],
    takes: { words: /^(?:(?:task )?#?\d{1,6})?$/i },
  },
  {
    ...TASK,
    name: 'claim',
    built: true,
    usage: '/pm claim N',
    summary: 'Takes a task.',
    examples: ['/pm claim 3'],
    takes: NUMBER,
  },
  {
    ...TASK,
    name: 'release',
    built: true,
    usage: '/pm release N',
    summary: 'Gives a task back.',
    examples: ['/pm release 3'],
    safety: 1,
    takes: NUMBER,
  },
  {
    ...TASK,
    name: 'retry',
    built: true,
    usage: '/pm retry N',
    summary: 'Tries a failed task again.',
    examples: ['/pm retry 3'],
    takes: NUMBER,
  },
  {
    ...TASK,
    name: 'block',
    built: true,
    usage: '/pm block N why',
    summary: 'Keeps a task from being started.',
    examples: ['/pm block 3 waits for the new API'],
    safety: 1,
    takes: NUMBER_AND_PROSE,
  },
  {
    ...TASK,
    name: 'unblock',
    built: true,
    usage: '/pm unblock N [answer]',
    summary: 'Lets a blocked task continue; answers the question of its coder.',
    examples: ['/pm unblock 3', '/pm unblock 3 the old flag stays for one release'],
    takes: NUMBER_AND_MAYBE_PROSE,
  },
];

const CONTROLS: readonly CommandEntry[] = [
  {
    ...CONTROL,
    name: 'hold',
    usage: '/pm hold [why]',
    summary: 'Blocks new work in this thread.',
    examples: ['/pm hold', '/pm hold until legal has answered'],
    safety: 3,
    takes: MAYBE_PROSE,
  },
  {
    ...CONTROL,
    name: 'unhold',
    usage: '/pm unhold',
    summary: 'Removes the hold from this thread.',
    examples: ['/pm unhold'],
    takes: NOTHING,
  },
  {
    ...CONTROL,
    name: 'pause',
    usage: '/pm pause [why]',
    summary: 'Stops all work in the repository.',
    examples: ['/pm pause', '/pm pause release week'],
    safety: 4,
    takes: MAYBE_PROSE,
  },
  {
    ...CONTROL,
    name: 'resume',
    usage: '/pm resume',
    summary: 'Resumes work in the repository.',
    examples: ['/pm resume'],
    takes: NOTHING,
  },
  {
    ...CONTROL,
    name: 'stop',
    usage: '/pm stop [why]',
    summary: "Aborts this thread's runs.",
    examples: ['/pm stop'],
    destructive: true,
    safety: 5,
    takes: MAYBE_PROSE,
  },
];

const ENDINGS: readonly CommandEntry[] = [
  {
    ...ADVANCE,
    name: 'merge',
    built: true,
    usage: '/pm merge',
    summary: 'Merges the pull request and closes the thread.',
    examples: ['/pm merge'],
    where: 'pull',
    destructive: true,
    person: true,
    takes: NOTHING,
  },
  {
    ...ADVANCE,
    name: 'done',
    built: true,
    usage: '/pm done',
    summary:
      "Ends the thread with a report, closes it and deletes leftover branches of a plan's tasks. On a task's pull request it means `/pm merge`.",
    examples: ['/pm done'],
    destructive: true,
    person: true,
    takes: NOTHING,
  },
  {
    ...ADVANCE,
    name: 'ok-to-run',
    built: true,
    usage: '/pm ok-to-run SHA',
    summary:
      "Runs the base's tests on exactly this commit of a pull request, in the sandbox and without the network; a check says how they ended.",
    examples: ['/pm ok-to-run 3f2a9c1d7e5b8a6f4c2d1e0b9a8f7c6d5e4b3a2f'],
    where: 'pull',
    person: true,
    takes: SHA,
  },
];

export const WORK_COMMANDS: readonly CommandEntry[] = [
  ...PLANNING,
  ...TASKS,
  ...CONTROLS,
  ...ENDINGS,
];
