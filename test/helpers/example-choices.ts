/** The choices for `quorum init` in each folder below `examples/`, so that a test can make its files again. */
import { UNKNOWN_OWNER } from '../../src/domain/setup/product-pin.ts';
import type { SetupChoices } from '../../src/domain/setup/setup-files.ts';

interface Example {
  /** Below `examples/`. */
  folder: string;
  choices: SetupChoices;
  /** Of the repository that it is for. */
  files: Readonly<Record<string, string>>;
  /** Files that init made and people then edited, as the example shows. */
  edited: readonly string[];
  /** Whether the folder also has the two files below `memory/`. The others show `.github` alone. */
  hasMemory?: true;
}

const BASE: SetupChoices = {
  pin: { repository: `${UNKNOWN_OWNER}/quorum`, ref: 'v0' },
  secrets: ['ANTHROPIC_API_KEY'],
  perDayUsd: 5,
  hasTemplates: true,
  branch: 'quorum/init',
};
const CONFIG = '.github/quorum.yml';

export const EXAMPLES: Readonly<Record<string, Example>> = {
  small: {
    folder: 'small',
    choices: { ...BASE, perDayUsd: 1, hasTemplates: false },
    files: { 'package.json': '{"scripts":{"test":"node --test"}}', 'package-lock.json': '{}' },
    edited: [],
    hasMemory: true,
  },
  team: {
    folder: 'team',
    choices: { ...BASE, more: ['tasks', 'sweeps'] },
    files: { 'pyproject.toml': '[tool.pytest.ini_options]', 'uv.lock': '' },
    edited: [CONFIG],
  },
  monorepo: {
    folder: 'monorepo',
    choices: { ...BASE, secrets: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] },
    files: { 'pnpm-workspace.yaml': '', 'web/package.json': '{}', 'api/go.mod': 'module api' },
    edited: [CONFIG],
  },
  organisation: {
    folder: 'organisation/shop',
    choices: { ...BASE, hasTemplates: false },
    files: { 'go.mod': 'module shop' },
    edited: [CONFIG],
  },
};
