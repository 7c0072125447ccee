/** A caller's workflow with the reusable workflow that it calls, as the jobs that a run has. */
import { parse } from 'yaml';
import { z } from 'zod';

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Texts = z.record(
  z.string(),
  Text.nullable().transform((value) => value ?? ''),
);
const Level = z.enum(['read', 'write', 'none']);
const Permissions = z.record(z.string(), Level);
export type JobPermissions = z.infer<typeof Permissions>;

/** What the runner does not know is refused: it would run something else than GitHub. */
const Step = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: Text.optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  'working-directory': z.string().optional(),
  with: Texts.default({}),
  env: Texts.default({}),
  'continue-on-error': z.boolean().default(false),
});
export type WorkflowStep = z.infer<typeof Step>;

const Job = z.strictObject({
  name: z.string().optional(),
  'runs-on': z.string().optional(),
  if: Text.optional(),
  needs: z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]),
  uses: z.string().optional(),
  with: Texts.default({}),
  secrets: z.union([z.literal('inherit'), Texts]).default({}),
  permissions: Permissions.optional(),
  outputs: Texts.default({}),
  env: Texts.default({}),
  steps: z.array(Step).default([]),
  /** May be an expression. */
  'timeout-minutes': Text.default('360'),
});
export type WorkflowJob = z.infer<typeof Job>;

const Input = z.object({ default: Text.optional() });
const Workflow = z.strictObject({
  on: z.unknown(),
  name: z.string().optional(),
  'run-name': z.string().optional(),
  /** A demonstration and tests start one run after the other. */
  concurrency: z.unknown().optional(),
  permissions: Permissions.optional(),
  jobs: z.record(z.string(), Job),
});

export interface WorkflowFile {
  /** Events, with the types that each is for; none for all. */
  events: ReadonlyMap<string, readonly string[] | undefined>;
  /** Defaults of `workflow_call`. */
  inputs: Readonly<Record<string, string>>;
  permissions: JobPermissions | undefined;
  jobs: Readonly<Record<string, WorkflowJob>>;
}

const Call = z.looseObject({
  inputs: z.record(z.string(), Input).nullish(),
  types: z.array(z.string()).nullish(),
});
const Events = z.record(z.string(), z.unknown());

export function readWorkflowFile(text: string): WorkflowFile {
  const { on, permissions, jobs } = Workflow.parse(parse(text));
  const events = new Map<string, readonly string[] | undefined>();
  let inputs: Record<string, string> = {};
  for (const [name, value] of Object.entries(Events.parse(on))) {
    const about = Call.safeParse(value).data;
    events.set(name, about?.types ?? undefined);
    if (name !== 'workflow_call') continue;
    const given = Object.entries(about?.inputs ?? {});
    inputs = Object.fromEntries(given.map(([input, spec]) => [input, spec.default ?? '']));
  }
  return { events, inputs, permissions, jobs };
}

const RANK = ['none', 'read', 'write'];

/** A called job has no more than its caller gives: what the job asks beyond that is an error on GitHub. */
export function capPermissions(
  asked: JobPermissions | undefined,
  given: JobPermissions | undefined,
): JobPermissions {
  if (given === undefined) return asked ?? {};
  const capped = Object.entries(asked ?? given).map(([name, level]) => {
    const most = given[name] ?? 'none';
    if (RANK.indexOf(level) > RANK.indexOf(most))
      throw new Error(`The called workflow asks for ${name}: ${level}; its caller gives ${most}`);
    return [name, level] as const;
  });
  return Object.fromEntries(capped);
}
