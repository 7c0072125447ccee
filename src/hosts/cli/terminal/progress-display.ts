/** Live progress of several discussions: a block that redraws itself on a terminal, plain new lines elsewhere. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { spokenIn, stageOf } from '../describe-run.ts';
import type { Paint } from './paint.ts';
import { withoutControls } from '../review/frame.ts';
import { cutToWidth } from './table.ts';

interface Watched {
  /** `#8`. */
  name: string;
  title: string;
  run: Run | undefined;
  /** Its status, where the run does not show it. */
  says?: string;
}

export interface Board {
  /** Shows the progress. Prints nothing when called again without changes. */
  show: (watched: readonly Watched[]) => void;
}

export interface BoardOptions {
  write: (text: string) => void;
  /** Whether earlier lines can be drawn over. */
  isLive: boolean;
  columns: number;
  paint: Paint;
}

export function createBoard(options: BoardOptions): Board {
  return options.isLive ? createLiveBoard(options) : createLineBoard(options);
}

function createLiveBoard({ write, columns, paint }: BoardOptions): Board {
  let drawn: string[] = [];
  return {
    show(watched) {
      const lines = watched.flatMap((each) => {
        const votes = spokenIn(each.run).map(({ name, vote }) => `${name} ${vote}`);
        return [
          paint.bold(cutToWidth(withoutControls(`${each.name} ${each.title}`), columns - 1)),
          cutToWidth(`   ${each.says ?? stageOf(each.run)}`, columns - 1),
          paint.dim(cutToWidth(`   ${votes.join(' · ')}`, columns - 1)),
        ];
      });
      if (lines.join('\n') === drawn.join('\n')) return;
      const up = drawn.length === 0 ? '' : `\u001B[${drawn.length}A`;
      write(`${up}${lines.map((line) => `\u001B[2K${line}\n`).join('')}`);
      drawn = lines;
    },
  };
}

function createLineBoard({ write }: BoardOptions): Board {
  const said = new Set<string>();
  const stages = new Map<string, string>();
  return {
    show(watched) {
      for (const { name, run, says } of watched) {
        for (const { id, name: voice, vote, line } of spokenIn(run)) {
          if (said.has(id) || vote === 'skipped') continue;
          said.add(id);
          write(`${name}  ${voice}: ${vote}${line === '' ? '' : ` · ${line}`}\n`);
        }
        const stage = says ?? stageOf(run);
        const isHeardOf = run !== undefined || says !== undefined;
        if (!isHeardOf || stages.get(name) === stage) continue;
        stages.set(name, stage);
        write(`${name}  ${stage}\n`);
      }
    },
  };
}
