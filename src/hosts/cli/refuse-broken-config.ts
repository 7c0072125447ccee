/** A command on a repository whose configuration has errors does nothing and says where they are, as the App does. */
import { CONFIG_FILES } from '../../domain/config/config-file.ts';
import { renderProblem, type FileProblem } from '../../domain/config/yaml.ts';
import { ConfigError } from '../../domain/event/errors.ts';

/**
 * Where a command reads the configuration: a checkout, which lacks the base that `_extends` names, or GitHub. What is
 * past (`as-it-was`) cannot be corrected any more, so that its errors refuse nothing.
 */
export type ConfigSide = 'local' | 'remote' | 'as-it-was';

/**
 * Warnings refuse nothing.
 *
 * @throws ConfigError `config-invalid`
 */
export function refuseBrokenConfig(problems: readonly FileProblem[], side: ConfigSide): void {
  if (side === 'as-it-was') return;
  const errors = problems.filter(
    (problem) =>
      problem.severity === 'error' &&
      CONFIG_FILES.includes(problem.file) &&
      !(side === 'local' && isUnreadBase(problem)),
  );
  const [first] = errors;
  if (first === undefined) return;
  throw new ConfigError({
    code: 'config-invalid',
    message: `${first.file} has errors, so nothing was done. Correct them and run this again.`,
    details: errors.map(renderProblem).join('\n  '),
  });
}

/** The base of a configuration, which a checkout does not hold. */
export function isUnreadBase({ key, code }: FileProblem): boolean {
  return key === '_extends' && code === 'config-unreadable';
}
