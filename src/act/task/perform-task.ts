/** Carries out what a task asks for. */
import type { EffectData } from '../../domain/effect.ts';
import type { TaskEffect } from '../../domain/task/effects.ts';
import type { CountBase } from './base-tests.ts';
import { claimTask } from './claim.ts';
import { lookAtMerge, mergePull } from './merge.ts';
import { dropBranch } from './drop-branch.ts';
import { editPlanBody } from './plan-edit.ts';
import type { FillProject } from './project.ts';
import type { ActPorts, Performed } from '../ports.ts';
import type { ReadSettings } from '../settings.ts';
import { codeTask } from './code.ts';
import { publishTask } from './publish.ts';
import { releaseTask } from './release.ts';
import { reportGroup } from './report-group.ts';
import type { Turns } from './turns.ts';
import { retestMerge, verifyTask } from './verify.ts';

const KINDS: ReadonlySet<string> = new Set<TaskEffect['kind']>([
  'claim',
  'code',
  'verify',
  'publish',
  'look-merge',
  'retest',
  'report-group',
  'merge',
  'plan-edit',
  'release',
  'drop-branch',
]);

export function isTaskEffect(data: EffectData): data is TaskEffect {
  return KINDS.has(data.kind);
}

interface Context {
  ports: ActPorts;
  readSettings: ReadSettings;
  countBase: CountBase;
  fillProject: FillProject;
  turns: Turns;
  run: string;
  /** Of the effect that is carried out. */
  effectId: string;
  /** Whether nothing can be there yet of what is written. */
  isNew: boolean;
  isFirst: boolean;
  /** When it was decided, ISO 8601. */
  at: string;
}

export async function workOnTask(data: TaskEffect, context: Context): Promise<Performed> {
  const { ports } = context;
  switch (data.kind) {
    case 'claim':
      return claimTask(data, ports);
    case 'code':
      return codeTask(data, context);
    case 'verify':
      return verifyTask(data, context);
    case 'publish':
      return publishTask(data, context);
    case 'look-merge':
      return lookAtMerge(data, context);
    case 'retest':
      return retestMerge(data, context);
    case 'report-group':
      return reportGroup(data, context);
    case 'merge':
      return mergePull(data, context);
    case 'plan-edit':
      return editPlanBody(data, ports);
    case 'release':
      return releaseTask(data, ports);
    case 'drop-branch':
      return dropBranch(data, ports);
  }
}
