/** The page that opens a pull request from a branch that was pushed. */
import { fullName } from '../../world/world.ts';
import { readRefs } from '../../git/objects.ts';
import { renderForm, renderTextArea } from './form-parts.ts';
import { markup } from '../html.ts';
import { renderFrame, type Visit } from '../page-parts.ts';

export async function renderNewPull({ world, repository, visitor }: Visit): Promise<string> {
  const name = fullName(world, repository);
  const branches = await otherBranches(repository.gitDir, repository.defaultBranch);
  const options = branches.map((branch) => markup`<option>${branch}</option>`);
  const fields = markup`<div class="fields">
    <label>Branch <select name="head" aria-label="Branch">${options}</select></label>
    <input name="title" aria-label="Title" placeholder="Title" required />
    ${renderTextArea({ name: 'body', label: 'Description', rows: 10 })}
    <div class="actions"><button>Create pull request</button></div>
  </div>`;
  return renderFrame(world, {
    title: `New pull request · ${name}`,
    repository,
    visitor,
    tab: 'pulls',
    body: markup`<h1 class="title">New pull request</h1>
      ${whyNone(visitor.user !== undefined, branches) ?? renderForm(visitor, { action: `/${name}/pulls`, className: 'box' }, fields)}`,
  });
}

function whyNone(isSomebody: boolean, branches: readonly string[]) {
  if (!isSomebody)
    return markup`<p class="muted">Choose whom to act as at the top of the page first.</p>`;
  if (branches.length === 0)
    return markup`<p class="muted">Push a branch first: there is only the default branch.</p>`;
  return undefined;
}

async function otherBranches(gitDir: string, defaultBranch: string): Promise<string[]> {
  const refs = await readRefs(gitDir);
  return [...refs.keys()].flatMap((ref) => {
    const branch = ref.replace(/^refs\/heads\//, '');
    return branch === ref || branch === defaultBranch ? [] : [branch];
  });
}
