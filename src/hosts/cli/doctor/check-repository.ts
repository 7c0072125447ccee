/** Are the personas and the configuration of the repository we stand in sound. */
import path from 'node:path';
import { loadPersonas, REPOSITORY_PERSONAS } from '../../../adapters/files/load-personas.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { renderProblem, type FileProblem } from '../../../domain/config/yaml.ts';
import { findConfig } from '../commands/config-command.ts';
import { checkConfigIn } from '../check-config.ts';
import { counted } from '../../../domain/text/counted.ts';
import type { Finding } from './doctor-finding.ts';

export async function checkPersonaFiles(dir: string): Promise<Finding[]> {
  const { personas, problems } = await loadPersonas({
    overrides: path.join(dir, REPOSITORY_PERSONAS),
  });
  const active = personas.filter(({ active: isActive }) => isActive).length;
  return [
    { level: 'ok', about: 'personas', says: `${active} active of ${personas.length}` },
    ...problems.map((problem) => toFinding('persona', problem)),
  ];
}

export async function checkConfig(dir: string): Promise<Finding[]> {
  try {
    const source = await findConfig(dir);
    if (source === undefined)
      return [{ level: 'ok', about: 'configuration', says: 'none here: the defaults apply' }];
    const { problems, isValid } = await checkConfigIn(dir, source);
    const found = problems.map((problem) => toFinding('configuration', problem));
    if (!isValid) return found;
    return [
      {
        level: 'ok',
        about: 'configuration',
        says: `${source.file}: ${counted(problems.length, 'warning')}`,
      },
      ...found,
    ];
  } catch (error) {
    const { code, message } = toFailure(error);
    return [{ level: 'fail', about: 'configuration', says: `[${code}]`, fix: message }];
  }
}

function toFinding(about: string, problem: FileProblem): Finding {
  return {
    level: problem.severity === 'error' ? 'fail' : 'warn',
    about,
    says: `${renderProblem(problem)} [${problem.code}]`,
    fix: 'Correct the line; quorum personas check and quorum config validate say when it is right.',
  };
}
