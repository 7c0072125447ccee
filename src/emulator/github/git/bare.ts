/** Makes bare repositories on disk and fills them with a history in one git process. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { gitOutput } from './git-process.ts';
import type { Person } from './objects.ts';

export interface SeedCommit {
  message: string;
  author: Person;
  /** Path to content; `null` deletes. Changes on top of the commit before. */
  files: Record<string, string | Buffer | null>;
}

/**
 * Refuses what GitHub refuses at receipt: hidden refs, and workflow files that an App without `workflows` would create or
 * update. Those count as well that differ from the default branch's because the pushed branch is behind:
 * https://github.com/wildfly/wildfly.org/issues/549 and https://github.com/vtmocanu/uzi/issues/456.
 * On branches that take signed commits only, unsigned ones: https://github.com/CasperWA/push-protected/issues/230.
 * EMULATOR_SIGNED and EMULATOR_NO_WORKFLOWS are set per push by the HTTP side; the new objects are in quarantine here and readable.
 */
const UPDATE_HOOK = `#!/bin/sh
ref="$1" old="$2" new="$3"
case "$ref" in
  refs/pull/*) echo "deny updating a hidden ref"; exit 1 ;;
esac
case "$new" in *[!0]*) ;; *) exit 0 ;; esac
signed=no
for branch in $EMULATOR_SIGNED; do
  [ "$branch" = '~ALL' ] && signed=yes
  [ "refs/heads/$branch" = "$ref" ] && signed=yes
done
if [ "$signed" = yes ]; then
  for commit in $(git rev-list "$new" --not --all); do
    git cat-file commit "$commit" | sed '/^$/q' | grep -q '^gpgsig ' && continue
    echo "error: GH006: Protected branch update failed for $ref."
    echo "error: Commits must have verified signatures."
    exit 1
  done
fi
[ "$EMULATOR_NO_WORKFLOWS" = 1 ] || exit 0
file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
if [ -z "$file" ] && base=$(git rev-parse --quiet --verify HEAD); then
  file=$(git diff-tree -r --no-renames --diff-filter=AM --name-only "$base" "$new" -- .github/workflows | head -n 1)
fi
[ -z "$file" ] && exit 0
echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission"
exit 1
`;

export async function createBare(gitDir: string, defaultBranch: string): Promise<void> {
  await mkdir(gitDir, { recursive: true });
  await gitOutput(gitDir, [
    'init',
    '--quiet',
    '--bare',
    `--initial-branch=${defaultBranch}`,
    gitDir,
  ]);
  await installHook(gitDir);
}

async function installHook(gitDir: string): Promise<void> {
  await mkdir(`${gitDir}/hooks`, { recursive: true });
  await writeFile(`${gitDir}/hooks/update`, UPDATE_HOOK);
  await chmod(`${gitDir}/hooks/update`, 0o755);
}

/** A fork: every branch and tag of the original, sharing nothing with it afterwards. */
export async function cloneBare(
  from: string,
  gitDir: string,
  defaultBranch: string,
): Promise<void> {
  await createBare(gitDir, defaultBranch);
  await fetchInto(gitDir, from, ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']);
}

/** Copies refs and their objects from another bare repository on this disk. */
export async function fetchInto(
  gitDir: string,
  from: string,
  refspecs: readonly string[],
): Promise<void> {
  await gitOutput(gitDir, ['fetch', '--quiet', '--no-tags', '--end-of-options', from, ...refspecs]);
}

/** Adds commits to a branch, oldest first, through `git fast-import`. */
export async function importHistory(
  gitDir: string,
  ref: string,
  commits: readonly SeedCommit[],
): Promise<void> {
  const chunks: Buffer[] = [];
  const put = (text: string): void => {
    chunks.push(Buffer.from(text));
  };
  const data = (content: string | Buffer): void => {
    const bytes = Buffer.from(content);
    chunks.push(Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n'));
  };
  for (const commit of commits) {
    const who = `${commit.author.name} <${commit.author.email}> ${Math.floor(Date.parse(commit.author.date) / 1000)} +0000`;
    put(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`);
    data(commit.message);
    for (const [path, content] of Object.entries(commit.files)) {
      if (content === null) {
        put(`D ${JSON.stringify(path)}\n`);
        continue;
      }
      put(`M 100644 inline ${JSON.stringify(path)}\n`);
      data(content);
    }
  }
  put('done\n');
  await gitOutput(gitDir, ['fast-import', '--quiet', '--done'], { input: Buffer.concat(chunks) });
}
