/** What the pages' forms are made of, and the choice of whom to act as. */
import { hasPermission, type Permission } from '../../../../domain/run/thread-ref.ts';
import type { Account, Repository } from '../../world/world-model.ts';
import { roleOf, type World } from '../../world/world.ts';
import { markup, type Markup } from '../html.ts';
import { FORM_TOKEN, type Visitor } from './visitor.ts';

/** A form that this server takes only from its own pages. */
export function renderForm(
  { formToken }: Visitor,
  { action, className = '' }: { action: string; className?: string },
  body: Markup,
): Markup {
  return markup`<form method="post" action="${action}" class="${className}">
    <input type="hidden" name="${FORM_TOKEN}" value="${formToken}" />${body}
  </form>`;
}

export function renderTextArea(of: {
  name: string;
  label: string;
  value?: string;
  rows?: number;
}): Markup {
  const { name, label, value = '', rows = 6 } = of;
  // A line break right after the tag is not part of the text.
  return markup`<textarea name="${name}" aria-label="${label}" placeholder="${label}" rows="${rows}">
${value}</textarea>`;
}

/** Whether who looks at the page may do what takes this role. */
export function hasRole(
  world: World,
  { user }: Visitor,
  at: { repository: Repository; role: Permission },
): boolean {
  return user !== undefined && hasPermission(roleOf(world, at.repository, user.id), at.role);
}

/** Chooses among all people, with the role that each was given here. */
export function renderActAs(
  world: World,
  visitor: Visitor,
  repository: Repository | undefined,
): Markup {
  const people = [...world.state.accounts.values()].filter(({ type }) => type === 'User');
  const options = people.map(
    (one) =>
      markup`<option value="${one.login}"${one === visitor.user && markup` selected`}>${one.login}${roleText(world, one, repository)}</option>`,
  );
  const body = markup`<input type="hidden" name="to" value="${visitor.path}" />
    <label>Act as <select name="login"><option value="">nobody</option>${options}</select></label>
    <button class="plain">Switch</button>`;
  return renderForm(visitor, { action: '/act-as', className: 'act-as' }, body);
}

function roleText(world: World, person: Account, repository: Repository | undefined): string {
  if (repository === undefined) return '';
  const given = repository.collaborators.get(person.id);
  const role = roleOf(world, repository, person.id);
  return given === undefined && role === 'read' ? ' (no role)' : ` (${role})`;
}
