/** What the default branch asks of a change, and who owns its files: where a task could wait for ever. */
import {
  hasProtection,
  NO_RULES_ON_PLAN,
} from '../../../../adapters/github/work/merge/read-branch-rules.ts';
import {
  GET_BRANCH,
  LIST_RULES,
  type WireBranch,
  type WireRule,
} from '../../../../adapters/github/work/work-operations.ts';
import { CODEOWNERS_FILES, teamsIn } from '../../../../domain/repository/codeowners.ts';
import { taskBranch } from '../../../../domain/task/task.ts';
import { counted } from '../../../../domain/text/counted.ts';
import type { Finding } from '../doctor-finding.ts';
import { messageOf, type LiveAnswer } from './ask-live.ts';
import type { Live } from './check-live.ts';

const about = 'rules of the default branch';

export async function checkRules(live: Live): Promise<Finding[]> {
  return [
    ...(await readRules(live)),
    ...(await checkSignatures(live)),
    ...(await checkOwners(live)),
  ];
}

/** As a merge reads them: unknown is never taken for none. */
async function readRules(live: Live): Promise<Finding[]> {
  const { ask, ref, defaultBranch } = live;
  const at = `/repos/${ref.owner}/${ref.repo}`;
  const branch = encodeURIComponent(defaultBranch);
  const told = await ask(`${at}/rules/branches/${branch}`);
  if (told.status === 403 && messageOf(told.data) === NO_RULES_ON_PLAN)
    return [{ level: 'ok', about, says: "none: the account's plan has no rules" }];
  // An older server has no rulesets.
  const rules = told.status === 404 ? [] : LIST_RULES.answer.safeParse(told.data).data;
  if (rules === undefined) return [unknown(told)];
  const own = await ask(`${at}/branches/${branch}`);
  const found = GET_BRANCH.answer.safeParse(own.data).data;
  // An empty repository has no branch yet.
  if (found === undefined && own.status !== 404) return [unknown(own)];
  return describeRules(live, { rules, found });
}

function describeRules(
  { defaultBranch, grant }: Live,
  { rules, found }: { rules: readonly WireRule[]; found: WireBranch | undefined },
): Finding[] {
  const isProtected = hasProtection(found);
  const asked = found?.protection?.required_status_checks;
  if (isProtected && asked === undefined)
    return [unsure(`${defaultBranch} is protected, and GitHub does not name its required checks`)];
  const types = [...(isProtected ? ['protection'] : []), ...rules.map(({ type }) => type)];
  const checks = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
  const required = [...(asked?.contexts ?? []), ...checks.map(({ context }) => context)];
  const needs = required.length === 0 ? '' : `; requires ${[...new Set(required)].join(', ')}`;
  const isUnheard = types.includes('merge_queue') && !isQueueHeard(grant);
  return [
    { level: 'ok', about, says: `${[...new Set(types)].join(', ') || 'none'}${needs}` },
    ...(isUnheard ? [QUEUE] : []),
  ];
}

/** The event is delivered with its permission only. */
function isQueueHeard({ events, permissions }: Live['grant']): boolean {
  return events.includes('merge_group') && permissions['merge_queues'] !== undefined;
}

function unknown({ status, data }: LiveAnswer): Finding {
  return unsure(`GitHub does not tell them: ${messageOf(data) || status}`);
}

function unsure(says: string): Finding {
  const fix = 'Nothing is merged while the rules are unknown. Check the permissions of the App.';
  return { level: 'warn', about, says, fix };
}

/** The same question that is asked before a plan is approved. */
async function checkSignatures({ github, ref, defaultBranch }: Live): Promise<Finding[]> {
  const { work } = github.at(ref);
  const own = taskBranch({ plan: { ...ref, number: 1 }, task: 1 }, '');
  const branches = [
    {
      name: defaultBranch,
      branch: defaultBranch,
      todo: `lift the rule on ${defaultBranch} or set merge.mode: never`,
    },
    { name: 'quorum/*', branch: own, todo: 'leave quorum/* out of the rule' },
  ];
  const signed: typeof branches = [];
  for (const one of branches) if (await work.mustSign(ref, one.branch)) signed.push(one);
  if (signed.length === 0) return [];
  const names = signed.map(({ name }) => name).join(' and ');
  const takes = signed.length === 1 ? 'takes' : 'take';
  const says = `${names} ${takes} only commits with verified signatures: no task begins`;
  const fix = `To have tasks done, ${signed.map(({ todo }) => todo).join(', and ')}.`;
  return [{ level: 'warn', about: 'signed commits', says, fix }];
}

const QUEUE: Finding = {
  level: 'warn',
  about: 'merge queue',
  says: 'the branch has one, and the App does not receive merge_group events',
  fix: 'Accept the permission merge_queues: read, or require no check of Quorum.',
};

async function checkOwners({ github, ref, headSha, grant }: Live): Promise<Finding[]> {
  if (headSha === '') return [];
  const wanted = { paths: CODEOWNERS_FILES, maxBytes: 100_000 };
  const files = await github.at(ref).read.files(ref, headSha, wanted);
  const teams = [...new Set(files.flatMap(({ text }) => teamsIn(text)))];
  const mayAsk = grant.permissions['members'] !== undefined;
  if (teams.length === 0 || mayAsk) return [];
  const says = `names ${counted(teams.length, 'team')}, which the App may not ask: ${teams.slice(0, 5).join(', ')}`;
  const fix = 'Grant the optional permission members: read, or ask the teams yourselves.';
  return [{ level: 'warn', about: 'CODEOWNERS', says, fix }];
}
