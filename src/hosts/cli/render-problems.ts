/** Problems of files as lines that editors and people can follow to the place. */
import { counted } from '../../domain/text/counted.ts';
import type { FileProblem } from '../../domain/config/yaml.ts';
import { renderProblem } from '../../domain/config/yaml.ts';
import type { Paint } from './terminal/paint.ts';

/** One line for each problem, errors first. */
export function renderProblems(problems: readonly FileProblem[], paint: Paint): string {
  return problems
    .toSorted((a, b) => rank(a) - rank(b) || a.file.localeCompare(b.file) || a.line - b.line)
    .map((problem) => {
      const mark = problem.severity === 'error' ? paint.red('error') : paint.yellow('warning');
      return `${mark} ${renderProblem(problem)} [${problem.code}]\n`;
    })
    .join('');
}

function rank({ severity }: FileProblem): number {
  return severity === 'error' ? 0 : 1;
}

/** `2 errors, 1 warning`. */
export function countProblems(problems: readonly FileProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  return `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
}
