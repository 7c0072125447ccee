/** Operations on refs, each a compare-and-swap. */
import { z } from 'zod';
import {
  deleteRef,
  isAncestor,
  objectType,
  readRef,
  readRefs,
  updateRef,
  ZERO_SHA,
} from '../../git/objects.ts';
import { gitOutput, tryGit } from '../../git/git-process.ts';
import { mayNotTouchWorkflows } from '../../git-server.ts';
import { forbiddenForApp, HttpError, notFound } from '../../behave/http-error.ts';
import { reads, writes } from '../../world/permissions.ts';
import { announceMoves } from '../../changes/pushes.ts';
import { rulesOf } from '../../checks/required.ts';
import { toRef } from '../../render/to-commit.ts';
import {
  created,
  renderListPage,
  NO_CONTENT,
  ok,
  param,
  parseBody,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { refuseEmpty } from './git-data-routes.ts';
import { deedOf } from '../issue-routes.ts';

async function wireRef(
  call: RepositoryCall,
  ref: string,
  sha: string,
): Promise<Record<string, unknown>> {
  const type = (await objectType(call.repository.gitDir, sha)) ?? 'commit';
  return toRef(call.world, call.repository, { ref, sha, type });
}

async function getRef(call: RepositoryCall): Promise<Answer> {
  const ref = `refs/${param(call, 'ref')}`;
  const sha = await readRef(call.repository.gitDir, ref);
  if (sha === undefined) throw notFound();
  return ok(await wireRef(call, ref, sha));
}

async function matchingRefs(call: RepositoryCall): Promise<Answer> {
  const prefix = `refs/${param(call, 'ref')}`;
  const refs = [...(await readRefs(call.repository.gitDir))].filter(([ref]) =>
    ref.startsWith(prefix),
  );
  return renderListPage(call, refs, ([ref, sha]) => wireRef(call, ref, sha));
}

/** An App without `workflows` may not bring in commits that touch workflow files. */
async function refuseWorkflows(call: RepositoryCall, sha: string): Promise<void> {
  if (!mayNotTouchWorkflows(call.actor)) return;
  const out = await gitOutput(call.repository.gitDir, [
    'log',
    '--format=',
    '--name-only',
    sha,
    '--not',
    '--all',
    '--',
    '.github/workflows',
  ]);
  if (out !== '') throw forbiddenForApp();
}

/** A branch that is written through pull requests only, in the words of a ruleset and of the branch's own protection. */
function refuseByRules({ repository }: RepositoryCall, ref: string): void {
  const { from, mustPull } = rulesOf(repository, ref.replace(/^refs\/heads\//, ''));
  if (mustPull !== true || !ref.startsWith('refs/heads/')) return;
  const why = 'Changes must be made through a pull request.';
  throw new HttpError(
    422,
    from === 'ruleset' ? `Repository rule violations found\n\n${why}\n\n` : why,
  );
}

async function isRefName(gitDir: string, ref: string): Promise<boolean> {
  return ref.startsWith('refs/') && (await tryGit(gitDir, ['check-ref-format', ref])).code === 0;
}

const NewRef = z.looseObject({ ref: z.string(), sha: z.string() });

async function createRef(call: RepositoryCall): Promise<Answer> {
  const { ref, sha } = parseBody(call, NewRef);
  const { gitDir } = call.repository;
  await refuseEmpty(call);
  if (!(await isRefName(gitDir, ref)) || ref.split('/').length < 3)
    throw new HttpError(422, `${ref} is not a valid ref name.`);
  if ((await objectType(gitDir, sha)) === undefined)
    throw new HttpError(422, 'Object does not exist');
  if (ref.startsWith('refs/heads/') && (await objectType(gitDir, sha)) !== 'commit')
    throw new HttpError(422, 'Object is not a commit');
  await refuseWorkflows(call, sha);
  refuseByRules(call, ref);
  // Compare-and-swap against nothing: of two callers exactly one creates the ref.
  if (!(await updateRef(gitDir, ref, { to: sha, expected: ZERO_SHA }))) {
    // A branch may be in the way by a part of its name.
    const isThere = (await readRef(gitDir, ref)) !== undefined;
    throw new HttpError(422, isThere ? 'Reference already exists' : 'Reference update failed');
  }
  await announceMoves(deedOf(call), [{ ref, from: ZERO_SHA, to: sha }]);
  return created(await wireRef(call, ref, sha));
}

const RefChange = z.looseObject({ sha: z.string(), force: z.boolean().optional() });

async function changeRef(call: RepositoryCall): Promise<Answer> {
  const { sha, force = false } = parseBody(call, RefChange);
  const { gitDir } = call.repository;
  const ref = `refs/${param(call, 'ref')}`;
  const from = await readRef(gitDir, ref);
  if (from === undefined) throw new HttpError(422, 'Reference does not exist');
  if ((await objectType(gitDir, sha)) === undefined)
    throw new HttpError(422, 'Object does not exist');
  if (!force && !(await isAncestor(gitDir, from, sha)))
    throw new HttpError(422, 'Update is not a fast forward');
  await refuseWorkflows(call, sha);
  refuseByRules(call, ref);
  if (!(await updateRef(gitDir, ref, { to: sha, expected: from })))
    throw new HttpError(409, 'Reference was updated meanwhile');
  await announceMoves(deedOf(call), [{ ref, from, to: sha }]);
  return ok(await wireRef(call, ref, sha));
}

async function removeRef(call: RepositoryCall): Promise<Answer> {
  const { gitDir, defaultBranch } = call.repository;
  const ref = `refs/${param(call, 'ref')}`;
  const from = await readRef(gitDir, ref);
  if (from === undefined) throw new HttpError(422, 'Reference does not exist');
  if (ref === `refs/heads/${defaultBranch}`)
    throw new HttpError(422, 'Cannot delete the default branch');
  await deleteRef(gitDir, ref);
  await announceMoves(deedOf(call), [{ ref, from, to: ZERO_SHA }]);
  return NO_CONTENT;
}

const GIT = '/repos/{owner}/{repo}/git';

const READ = reads('contents');

const WRITE = writes('write', 'contents');

export const refRoutes: Route[] = [
  { method: 'GET', path: `${GIT}/ref/{ref*}`, need: READ, run: getRef },
  { method: 'GET', path: `${GIT}/matching-refs/{ref*}`, need: READ, run: matchingRefs },
  { method: 'POST', path: `${GIT}/refs`, need: WRITE, run: createRef },
  { method: 'PATCH', path: `${GIT}/refs/{ref*}`, need: WRITE, run: changeRef },
  { method: 'DELETE', path: `${GIT}/refs/{ref*}`, need: WRITE, run: removeRef },
];
