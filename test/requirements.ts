/** Every numbered requirement of the product, and whether a test proves it. `verifies` cites these ids. */
import type { Requirement } from './requirements-check.ts';
import { THREATS } from './requirements-threats.ts';

/** An id that is proven must be cited by a test; one that is not must say why. */
export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: 'ACT-1',
    title: "A workflow holds an agent's pull request until enough people approved its present head",
    state: 'proven',
  },
  {
    id: 'ACT-2',
    title:
      'A sweep without a server does what was lost once, and the job with the models only reads',
    state: 'proven',
    unproven:
      'that unchanged repositories cost no calls: a runner keeps no answers to compare with',
  },
  {
    id: 'ACT-3',
    title: 'A person decides about the memory by a workflow, once and with the write role',
    state: 'proven',
  },
  {
    id: 'ACT-4',
    title: 'A workflow announces as the terminal does, and no private repository in public',
    state: 'proven',
  },
  {
    id: 'ACT-6',
    title: 'Workflows alone bring the tasks of a plan to merged pull requests, each once',
    state: 'proven',
    unproven: 'a change for its review without a new start of the task',
  },
  {
    id: 'ACT-7',
    title:
      'A workflow holds the standup of a plan once, and the job with the models writes nothing',
    state: 'proven',
  },
  { id: 'BD-1', state: 'not-yet', reason: 'board' },
  { id: 'BD-4', state: 'not-yet', reason: 'board' },
  { id: 'BD-5', state: 'not-yet', reason: 'board' },
  { id: 'BD-6', state: 'not-yet', reason: 'board' },
  { id: 'BD-7', state: 'not-yet', reason: 'board' },
  { id: 'BD-8', state: 'not-yet', reason: 'consultation' },
  { id: 'BD-9', state: 'not-yet', reason: 'Telegram' },
  {
    id: 'CB-1',
    title: 'The PM plans and writes no code, the coder writes it, a person approves',
    state: 'proven',
  },
  {
    id: 'CB-2',
    state: 'not-yet',
    reason:
      'a command or a label brings a plan; a mention does not, and workflows and conflicts with other threads are not there yet',
  },
  {
    id: 'CB-3',
    state: 'not-yet',
    reason:
      'the PM reads files and history; memory, threads, statuses and the roadmap are no tools yet',
  },
  {
    id: 'CB-4',
    title: 'Nothing is begun without a yes of somebody who may write, to this text',
    state: 'proven',
  },
  {
    id: 'CB-5',
    title: 'What a project needs is installed once, for who writes and for the gates',
    state: 'proven',
  },
  { id: 'CB-5b', state: 'not-yet', reason: 'a type for projects of Xcode' },
  {
    id: 'CB-6',
    title: 'A coder gets a task and changes files in its folder, and nothing else',
    state: 'proven',
    unproven: 'MCP servers of a repository: nothing reads `coder.mcp`, so the Coder gets none',
  },
  {
    id: 'CB-7',
    title:
      'The coder asks; the PM answers at once, or a person later, and the same session goes on',
    state: 'proven',
  },
  {
    id: 'CB-8',
    title: 'A pull request says what it does and where it comes from',
    state: 'proven',
  },
  {
    id: 'CB-9',
    title:
      'What belongs into the files of roles is proposed, answered by people, and comes by a pull request',
    state: 'proven',
  },
  {
    id: 'CB-10',
    title:
      'The PM plans by the workflows of memory/pm.md, and proposes new ones from what people say',
    state: 'proven',
  },
  {
    id: 'CB-11',
    title:
      'A plan has its journal on the memory branch, and a task’s pull request a copy where a setting asks for it',
    state: 'proven',
  },
  { id: 'CB-12', state: 'not-yet', reason: 'conflicts' },
  {
    id: 'CB-13',
    title: 'Every call is in the ledger; an unknown price stays unknown',
    state: 'proven',
  },
  {
    id: 'CB-14',
    title: 'A thread’s model is switched at once and logged, and the report shows it',
    state: 'proven',
  },
  {
    id: 'CB-14b',
    title: 'Caps hold before the call, and exhaustion is a partial result',
    state: 'proven',
  },
  { id: 'CB-15', title: 'A failing model falls back, at last to offline', state: 'proven' },
  { id: 'CB-16', state: 'not-yet', reason: 'access beyond the council' },
  { id: 'CB-17', title: 'A task lives from a claim to a merge', state: 'proven' },
  { id: 'CB-18', state: 'not-yet', reason: 'references' },
  { id: 'CB-21', state: 'not-yet', reason: 'artist' },
  {
    id: 'LS-1',
    title: 'A standup is held at the end of a plan, and not where a person stopped it',
    state: 'proven',
  },
  { id: 'LS-2', title: 'Everybody who took part is asked once', state: 'proven' },
  {
    id: 'LS-3',
    title: 'A standup asks each participant for its own lens, with the facts of the run',
    state: 'proven',
  },
  {
    id: 'LS-4',
    title: 'An answer that cannot be read is asked for once more, then left out',
    state: 'proven',
  },
  { id: 'LS-5', title: 'All participants are asked at the same time', state: 'proven' },
  { id: 'LS-6', title: 'A standup is cheap, and what it cost is recorded apart', state: 'proven' },
  {
    id: 'LS-7',
    title: 'What a standup said is kept, and read by page, repository, run and type',
    state: 'proven',
    expects: ['kept', 'API', 'trends', 'indexes'],
    unproven: 'the 200 ms of 100,000 insights: tests measure no time, test/bench/standups.ts does',
  },
  {
    id: 'LS-8',
    title: 'Tensions are shown in one comment, whose ticked box makes an issue',
    state: 'proven',
  },
  {
    id: 'LS-9',
    title: 'Planning reads what returned in the standups of its repository',
    state: 'proven',
    expects: ['alike and recent', 'nothing settled', 'planning alone', 'as data'],
  },
  {
    id: 'LS-10',
    title: 'A theme of three standups is raised in the weekly digest',
    state: 'proven',
  },
  {
    id: 'LS-11',
    title: 'Whether standups are worth it is measured, and their strictness follows by one step',
    state: 'proven',
    expects: ['reactions', 'health', 'health is shown', 'standing', 'one step', 'logged'],
  },
  {
    id: 'LS-12',
    title: 'What cites anything that does not exist is dropped and counted',
    state: 'proven',
  },
  { id: 'LS-14', state: 'not-yet', reason: 'standups' },
  { id: 'LS-15', state: 'not-yet', reason: 'standups' },
  { id: 'LS-16', state: 'not-yet', reason: 'standups' },
  {
    id: 'LS-17',
    title: 'Secrets go out of what a standup reads and of what it says',
    state: 'proven',
  },
  {
    id: 'NW-1',
    title: 'Personas are data: loaded, validated, overridden by repository, listed and rendered',
    state: 'proven',
  },
  {
    id: 'NW-2',
    title: 'The soul compiler is pure, ordered and deterministic',
    state: 'proven',
    unproven:
      'in the product the blocks for memory and relationships are empty: only `personas render` passes a memory, and nothing passes relationships',
  },
  { id: 'NW-3', title: 'A persona is found by name, then by role', state: 'proven' },
  { id: 'NW-3b', title: 'Who joins a run, and in which order', state: 'proven' },
  {
    id: 'NW-4',
    state: 'not-yet',
    reason:
      'stored keys of personas come with the dashboard; today keys live in the environment only',
  },
  {
    id: 'NW-5',
    title:
      'A run goes active, then consensus, blocked or closed; blocked goes on when a person answers',
    state: 'proven',
  },
  { id: 'NW-5b', title: 'Rounds are bounded, blind first, tallied by code', state: 'proven' },
  {
    id: 'NW-6',
    title: 'One run a thread and trigger; concurrent starts join; a cooldown after',
    state: 'proven',
  },
  { id: 'NW-7', title: 'What a persona answers reads as a person wrote it', state: 'proven' },
  { id: 'NW-8', title: 'The verdict is structured and bounded by code', state: 'proven' },
  {
    id: 'NW-9',
    title: 'Issue verdicts READY, CLOSE and DRAFT do what they say',
    state: 'proven',
    unproven: 'the project column of READY: there is no board yet',
  },
  {
    id: 'NW-10',
    title: 'A person’s word stops the talk and is in view before the verdict',
    state: 'proven',
  },
  {
    id: 'NW-11',
    title: 'Whoever is spoken to answers, where it was asked; nobody else does',
    state: 'proven',
  },
  {
    id: 'NW-12',
    title: 'A persona that another one names answers once; cascades do not cascade',
    state: 'proven',
    expects: [
      'a named persona answers once',
      'no cascade follows a cascade',
      'thanks get a reaction',
      'a reaction fits the mood',
      'a second voice speaks where it is allowed',
    ],
    unproven: 'a second voice in chat: what is asked in a channel is answered as on GitHub',
  },
  { id: 'NW-13', state: 'not-yet', reason: 'proactive loop' },
  {
    id: 'NW-14',
    title:
      'Personas learn in the background; what repeats is proposed, and folders follow their personas',
    state: 'proven',
  },
  {
    id: 'NW-15',
    title:
      'A roadmap file or milestones reach prompts: brief for all voices, whole for leads and the PM',
    state: 'proven',
  },
  {
    id: 'NW-16',
    title: 'A model is resolved from persona to repository to host to offline',
    state: 'proven',
  },
  {
    id: 'NW-17',
    title:
      'Slack shows one message for a thread and its details below, and what is said there acts',
    state: 'proven',
    unproven:
      'pictures as reference images: they are noted by name, type and size, and no model sees them',
  },
  {
    id: 'NW-18',
    title:
      'The code watch, on demand: what a persona judged worth it becomes one of at most three issues',
    state: 'proven',
  },
  { id: 'NW-20', state: 'not-yet', reason: 'links in a trigger are not resolved yet' },
  {
    id: 'P1',
    title: 'An acknowledged event ends done, ignored with a reason, or dead and visible',
    state: 'proven',
  },
  {
    id: 'P2',
    title: 'A logical effect is visible at most once under any single crash or fault',
    state: 'proven',
  },
  {
    id: 'P3',
    title: 'The default branch moves only to what was proved and approved',
    state: 'proven',
  },
  {
    id: 'P4',
    title: 'Text from strangers causes no write outside its own thread',
    state: 'proven',
  },
  {
    id: 'P5',
    title: 'No secret is in a process that runs a model or repository code',
    state: 'proven',
  },
  {
    id: 'P6',
    title: 'Comments of a thread are capped by the hour, and a stop or pause stops',
    state: 'proven',
  },
  { id: 'P7', title: 'After an outage everything recovers without help', state: 'proven' },
  { id: 'TG-1', title: 'A persona changed by an agent stops the team', state: 'proven' },
  {
    id: 'TG-1b',
    state: 'not-yet',
    reason:
      'self.md is kept and reaches prompts; by decision no threshold in it acts (docs/decisions/2026-11-29-self-files-set-no-limits.md)',
  },
  {
    id: 'TG-3',
    title:
      'Plans have one grammar, parser and renderer, and edits keep every byte they do not name',
    state: 'proven',
  },
  {
    id: 'TG-3b',
    title: 'Tasks for missing documents are part of what is approved, and put in once',
    state: 'proven',
  },
  { id: 'TG-4', title: 'A claim is a lease, then the plan says so', state: 'proven' },
  { id: 'TG-5', title: 'A task passes the gates or says why not', state: 'proven' },
  { id: 'TG-6', title: 'A pull request merges when everything holds at one head', state: 'proven' },
  { id: 'TG-7', state: 'not-yet', reason: 'plan synthesis' },
  { id: 'TG-8', state: 'not-yet', reason: 'issue hygiene' },
  { id: 'TG-9', title: 'A plan that is done is closed with its evidence', state: 'proven' },
  {
    id: 'TG-10',
    title: 'Hard rules decide who is answered, before any model sees the text',
    state: 'proven',
  },
  { id: 'TG-11', title: 'Instances take turns, and add only what is missing', state: 'proven' },
  { id: 'TG-12', title: 'Closings and circles end a conversation', state: 'proven' },
  { id: 'TG-13', title: 'Conversations wind down', state: 'proven' },
  { id: 'TG-14', state: 'not-yet', reason: 'commitments' },
  {
    id: 'TG-15',
    title: 'Bluesky keeps one session, threads by repository, and hears mentions and links',
    state: 'proven',
    unproven: 'a look at mentions in each sweep of a workflow, which has no account to look with',
  },
  {
    id: 'TG-16',
    title:
      'Personas keep what they experienced, and propose to rewrite their own file where a setting asks for it',
    state: 'proven',
  },
  {
    id: 'TG-17',
    state: 'not-yet',
    reason: 'frictions are recorded and shown, but no proposal is made of them',
  },
  { id: 'TG-18', state: 'not-yet', reason: 'workspaces' },
  {
    id: 'TG-19',
    title:
      'Personas announce their work in sentences of their own, checked before use; a model writes them on request',
    state: 'proven',
  },
  {
    id: 'TG-20',
    title:
      'Rights in a channel follow from settings or a code that its login confirmed, and nothing else',
    state: 'proven',
    unproven: 'names of one person over several places in a conversation: `peers.json` is not read',
  },
  { id: 'TG-21', state: 'not-yet', reason: 'owner chat' },
  {
    id: 'TG-22',
    title: 'Transient errors back off, configuration errors are not retried',
    state: 'proven',
  },
  ...THREATS,
];
