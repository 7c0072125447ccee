/** Milestones as a roadmap (NW-15): each is a section, its issues are the items. */
import type { RoadmapText } from './roadmap.ts';
import { cutRoadmap } from './roadmap.ts';

/** A milestone with its issues. */
export interface MilestoneFacts {
  title: string;
  issues: { number: number; title: string; isDone: boolean }[];
}

/** Where the text comes from, for the label in a prompt. */
const SOURCE = 'milestones';

/** Milestones in the format of a roadmap file; undefined without milestones. */
export function milestonesAsRoadmap(
  milestones: readonly MilestoneFacts[],
): RoadmapText | undefined {
  if (milestones.length === 0) return undefined;
  const sections = milestones.map(({ title, issues }) =>
    [`## ${oneLine(title)}`, ...issues.map(toItem)].join('\n'),
  );
  return { path: SOURCE, text: cutRoadmap(`${sections.join('\n\n')}\n`) };
}

function toItem({ number, title, isDone }: MilestoneFacts['issues'][number]): string {
  return `- [${isDone ? 'x' : ' '}] ${oneLine(title)} (#${number})`;
}

/** A title of several lines would begin sections of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
