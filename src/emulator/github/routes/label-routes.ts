/** Operations on the labels of a repository and of its threads. */
import { z } from 'zod';
import { invalid, notFound } from '../behave/http-error.ts';
import type { Label } from '../world/world-model.ts';
import { reads, writes } from '../world/permissions.ts';
import { labelsOf, toLabel } from '../render/to-thread.ts';
import {
  created,
  renderListPage,
  NO_CONTENT,
  ok,
  param,
  parseBody,
  threadParam,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import * as threads from '../threads.ts';
import { deedOf, labelNames } from './issue-routes.ts';

const Color = z.string().transform((text) => text.replace(/^#/, '').toLowerCase());
const NewLabel = z.looseObject({
  name: z.string(),
  color: Color.optional(),
  description: z.string().nullish(),
});
const LabelChange = z.looseObject({
  new_name: z.string().optional(),
  color: Color.optional(),
  description: z.string().nullish(),
});

function checkLabel(label: { name?: string; color?: string; description?: string | null }): void {
  if (label.name !== undefined && (label.name.trim() === '' || label.name.length > 50))
    throw invalid({ resource: 'Label', code: 'invalid', field: 'name' });
  if (label.color !== undefined && !/^[0-9a-f]{6}$/.test(label.color))
    throw invalid({ resource: 'Label', code: 'invalid', field: 'color' });
  if ((label.description ?? '').length > 100)
    throw invalid({
      resource: 'Label',
      code: 'custom',
      field: 'description',
      message: 'description is too long (maximum is 100 characters)',
    });
}

function createLabel(call: RepositoryCall): Answer {
  const body = parseBody(call, NewLabel);
  const init = {
    name: body.name,
    color: body.color ?? 'ededed',
    description: body.description ?? null,
  };
  checkLabel(init);
  if (threads.findLabel(call.repository, init.name) !== undefined)
    throw invalid({ resource: 'Label', code: 'already_exists', field: 'name' });
  return created(toLabel(call.world, call.repository, threads.createLabel(deedOf(call), init)));
}

function labelParam(call: RepositoryCall): Label {
  const label = threads.findLabel(call.repository, param(call, 'name'));
  if (label === undefined) throw notFound();
  return label;
}

function updateLabel(call: RepositoryCall): Answer {
  const body = parseBody(call, LabelChange);
  const label = labelParam(call);
  const before = { ...label };
  const next = {
    name: body.new_name ?? label.name,
    color: body.color ?? label.color,
    description: body.description === undefined ? label.description : body.description,
  };
  checkLabel(next);
  const clash = threads.findLabel(call.repository, next.name);
  if (clash !== undefined && clash !== label)
    throw invalid({ resource: 'Label', code: 'already_exists', field: 'name' });
  Object.assign(label, next);
  const keys = ['name', 'color', 'description'] as const;
  const changes = Object.fromEntries(
    keys
      .filter((key) => before[key] !== label[key])
      .map((key) => [key, { from: before[key] ?? '' }]),
  );
  threads.emitLabelChange(deedOf(call), { action: 'edited', label, changes });
  return ok(toLabel(call.world, call.repository, label));
}

function deleteLabel(call: RepositoryCall): Answer {
  const label = labelParam(call);
  const { repository } = call;
  for (const thread of repository.threads.values())
    threads.removeLabels(deedOf(call), thread, [label.id]);
  repository.labels = repository.labels.filter((one) => one !== label);
  threads.emitLabelChange(deedOf(call), { action: 'deleted', label });
  return NO_CONTENT;
}

const Names = z.union([
  z.looseObject({ labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])) }),
  z.array(z.union([z.string(), z.looseObject({ name: z.string() })])),
]);

function readNames(call: RepositoryCall): string[] {
  const body = parseBody(call, Names);
  const names = labelNames(Array.isArray(body) ? body : body.labels);
  for (const name of names) checkLabel({ name });
  return names;
}

function threadLabels(call: RepositoryCall): Promise<Answer> {
  return renderListPage(call, labelsOf(call.repository, threadParam(call)), (label) =>
    toLabel(call.world, call.repository, label),
  );
}

/** The answer to a change: every label the thread now has, unpaged as on GitHub. */
function allLabels(call: RepositoryCall): Answer {
  const labels = labelsOf(call.repository, threadParam(call));
  return ok(labels.map((label) => toLabel(call.world, call.repository, label)));
}

function removeLabel(call: RepositoryCall): Answer {
  const thread = threadParam(call);
  const label = threads.findLabel(call.repository, param(call, 'name'));
  if (label === undefined || !thread.labelIds.includes(label.id)) throw notFound();
  threads.removeLabels(deedOf(call), thread, [label.id]);
  return allLabels(call);
}

const LABELS = '/repos/{owner}/{repo}/labels';
const ON_THREAD = '/repos/{owner}/{repo}/issues/{issue_number}/labels';
const EITHER = ['issues', 'pull_requests'] as const;

export const labelRoutes: Route[] = [
  {
    method: 'GET',
    path: LABELS,
    need: reads(...EITHER),
    run: (call) =>
      renderListPage(call, call.repository.labels, (label) =>
        toLabel(call.world, call.repository, label),
      ),
  },
  { method: 'POST', path: LABELS, need: writes('write', ...EITHER), run: createLabel },
  {
    method: 'GET',
    path: `${LABELS}/{name}`,
    need: reads(...EITHER),
    run: (call) => ok(toLabel(call.world, call.repository, labelParam(call))),
  },
  { method: 'PATCH', path: `${LABELS}/{name}`, need: writes('write', ...EITHER), run: updateLabel },
  {
    method: 'DELETE',
    path: `${LABELS}/{name}`,
    need: writes('write', ...EITHER),
    run: deleteLabel,
  },
  { method: 'GET', path: ON_THREAD, need: reads(...EITHER), run: threadLabels },
  {
    method: 'POST',
    path: ON_THREAD,
    need: writes('triage', ...EITHER),
    run: (call) => {
      threads.addLabels(deedOf(call), threadParam(call), readNames(call));
      return allLabels(call);
    },
  },
  {
    method: 'PUT',
    path: ON_THREAD,
    need: writes('triage', ...EITHER),
    run: (call) => {
      threads.setLabels(deedOf(call), threadParam(call), readNames(call));
      return allLabels(call);
    },
  },
  {
    method: 'DELETE',
    path: ON_THREAD,
    need: writes('triage', ...EITHER),
    run: (call) => {
      const thread = threadParam(call);
      threads.removeLabels(deedOf(call), thread, [...thread.labelIds]);
      return NO_CONTENT;
    },
  },
  {
    method: 'DELETE',
    path: `${ON_THREAD}/{name}`,
    need: writes('triage', ...EITHER),
    run: removeLabel,
  },
];
