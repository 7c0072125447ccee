/** The page that opens an issue. */
import { fullName } from '../../world/world.ts';
import { hasRole, renderForm, renderTextArea } from './form-parts.ts';
import { markup } from '../html.ts';
import { renderFrame, renderLabel, type Visit } from '../page-parts.ts';

/** Labels are offered to those who may put them on; GitHub drops them from everybody else's issue. */
export function renderNewIssue({ world, repository, visitor }: Visit): string {
  const labels = repository.labels.map(
    (label) =>
      markup`<label
        ><input type="checkbox" name="label" value="${label.name}" /> ${renderLabel(label)}</label
      > `,
  );
  const isTriager = hasRole(world, visitor, { repository, role: 'triage' });
  const fields = markup`<div class="fields">
    <input name="title" aria-label="Title" placeholder="Title" required />
    ${renderTextArea({ name: 'body', label: 'Description', rows: 14 })}
    ${isTriager && markup`<div class="choices">${labels}</div>`}
    <div class="actions"><button>Create issue</button></div>
  </div>`;
  const action = `/${fullName(world, repository)}/issues`;
  return renderFrame(world, {
    title: `New issue · ${fullName(world, repository)}`,
    repository,
    visitor,
    tab: 'issues',
    body: markup`<h1 class="title">New issue</h1>
      ${
        visitor.user === undefined
          ? markup`<p class="muted">Choose whom to act as at the top of the page first.</p>`
          : renderForm(visitor, { action, className: 'box' }, fields)
      }`,
  });
}
