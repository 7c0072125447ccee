/** Whether the commit of a workflow may be released; its version is that of `package.json`. */
import { appendFileSync } from 'node:fs';
import { checkSource } from './git-release.ts';

const {
  GITHUB_REF: ref = '',
  DEFAULT_BRANCH: branch = '',
  GITHUB_OUTPUT: output = '',
} = process.env;
const checked = checkSource('.', { ref, branch });
process.stdout.write(`${checked.says}\n`);
if (checked.kind === 'source') appendFileSync(output, `version=${checked.version}\n`);
else process.exitCode = 1;
