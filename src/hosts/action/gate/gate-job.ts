/** The approval gate: fails until enough people have approved an agent's pull request. No model runs and no code is checked out. */
import * as core from '@actions/core';
import { z } from 'zod';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { APPROVAL_CHECK } from '../../../domain/task/check-names.ts';
import type { Actor, ThreadRef } from '../../../domain/run/thread-ref.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { judgeApprovals, type GateVerdict } from '../../../policy/approval-gate.ts';
import { summarise, type Job } from '../run-action.ts';
import { listInput, numberInput, type Inputs } from '../job/read-inputs.ts';
import { believeSigned, openWorkflowGitHub, readPages } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { readGateFacts } from './read-pulls.ts';

const MAX_NUMBER = 2_000_000_000;
const MOST_APPROVALS = 10;

/** `checkedSha`: the commit that GitHub attaches this job to; undefined where it is attached to no pull request. */
interface Gated {
  number: number;
  checkedSha: string | undefined;
}

export async function gateJob({ inputs, basics, context }: Job): Promise<void> {
  const needed = numberInput(inputs, 'approvals', { most: MOST_APPROVALS }) ?? 1;
  const agents = listInput(inputs, 'agents', AGENT);
  const gated = await findPull(context, inputs);
  if (gated === undefined)
    return summarise('### Quorum: nothing to approve\n\nNo open pull request has this head.\n');
  const thread: ThreadRef = { ...context.repository, number: gated.number };
  const believing = believeSigned(basics, [], thread.repositoryId);
  const session = openWorkflowGitHub(basics, context, believing).at(context.repository);
  const isTogether = inputs['siblings'] === 'together';
  const permission = (user: Actor) => session.read.permission(thread, user);
  const facts = await readGateFacts(thread, { isTogether }, { context, agents, permission });
  if (facts === undefined) throw invalid(`There is no pull request #${gated.number}.`);
  const { headSha } = facts.pull;
  const isOwnCheck = inputs['report'] === 'check';
  const checkedSha = isOwnCheck ? headSha : (gated.checkedSha ?? headSha);
  const verdict = judgeApprovals({ ...facts, needed, checkedSha });
  const summary = renderGate(gated.number, verdict);
  core.setOutput('passed', String(verdict.passed));
  core.setOutput('approvals', String(verdict.approvedBy.length + verdict.alsoBy.length));
  await summarise(summary);
  if (isOwnCheck) {
    const conclusion = verdict.passed ? 'success' : 'failure';
    const check = { name: APPROVAL_CHECK, conclusion, title: verdict.why, summary } as const;
    await session.write.ensureChecks({ repository: context.repository, headSha, checks: [check] });
  } else if (!verdict.passed) core.setFailed(verdict.why);
}

/** A login, or that of an App's account; `*` for every automated account. */
const AGENT = /^(?:\*|[A-Za-z0-9](?:[A-Za-z0-9-]{0,99})(?:\[bot\])?)$/;

function renderGate(number: number, { passed, why, approvedBy, alsoBy }: GateVerdict): string {
  return [
    `### Quorum: #${number} ${passed ? 'passes the approval gate' : 'waits for approvals'}`,
    '',
    why,
    ...(approvedBy.length === 0 ? [] : ['', `Approved this head: ${namesOf(approvedBy)}.`]),
    ...(alsoBy.length === 0 ? [] : ['', `Approved other tasks of the plan: ${namesOf(alsoBy)}.`]),
    '',
  ].join('\n');
}

function namesOf(actors: readonly Actor[]): string {
  return actors.map(({ login }) => codeSpan(login)).join(', ');
}

const OfPull = z.object({
  pull_request: z.object({ number: z.number(), head: z.object({ sha: z.string() }) }),
});
const OfRun = z.object({
  workflow_run: z.object({ head_sha: z.string(), head_branch: z.string().nullish() }),
});
const Listed = z.object({ number: z.number(), head: z.object({ sha: z.string() }) });

async function findPull(context: WorkflowContext, inputs: Inputs): Promise<Gated | undefined> {
  const named = numberInput(inputs, 'pr', { most: MAX_NUMBER });
  const needsCheck = inputs['report'] !== 'check';
  const isDetached = context.event === 'workflow_dispatch' || context.event === 'workflow_run';
  if (isDetached && needsCheck)
    throw invalid(
      `GitHub attaches a job on \`${context.event}\` to no pull request. Set \`report: check\`.`,
    );
  if (named !== undefined) return { number: named, checkedSha: headInEvent(context, named) };
  if (context.event === 'workflow_run') return findByRun(context);
  const pull = OfPull.safeParse(context.payload).data?.pull_request;
  if (pull !== undefined) return { number: pull.number, checkedSha: pull.head.sha };
  throw invalid('The event names no pull request. Set the input `pr`.');
}

function headInEvent({ payload }: WorkflowContext, number: number): string | undefined {
  const pull = OfPull.safeParse(payload).data?.pull_request;
  if (pull === undefined) return undefined;
  // Another pull request than the one that this job is attached to would answer for it.
  if (pull.number !== number) throw invalid(`The event is about #${pull.number}, not #${number}.`);
  return pull.head.sha;
}

/** Nothing that the run left is read: GitHub is asked which open pull request has its commit as the head. */
async function findByRun(context: WorkflowContext): Promise<Gated | undefined> {
  const { head_sha: sha } = OfRun.parse(context.payload).workflow_run;
  const { owner, repo } = context.repository;
  const listed = await readPages(context, `/repos/${owner}/${repo}/pulls?state=open`, Listed);
  return pullOfHead(listed, sha);
}

/** @throws RefusedError `unexpected-answer` where it may be among those that were not read */
export function pullOfHead({ found, isCut }: ListedPulls, sha: string): Gated | undefined {
  const pull = found.find(({ head }) => head.sha === sha);
  if (pull === undefined && isCut)
    throw new RefusedError({
      code: 'unexpected-answer',
      message: `The pull request of this run was not found: there are too many open pull requests to read. Set the input \`pr\`.`,
    });
  return pull === undefined ? undefined : { number: pull.number, checkedSha: sha };
}

interface ListedPulls {
  found: readonly z.infer<typeof Listed>[];
  isCut: boolean;
}

function invalid(message: string): ConfigError {
  return new ConfigError({ code: 'action-input-invalid', message });
}
