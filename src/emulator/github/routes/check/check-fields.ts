/** The body of a check run as callers send it, and what it changes in a run. */
import { z } from 'zod';
import { HttpError } from '../../behave/http-error.ts';
import type { CheckRun } from '../../world/check-model.ts';
import { nowIso, type World } from '../../world/world.ts';

/** GitHub takes at most this many annotations in one request. */
const MAX_ANNOTATIONS = 50;

const Annotation = z.looseObject({
  path: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  start_column: z.number().int().optional(),
  end_column: z.number().int().optional(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: z.string(),
  title: z.string().optional(),
  raw_details: z.string().optional(),
});

const Output = z.looseObject({
  title: z.string().optional(),
  summary: z.string().optional(),
  text: z.string().optional(),
  annotations: z.array(Annotation).optional(),
});

const CONCLUSIONS = [
  'action_required',
  'cancelled',
  'failure',
  'neutral',
  'success',
  'skipped',
  'stale',
  'timed_out',
] as const;

const RunFields = {
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  status: z
    .enum(['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending'])
    .optional(),
  conclusion: z.enum(CONCLUSIONS).optional(),
  started_at: z.string().optional(),
  completed_at: z.string().optional(),
  output: Output.optional(),
};

export const NewRun = z.looseObject({ name: z.string(), head_sha: z.string(), ...RunFields });

export const RunChange = z.looseObject({ name: z.string().optional(), ...RunFields });

export function applyRunChange(
  world: World,
  run: CheckRun,
  change: z.infer<typeof RunChange>,
): void {
  checkOutput(change.output);
  if (change.status === 'completed' && change.conclusion === undefined && run.conclusion === null)
    throw new HttpError(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.');
  run.name = change.name ?? run.name;
  run.detailsUrl = change.details_url ?? run.detailsUrl;
  run.externalId = change.external_id ?? run.externalId;
  run.startedAt = change.started_at ?? run.startedAt;
  applyStatus(world, run, change);
  applyOutput(run, change.output);
}

/** A conclusion completes the run by itself. */
function applyStatus(world: World, run: CheckRun, change: z.infer<typeof RunChange>): void {
  run.status = change.conclusion === undefined ? (change.status ?? run.status) : 'completed';
  const isCompleted = run.status === 'completed';
  run.conclusion = isCompleted ? (change.conclusion ?? run.conclusion) : null;
  const completedAt = change.completed_at ?? run.completedAt ?? nowIso(world);
  run.completedAt = isCompleted ? completedAt : null;
}

function checkOutput(output: z.infer<typeof Output> | undefined): void {
  if (output === undefined) return;
  if (output.summary === undefined)
    throw new HttpError(422, 'Invalid request.\n\n"summary" wasn\'t supplied.');
  if (output.summary.length > 65_535 || (output.text ?? '').length > 65_535)
    throw new HttpError(422, 'Invalid request.\n\nOnly 65535 characters are allowed.');
  if ((output.annotations ?? []).length > MAX_ANNOTATIONS)
    throw new HttpError(
      422,
      `Invalid request.\n\nNo more than ${MAX_ANNOTATIONS} items are allowed; ${output.annotations?.length} were supplied.`,
    );
}

function applyOutput(run: CheckRun, output: z.infer<typeof Output> | undefined): void {
  if (output === undefined) return;
  run.output = {
    title: output.title ?? run.output.title,
    summary: output.summary ?? run.output.summary,
    text: output.text ?? run.output.text,
  };
  for (const one of output.annotations ?? [])
    run.annotations.push({
      path: one.path,
      start_line: one.start_line,
      end_line: one.end_line,
      start_column: one.start_column ?? null,
      end_column: one.end_column ?? null,
      annotation_level: one.annotation_level,
      title: one.title ?? null,
      message: one.message,
      raw_details: one.raw_details ?? null,
    });
}
