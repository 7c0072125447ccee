/** Every numbered requirement of the product, and whether a test proves it. `verifies` cites these ids. */
import type { Requirement } from './requirements-check.ts';
import { THREATS } from './requirements-threats.ts';

/** An id that is proven must be cited by a test; one that is not must say why. */
export const REQUIREMENTS: readonly Requirement[] = [
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
  { id: 'CB-10', state: 'not-yet', reason: 'memory' },
  {
    id: 'CB-11',
    state: 'not-yet',
    reason: 'plans have theirs on the memory branch; a task’s pull request carries no copy yet',
  },
  { id: 'CB-12', state: 'not-yet', reason: 'conflicts' },
  {
    id: 'CB-13',
    title: 'Every call is in the ledger; an unknown price stays unknown',
    state: 'proven',
  },
  {
    id: 'CB-14',
    state: 'not-yet',
    reason: 'a thread’s model is switched and logged; the report that shows it is not there yet',
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
  { id: 'LS-1', state: 'not-yet', reason: 'standups' },
  { id: 'LS-2', state: 'not-yet', reason: 'standups' },
  { id: 'LS-3', state: 'not-yet', reason: 'standups' },
  { id: 'LS-4', state: 'not-yet', reason: 'standups' },
  { id: 'LS-5', state: 'not-yet', reason: 'standups' },
  { id: 'LS-6', state: 'not-yet', reason: 'standups' },
  { id: 'LS-7', state: 'not-yet', reason: 'standups' },
  { id: 'LS-8', state: 'not-yet', reason: 'standups' },
  { id: 'LS-9', state: 'not-yet', reason: 'standups' },
  { id: 'LS-10', state: 'not-yet', reason: 'standups' },
  { id: 'LS-11', state: 'not-yet', reason: 'standups' },
  { id: 'LS-12', state: 'not-yet', reason: 'standups' },
  { id: 'LS-14', state: 'not-yet', reason: 'standups' },
  { id: 'LS-15', state: 'not-yet', reason: 'standups' },
  { id: 'LS-16', state: 'not-yet', reason: 'standups' },
  { id: 'LS-17', state: 'not-yet', reason: 'standups' },
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
    ],
    unproven:
      'a second voice and the reactions for agreement, completion and receipt: nothing calls them yet',
  },
  { id: 'NW-13', state: 'not-yet', reason: 'proactive loop' },
  { id: 'NW-14', state: 'not-yet', reason: 'memory' },
  { id: 'NW-15', state: 'not-yet', reason: 'milestones are not read as a roadmap' },
  {
    id: 'NW-16',
    title: 'A model is resolved from persona to repository to host to offline',
    state: 'proven',
  },
  { id: 'NW-17', state: 'not-yet', reason: 'Slack' },
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
  { id: 'TG-1b', state: 'not-yet', reason: 'self.md' },
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
  { id: 'TG-15', state: 'not-yet', reason: 'Bluesky' },
  { id: 'TG-16', state: 'not-yet', reason: 'reflection' },
  { id: 'TG-17', state: 'not-yet', reason: 'self-improvement' },
  { id: 'TG-18', state: 'not-yet', reason: 'workspaces' },
  {
    id: 'TG-19',
    state: 'not-yet',
    reason: 'phrases are checked when a persona is loaded, but nothing speaks or derives them',
  },
  { id: 'TG-20', state: 'not-yet', reason: 'peers' },
  { id: 'TG-21', state: 'not-yet', reason: 'owner chat' },
  {
    id: 'TG-22',
    title: 'Transient errors back off, configuration errors are not retried',
    state: 'proven',
  },
  ...THREATS,
];
