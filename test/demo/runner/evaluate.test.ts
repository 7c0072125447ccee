/** What the runner reads and evaluates, held against GitHub's own parser of workflows. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  evaluateCondition,
  interpolate,
  toFullCondition,
} from '../../../src/demo/runner/evaluate.ts';
import {
  readWorkflowFile,
  type WorkflowJob,
  type WorkflowStep,
} from '../../../src/demo/runner/read-workflow.ts';
import { workflowModel, type WorkflowModel } from '../../helpers/workflow-parser.ts';
import { aCalled } from './a-job.ts';

const FAILED = { isFailed: true, isCancelled: false };

describe('a condition', () => {
  test.each([
    ["github.title == 'always()'", false],
    ["contains(github.title, 'failure()') || true", false],
    ['always()', true],
    ['ALWAYS ( )', true],
    ["github.title == 'always()' && failure()", true],
    ['!cancelled()', true],
    ['', false],
  ])('`%s` lets a step run after a failed one: %s', (condition, runs) => {
    const contexts = { github: { title: 'always()' } };
    expect(evaluateCondition(condition, contexts, FAILED)).toBe(runs);
  });
});

test.each([
  ["${{ '}}' }}!", '}}!'],
  ["${{ format('{0}}}', github.word) }}", 'one}'],
  ["a ${{ github.word }} b ${{ 'it''s }}' }}", "a one b it's }}"],
  ["{ echo '${{ github.word }}'; }", "{ echo 'one'; }"],
])('`%s` becomes `%s`', (text, filled) => {
  expect(interpolate(text, { github: { word: 'one' } })).toBe(filled);
});

test.each(['${{ github.word', "${{ 'a }}"])('`%s` is not closed and refused', (text) => {
  expect(() => interpolate(text, { github: { word: 'one' } })).toThrow('is not closed');
});

const FILES = ['.github/workflows', ...['app', 'monorepo', 'small', 'team'].map(inExample)]
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter((file) => /\/quorum[\w-]*\.yml$/.test(file));

function inExample(name: string): string {
  return `examples/${name}/.github/workflows`;
}

/** What both readers tell of a job. Texts with expressions are left to the test of `interpolate`. */
interface Told {
  id: string;
  needs: string[];
  if: string;
  steps: { if: string; does: string }[];
}

function toldByUs(id: string, job: WorkflowJob): Told {
  const steps = job.steps.map((step: WorkflowStep) => ({
    if: toFullCondition(step.if),
    does: step.uses ?? step.run ?? '',
  }));
  return { id, needs: [...job.needs], if: toFullCondition(job.if), steps };
}

function toldByGitHub(job: WorkflowModel['jobs'][number]): Told {
  const steps = job.type === 'job' ? job.steps : [];
  return {
    id: job.id.value,
    needs: (job.needs ?? []).map(({ value }) => value),
    if: job.if.expression,
    steps: steps.map((step) => ({
      if: step.if?.expression ?? '',
      does: 'uses' in step ? step.uses.value : 'run' in step ? step.run.toString() : '',
    })),
  };
}

async function bothTell(content: string): Promise<[Told[], Told[]]> {
  const { jobs } = readWorkflowFile(content);
  const ours = Object.entries(jobs).map(([id, job]) => toldByUs(id, job));
  const model = await workflowModel(content);
  return [ours, model.jobs.map(toldByGitHub)];
}

describe('the runner reads as GitHub does', () => {
  test.each(FILES)('the jobs, needs, conditions and steps of %s', async (file) => {
    const [ours, theirs] = await bothTell(readFileSync(file, 'utf8'));
    expect(ours).toEqual(theirs);
  });

  test('conditions of all kinds', async () => {
    const conditions = [
      "github.ref == 'always()'",
      '${{ github.ref }}',
      'success ( ) || failure()',
      "!(contains(github.ref, 'x') && Cancelled())",
      'true',
    ];
    const steps = conditions.map((each) => `      - { run: echo, if: ${JSON.stringify(each)} }`);
    const [ours, theirs] = await bothTell(aCalled(steps.join('\n')));
    expect(ours[0]?.steps).toHaveLength(conditions.length);
    expect(ours).toEqual(theirs);
  });
});
