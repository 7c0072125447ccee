/** What is to be reviewed, as the command line says it: the working tree, a diff, or a pull request on GitHub. */
import { apiUrlOf } from '../../../adapters/github/client/web-host.ts';
import { usageError } from '../report-failure.ts';

export type Source =
  | { kind: 'tree'; base: string | undefined }
  /** `-` is standard input. */
  | { kind: 'diff'; file: string }
  | {
      kind: 'pull';
      number: number;
      /** `owner/name`, when a URL says which. */
      repository: string | undefined;
      /** REST base of the GitHub that a URL names. */
      apiUrl: string | undefined;
    };

const PULL_URL = /^(https?:\/\/[^/\s]+)\/([\w.-]+\/[\w.-]+)\/pull\/(\d{1,9})(?:[/?#]\S*)?$/;
const NUMBER = /^#?([1-9]\d{0,8})$/;

/** At most one of them is given. ConfigError `pull-invalid`. */
export function parseSource(flags: { base?: string; diff?: string; pr?: string }): Source {
  if (flags.diff !== undefined) return { kind: 'diff', file: flags.diff };
  if (flags.pr === undefined) return { kind: 'tree', base: flags.base };
  const number = NUMBER.exec(flags.pr)?.[1];
  if (number !== undefined)
    return { kind: 'pull', number: Number(number), repository: undefined, apiUrl: undefined };
  const [, origin, repository, digits] = PULL_URL.exec(flags.pr) ?? [];
  if (origin === undefined)
    throw usageError(
      'pull-invalid',
      `${flags.pr} is not a pull request. Give its number or its URL with --pr.`,
    );
  return { kind: 'pull', number: Number(digits), repository, apiUrl: apiUrlOf(origin) };
}
