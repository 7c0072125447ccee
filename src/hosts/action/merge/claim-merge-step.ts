/**
 * The claim job of a merge: whose pull request it is, and what is said of it. It decides by the App's policy whether the
 * tests have to run on what the merge would give, and merges nothing. No model and no code of the repository runs here.
 */
import {
  digestOfTask,
  findKeptTask,
  isKeptByUs,
  type KeptTask,
} from '../../../domain/actions/kept/kept-tasks.ts';
import { hasPermission, threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import type { Inputs } from '../job/read-inputs.ts';
import { findNoKey } from '../job/signing-key.ts';
import { reserveClaim } from '../job/reserve-claim.ts';
import { readActionsState } from '../branch/state-branch.ts';
import {
  believeSigned,
  openUnsigned,
  openWorkflowGitHub,
  type Believing,
} from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { findApp } from '../steps/find-app.ts';
import { findMergeNews, findNamedPull, type NamedPull } from './find-merge-news.ts';
import { playKept } from './play-kept.ts';
import { readOwnHead } from './read-own-head.ts';
import type { MergeNews, MergeTicket } from './merge-ticket.ts';

export type ClaimedMerge =
  { kind: 'claimed'; ticket: MergeTicket } | { kind: 'nothing'; why: string };

const MINUTE_MS = 60_000;
const LOOK_TIMEOUT_MS = 3 * MINUTE_MS;

interface Job {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
  believing: Believing;
}

export async function claimMergeStep(
  basics: Basics,
  context: WorkflowContext,
  inputs: Inputs,
): Promise<ClaimedMerge> {
  const named = findNamedPull(context, inputs);
  const place = { ...placeOf(context), github: openUnsigned(basics, context) };
  const { recorded } = await readActionsState(place);
  const { repositoryId } = context.repository;
  const believing = believeSigned(basics, recorded[named.pull] ?? [], repositoryId);
  const job = { basics, context, inputs, believing };
  const kept = findKeptTask(await readKeptTasks(place), named.pull);
  const judged = await judgePull(kept, named, job);
  const why = 'why' in judged ? judged.why : await lacksRole(job);
  if (why !== undefined || kept === undefined || 'why' in judged)
    return { kind: 'nothing', why: why ?? NOT_OURS };
  const found = await findMergeNews(context, kept, new Date(basics.clock.now()).toISOString());
  if ('why' in found) return { kind: 'nothing', why: found.why };
  const retest = await lookAhead(kept, found.news, job);
  return reserve({ named, news: found.news, headSha: judged.headSha, retest }, job);
}

const NOT_OURS = 'This pull request is not one that this workflow opened for a task of a plan.';

/**
 * Its head, or why this is not for this workflow. That the shared account opened it says little: the record must be one that
 * an apply job wrote.
 */
async function judgePull(
  kept: KeptTask | undefined,
  { pull: number }: NamedPull,
  { basics, context, believing }: Job,
): Promise<{ headSha: string } | { why: string }> {
  if (kept === undefined) return { why: NOT_OURS };
  const noKey = findNoKey(basics.env);
  if (noKey !== undefined) return { why: noKey.message };
  if (!isKeptByUs(kept, believing.markerSecret)) return { why: NOT_OURS };
  const headSha = await readOwnHead(context, kept, number);
  if (headSha === undefined) return { why: NOT_OURS };
  const thread: ThreadRef = { ...context.repository, number };
  if (await findApp(context, thread, headSha))
    return {
      why: 'The Quorum App is installed in this repository and merges this pull request.',
    };
  return { headSha };
}

/** Anybody's review starts this job, and each claim takes room in the state: nothing is reserved for people without the role. */
async function lacksRole({ basics, context }: Job): Promise<string | undefined> {
  const { repository, sender } = context;
  const { read } = openUnsigned(basics, context).at(repository);
  const permission = await read.permission(repository, sender);
  if (hasPermission(permission, 'write')) return undefined;
  return `\`${sender.login}\` has the permission \`${permission}\` here. A merge needs \`write\`.`;
}

/** What the tests have to run on, if anything: by a look that writes nothing. */
async function lookAhead(
  kept: KeptTask,
  news: MergeNews,
  { basics, context, believing }: Job,
): Promise<MergeTicket['retest']> {
  const github = openWorkflowGitHub(basics, context, believing);
  const { wanted, done, run } = await playKept(kept, {
    basics,
    context,
    github,
    believing,
    claim: 'look-ahead',
    news,
    known: [],
    carriesOut: ['look-merge'],
    power: 'writes',
    isFirst: false,
    timeoutMs: LOOK_TIMEOUT_MS,
  });
  const looked = done.flatMap((one) => (one.effectKind === 'look-merge' ? [one.result] : []));
  const view = looked.at(-1);
  const isUntested = wanted.some(({ kind }) => kind === 'retest');
  if (view === undefined || !isUntested) return undefined;
  return { view, ownRequired: run?.ownRequired ?? [], record: digestOfTask(kept) };
}

type Found = { named: NamedPull } & Pick<MergeTicket, 'news' | 'headSha' | 'retest'>;

async function reserve({ named, news, headSha, retest }: Found, job: Job): Promise<ClaimedMerge> {
  const { repository } = job.context;
  const { pull, says } = named;
  const claim = `merge ${threadKey({ ...repository, number: pull })} ${says}`;
  const message = `quorum: claim the merge of #${pull}`;
  const held = await reserveClaim({ event: claim, message, minutes: 60 }, job);
  if (held.kind === 'refused') return { kind: 'nothing', why: WHY[held.reason] };
  const { at, isNew } = held;
  const about = { version: 1, claim, isNew, at, pull, news, headSha } as const;
  return { kind: 'claimed', ticket: { ...about, ...(retest !== undefined && { retest }) } };
}

const WHY = {
  done: 'Another run of this workflow has done this already.',
  taken: 'Another run of this workflow is working on this.',
} as const;

function placeOf({ repository }: WorkflowContext) {
  return { repository, branch: MEMORY_BRANCH };
}
