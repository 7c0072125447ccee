/** Threats and faults by family: what each claims, by name, and why the others have no proof yet. */
import type { Requirement } from './requirements-check.ts';

/** A row: its title alone, with the names of what it claims, or with the reason why it has no proof yet. */
type Row =
  | string
  | { title: string; expects: readonly string[]; unproven?: string }
  | { title: string; notYet: string };

/** A row's place in its family is its number, from 1. */
const FAMILIES: Readonly<Record<string, readonly Row[]>> = {
  ING: [
    'Unsigned and forged deliveries leave nothing behind',
    'Two webhook secrets live during rotation',
    'A delivery id counts once',
    {
      title: 'A captured body under a new id',
      expects: [
        'issue and label',
        'comment and command',
        'pull request and push',
        'build',
        'installation and repository',
        'kept and not queued',
      ],
      unproven:
        'a body that is older than what the store keeps: it is read as new, and GitHub is read again before anything is done',
    },
    {
      title: 'The door answers without waiting for work',
      notYet: 'a figure of the bench: the answer waits for the insert and for nothing else',
    },
    'With the store down, deliveries get 503',
    'Bodies too large for the memory',
    'Odd payloads are kept, never thrown over',
    'Deliveries in any order end alike',
    'Lost deliveries are found again',
    'What is announced may appear a moment later',
    'Installations and repositories that change midway',
  ],
  CMD: [
    'Each command has a lowest role',
    'Roles are read again when acting',
    'Only a plain first line commands',
    'Comments edited, deleted or changed before reading',
    'Mail replies and quotes command nothing',
    'Look-alike names and reused logins',
    'Apps and bots command nothing',
    'Nobody approves a pull request of their own',
    {
      title: 'An approval names one commit',
      expects: [
        'commit that is named',
        'head at the time of the comment',
        'new commit is shown',
        'push after the approval',
        'push before the comment is read',
        'text of a plan',
      ],
    },
    'Arguments have a strict grammar',
    {
      title: 'Of opposite commands the safer wins',
      expects: ['one comment', 'pause and resume at once', 'hold and merge at once'],
      unproven: 'one command a comment: up to five that agree are run',
    },
    'Commands on closed or locked threads',
    {
      title:
        'Code of a fork runs for nobody but a person who may, who names its commit, and with no credential',
      expects: ['who may', 'the whole commit, and the head', 'a later push', 'no credential'],
    },
  ],
  INJ: [
    'A model that obeys an attacker does no harm',
    {
      title: 'Invisible text reaches no prompt',
      expects: [
        'comments',
        'link definition',
        'unused footnote',
        'processing instruction',
        'character data',
        'tag characters',
        'variation selectors',
        'bidi controls',
        'zero-width characters',
        'Hangul filler',
        'hidden element',
        'title, comment and past issue',
        'diff, file name and check',
        'note of how much was removed',
      ],
    },
    'Imitated delimiters, tools and teammates',
    {
      title: 'Metadata, logs and file names as carriers',
      expects: [
        'commit message',
        'branch',
        'tag',
        'label',
        'file name',
        'review comment',
        'CI log',
        'test output',
        'file of the repository or a dependency',
      ],
      unproven: 'milestones: nothing reads them, and the embedded GitHub has none',
    },
    'Agent settings brought by a pull request',
    'Model endpoints redirected by repository files',
    'Model output as an attack on its readers',
    {
      title: 'Text is read again when acting on it',
      expects: [
        'body as it is now',
        'command edited before it is read',
        'plan edited before its approval is read',
        'task edited between claim and work',
      ],
      unproven:
        'words that are newer than the trigger are read: what acts is bound to its digest, and no text gives a model more power',
    },
    {
      title: 'Code comments that talk a reviewer round',
      expects: [
        'comment that asks for approval',
        'one model alone settles nothing',
        'verdicts merge nothing',
      ],
    },
    {
      title: 'Floods cannot push the rules out',
      expects: [
        'body',
        'comments',
        'diff',
        'log',
        'prompt of the Coder',
        'note of what was cut',
        'rules before and task after what others wrote',
        'cost',
      ],
    },
    { title: 'Links that reach into other repositories', notYet: 'what it needs is not built yet' },
    { title: 'Attachments as carriers of orders', notYet: 'what it needs is not built yet' },
    {
      title: 'Suspicion travels with relayed text',
      expects: [
        'positions of the team',
        'answer of another persona',
        'question of the Coder',
        'answer of the PM',
        'notes for the Coder',
        'order relayed by a persona',
      ],
      unproven: 'words of a person who may write are theirs, whatever they copied into them',
    },
  ],
  EXE: [
    {
      title: 'Tools that look for credentials',
      expects: [
        'environment of a process',
        'memory of another process',
        'files of the machine and of a runner',
        'git credentials and configuration',
        'files by Read, Grep and Bash',
        'key only outside of the sandbox',
        'no sudo',
      ],
    },
    {
      title: 'Traffic to hosts nobody allowed',
      expects: [
        'curl',
        'names',
        'foreign git remote',
        'npm publish',
        'WebSocket',
        'gist',
        'GitHub with the token of another',
        'raw address',
        'services of this machine',
        'child processes',
        'setup',
        'MCP and tools of the provider',
        'report of what was refused',
      ],
      unproven:
        'a host that the operator allows gets whatever is sent to it: the tunnel is end to end',
    },
    'Hostile tests and install scripts',
    'An agent that weakens its own checks',
    'Changes to protected files',
    {
      title: 'Paths that leave the working tree',
      expects: [
        'parent path',
        'absolute path',
        'link that leads out',
        'git hooks and configuration',
        'filter of .gitattributes',
        'core.fsmonitor',
        'submodule',
      ],
    },
    {
      title: 'Poisoned caches and swapped artifacts',
      notYet:
        'the jobs of a workflow hand files on as artifacts; no test here cites what a swapped one or a poisoned cache of a runner does',
    },
    {
      title: 'Runaway processes and endless jobs',
      expects: [
        'fork bomb',
        'file without end',
        'disk without end',
        'memory without end',
        'endless loop',
        'time of a session',
        'task ends and its lease is free',
      ],
      unproven: 'the time limit of a job on a runner: GitHub holds it, and no test reads it',
    },
    'Processes left behind for later steps',
    {
      title: 'Runners that vanish midway',
      notYet:
        'no test ends the runner of a job midway; what a host leaves that vanishes midway is in DUR-01, DUR-03 and TG-4',
    },
    {
      title: 'Jobs taken by a foreign runner',
      notYet:
        'the owner of a repository chooses the runners of its workflows; nothing here checks them',
    },
  ],
  GIT: [
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
    {
      title: 'Fighting over a revert',
      notYet:
        'paths that a person reverted are not locked: what agents change is bound by the tasks that people approve, and nothing else',
    },
  ],
  MEM: [
    {
      title: 'Strangers who dictate what is remembered',
      expects: [
        'words of a stranger',
        'lesson from words of a stranger',
        'what waits grows into nothing',
        'what waits is not recalled',
        'role that was taken away',
        'approval revives nothing stale',
      ],
    },
    {
      title: 'Orders dressed as memories',
      expects: ['order in a lesson', 'facts that end their comment'],
      unproven:
        'links, HTML, code and commands are refused as well: those cases are a table that cites nothing',
    },
    {
      title: 'Entries pushed past the App',
      expects: [
        'lines of another App',
        'nothing doubtful is consolidated',
        'lines of a person',
        'approval by a person',
        'nobody says who pushed',
        'branch that another App made',
        'own pushes',
      ],
      unproven:
        'the writer: people with write access may edit memory files, and what they push counts as theirs; a workflow cannot tell itself from others',
    },
    {
      title: 'Secrets that end up remembered',
      expects: ['credential in a file and in a message'],
      unproven:
        'personal data, and the history of the branch: no test shows that a commit of what was forgotten is gone',
    },
    {
      title: 'Memory that grows and contradicts itself',
      expects: [
        'cap on what is read',
        'same choice in any order',
        'file that is gone',
        'condensing',
        'flood of lessons',
        'contradiction',
      ],
      unproven:
        'no soak of ten thousand entries; a contradiction is found by its words alone, and not between entries that people wrote',
    },
    {
      title: 'Broken memory files',
      expects: [
        'every cut',
        'malformed line beside good ones',
        'file that cannot be read',
        'bytes stay as they are',
      ],
      unproven:
        'the last good version of a file that cannot be read: no test shows that it is used',
    },
    {
      title: 'Memory leaks between repositories',
      expects: ['search', 'erasing one repository'],
      unproven: 'a repository that becomes public: no test shows that its memory is frozen',
    },
    {
      title: 'Taking a poisoned memory back',
      expects: ['run', 'entry', 'copies and malformed lines', 'counters'],
      unproven: 'what a person pushed to the branch by hand has no author that could be named',
    },
  ],
  OUT: [
    'Images and links that carry data out',
    'Pings and closing keywords in our words',
    {
      title: 'Chat markup that pings everybody',
      expects: ['mentions in any text', 'label that names another host', 'end of a block of code'],
      unproven: 'that Slack unfurls nothing is set on each message, and no test reads it',
    },
    {
      title: 'Private text in public channels',
      expects: [
        'private repository',
        'made private before sending',
        'private then or now',
        'reply',
      ],
    },
    {
      title: 'Limits of the chat services',
      expects: [
        'refusal with a time',
        'pace of the service',
        'length in Slack',
        'graphemes and bytes on Bluesky',
        'session used again',
        'session over a restart',
        'limit of logins',
        'many become a digest',
      ],
      unproven: 'the budgets of Bluesky in points for an hour and a day: no test counts them',
    },
    {
      title: 'Messages sent but not recorded',
      expects: ['announcement without an answer', 'reply without an answer', 'two instances'],
    },
    {
      title: 'A channel that is away for days',
      expects: ['work on GitHub goes on', 'what waited for too long', 'revoked token'],
      unproven: 'one notice for many failures: no test counts notices',
    },
    {
      title: 'Orders that arrive through a channel',
      expects: [
        'name of somebody else',
        'approval in the thread of another',
        'permission on GitHub',
        'bots and other channels',
        'unsigned delivery',
        'code used twice',
        'delivery that comes again',
        'button pressed twice',
        'button without a link',
        'button of another text',
        'forged press',
        'head approved with a button',
        'head without a link',
        'requester with a button',
        'button of an older head',
        'permission taken before a press',
        'strangers on Bluesky',
        'unsigned press',
      ],
      unproven:
        'what somebody linked says counts as theirs: requests and approvals are accepted from Slack by design',
    },
    'Comments longer than GitHub takes',
    'Output posing as a person or as us',
  ],
  SEC: [
    'Secrets stay out of prompts, logs and rows',
    {
      title: 'Secrets in disguise',
      expects: [
        'our own values in every form',
        'not in a process that runs code of a repository',
        'not in a process that runs a model',
        'known shapes',
      ],
      unproven:
        'a credential of somebody else without a known shape, or encoded by them: nothing recognises it in what people paste',
    },
    {
      title: "The App's own keys on a runner",
      expects: ['secrets of a job'],
      unproven:
        'a token of ten minutes for one repository, given out for an identity token: jobs have the token of their workflow, which GitHub limits by `permissions`',
    },
    {
      title: 'Tokens too wide or too long-lived',
      expects: [
        'one installation each',
        'git gets one repository',
        'minted again once after a refusal',
        'in no file',
      ],
      unproven:
        'tokens for the API have all that the App may do and are kept until shortly before their hour ends; no job has one',
    },
    {
      title: 'Secrets that people paste',
      expects: ['change of a task', 'configuration', 'issue and plan', 'memory'],
      unproven: 'journal and artifacts: no test of this yet',
    },
    {
      title: 'Runs of forks without secrets',
      expects: ['no event with the secrets of the base', 'pull request of a fork'],
      unproven: 'that GitHub withholds secrets from forks and from Dependabot is GitHub’s promise',
    },
    {
      title: 'Confused identity claims of jobs',
      expects: ['no identity token'],
      unproven:
        'nothing here gives out tokens for identity claims, so there are no claims to check',
    },
  ],
  LOOP: [
    'Our own events trigger nothing',
    'No ping-pong with other bots',
    'Commands in titles are none',
    'Repair after repair of one failure',
    {
      title: 'Workflows that our pushes start',
      notYet:
        'the one workflow that the App dispatches pushes nothing, so it passes no depth on; what a push of the token of a workflow starts is GitHub’s rule, and no test here repeats it',
    },
    {
      title: 'A stranger gets five answers a thread and hour',
      expects: [
        'no model for a stranger',
        'five answers in a thread and hour',
        'comments of an installation',
        'installations are served in turn',
        'money of each installation',
      ],
      unproven:
        'a cap on one stranger over many threads: there each thread answers for itself, within the caps on the comments of an installation',
    },
    {
      title: 'Personas do not all answer',
      expects: [
        'one speaker for a comment',
        'same speaker for the same comment',
        'one comment for an event',
        'nothing new ends the talk',
      ],
      unproven:
        'a text that a model repeats word for word in a later answer: it is told what was said, and nothing compares',
    },
    'No edit war over labels',
    'Pause, stop, switched off, uninstalled: nothing more is written',
  ],
  DUR: [
    'Killed between an effect and its record',
    'A creation that succeeded without an answer',
    'Two workers, one piece of work',
    {
      title: 'Clocks that jump or are wrong',
      expects: [
        'signing',
        'wrong date of the server',
        'reset of a limit',
        'clocks of two machines',
        'jump of the clock of a holder',
        'summer time',
      ],
      unproven:
        'timers and retries of a host whose clock jumps: a jump ahead makes them due early, and leases of others seem to have run out; the number of a lease then keeps its late holder from acting (DUR-03)',
    },
    {
      title: 'A database that restarts or fills up',
      expects: [
        'answer while the store is down',
        'full disk',
        'connections cut',
        'clash',
        'filled store of an older version',
      ],
      unproven:
        'a restart of the server itself and a failover to another one: tests cut its connections; a full disk is tried on SQLite alone',
    },
    'Poison is put aside, the rest goes on',
    {
      title: 'Old and new versions side by side',
      expects: [
        'event of a newer version',
        'state of a newer version',
        'store of an older version',
        'stop in the middle of work',
      ],
      unproven: 'a reusable Action at another version: there is none yet',
    },
    'The whole store is lost',
    'Reconcile and webhooks meet',
    'Dispatched jobs whose answers are lost',
  ],
  LIM: [
    'The hourly limit of GitHub is used up',
    'Secondary limits with and without a time',
    'A storm of failures that passes',
    'Comments stay below our own caps',
    'Unchanged reads cost nothing',
    'Pages are followed on our origin only',
    'Models that fail, refuse or stall',
    {
      title: 'Money is reserved before it is spent',
      expects: [
        'task',
        'repository and day',
        'installation',
        'whole host',
        'runaway turns',
        'counted before the call',
        'call that would go beyond a cap',
        'hard stop with one notice',
        'count survives a crash',
      ],
      unproven: 'a budget by the month: caps count 24 hours',
    },
    {
      title: 'Minutes and jobs of Actions',
      notYet:
        'a session in a workflow has a time limit; Quorum does not count the minutes that the workflows of a repository use',
    },
  ],
  CFG: [
    {
      title: 'Configuration from a pull request',
      expects: ['settings', 'personas and guide', 'never by a task'],
    },
    'Hostile YAML and unknown keys are refused',
    'Two configuration files at once',
    'Values below the floor are raised',
    'Plans that are malformed or circular',
    'Plans edited by two at once',
    {
      title: 'Tasks changed after their approval',
      expects: [
        'text changed between claim and work',
        'text changed once it is published',
        'lease is free',
        'new approval',
      ],
    },
    'Plans from people without the right',
    {
      title: 'Tampered dependencies of the product',
      expects: [
        'actions by commit',
        'packages by digest',
        'scripts of an install',
        'installs by the lockfile',
      ],
      unproven:
        'the base image is named by a tag, there is no cool-down for new versions, and nothing is published with a provenance yet',
    },
  ],
};

/** Each threat as a requirement of its own. */
export const THREATS: readonly Requirement[] = Object.entries(FAMILIES).flatMap(([family, rows]) =>
  rows.map((row, index): Requirement => {
    const id = `${family}-${String(index + 1).padStart(2, '0')}`;
    if (typeof row === 'string') return { id, title: row, state: 'proven' };
    if ('notYet' in row) return { id, title: row.title, state: 'not-yet', reason: row.notYet };
    return { id, ...row, state: 'proven' };
  }),
);
