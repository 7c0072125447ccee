/** What the demonstration without an App tells at its end. */
import type { Basics } from '../../host-parts.ts';

export interface ActionsDemoOptions extends Basics {
  /** Told before each act of the story, in a sentence. */
  onAct: (says: string) => void;
}

/** An issue or a pull request that the workflows worked on. */
export interface WorkedOn {
  number: number;
  title: string;
  kind: string;
  verdict: string;
  /** What else GitHub shows of it, for people. */
  shown: string[];
  /** What the team wrote last. */
  text: string;
  problems: string[];
}

export interface MergedTask {
  task: number;
  title: string;
  /** Login of who started its workflow. */
  startedBy: string;
  /** Number of its pull request; 0 where none was opened. */
  pull: number;
  verdict: string;
  isMerged: boolean;
  /** Check runs on its head, such as `quorum / gates: success`. */
  checks: string[];
  problems: string[];
}

/** What a standup of the demonstration said, and what came of it. */
export interface DemoStandupSeen {
  /** Tensions, as they are kept. */
  insights: { from: string; message: string }[];
  /** How many participants saw nothing. */
  noTension: number;
  /** The issue that the ticked box made. */
  followUp: number | undefined;
  problems: string[];
}

export interface ActionsDemo {
  issues: WorkedOn[];
  pulls: WorkedOn[];
  plan: {
    number: number;
    title: string;
    /** Of its issue. */
    state: string;
    tasks: MergedTask[];
    problems: string[];
  };
  standup: DemoStandupSeen;
  /** What the boundaries between the jobs did, in sentences. */
  boundaries: { says: string; isFine: boolean }[];
  jobs: number;
  githubCalls: number;
  seconds: number;
}

export type RunActionsDemo = (options: ActionsDemoOptions) => Promise<ActionsDemo>;

/** Whether everything ended as the story has it: all merged, and a tension of the standup has its follow-up issue. */
export function isActionsDemoFine(played: ActionsDemo): boolean {
  const { issues, pulls, plan, standup, boundaries } = played;
  const all = [...issues, ...pulls, plan, ...plan.tasks, standup];
  const isMerged = plan.tasks.length > 0 && plan.tasks.every((task) => task.isMerged);
  return (
    isMerged &&
    standup.insights.length > 0 &&
    standup.followUp !== undefined &&
    boundaries.every(({ isFine }) => isFine) &&
    all.every(({ problems }) => problems.length === 0)
  );
}
