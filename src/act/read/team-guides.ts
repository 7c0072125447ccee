/** The files that the team goes by: the roadmap, and for a plan the PM's own memory. They are read with what is read anyway. */
import { ROADMAP_FILE } from '../../domain/config/config-team.ts';
import type { Config } from '../../domain/config/config.ts';
import { pmMemory } from '../../domain/memory/role/pm-memory.ts';
import { ROLE_PATHS } from '../../domain/memory/role/role-memory.ts';
import { cutRoadmap } from '../../domain/roadmap/roadmap.ts';
import type { IssueView, SourceFile } from '../../domain/run/view.ts';
import type { ActPorts } from '../ports.ts';

/** Paths that a survey is asked for: what the settings say of them is not known by then. */
export function guideFiles(isForPlan: true | undefined): string[] {
  return [ROADMAP_FILE, ...(isForPlan === true ? [ROLE_PATHS.pm] : [])];
}

interface Wanted {
  config: Pick<Config, 'roadmap'>;
  isForPlan: true | undefined;
}

/** Those that are still to be read, of the paths that there are. */
export function guidesToRead(
  paths: readonly string[],
  isTold: boolean,
  { config, isForPlan }: Wanted,
): string[] {
  const wanted = [config.roadmap.file, ...(isForPlan === true ? [ROLE_PATHS.pm] : [])];
  const known = isTold ? guideFiles(isForPlan) : [];
  return wanted.filter((path) => paths.includes(path) && !known.includes(path));
}

/** Without a file of its own a repository's plans are made by the one that this package ships. */
export async function toGuides(
  texts: readonly SourceFile[],
  { config, isForPlan }: Wanted,
  { roleDefaults }: Pick<ActPorts, 'roleDefaults'>,
): Promise<Pick<IssueView, 'roadmap' | 'pmMemory'>> {
  const textOf = (wanted: string): string | undefined =>
    texts.find(({ path }) => path === wanted)?.text;
  const { file: path } = config.roadmap;
  const text = cutRoadmap(textOf(path) ?? '');
  const roadmap = text.trim() === '' ? {} : { roadmap: { path, text } };
  if (isForPlan !== true) return roadmap;
  const own = textOf(ROLE_PATHS.pm) ?? (await roleDefaults?.())?.pm ?? '';
  return { ...roadmap, pmMemory: pmMemory(own) };
}
