/** Takes the forms of the pages: each is the API's own operation in the name of the person that the browser acts as. */
import { z } from 'zod';
import { actAs, type AsUser } from '../../as-user.ts';
import { HttpError } from '../../behave/http-error.ts';
import type { PageAnswer, PageRequest } from '../../listener.ts';
import { fullName } from '../../world/world.ts';
import { markup, PAGE_HEADERS } from '../html.ts';
import { renderFrame, type Visit } from '../page-parts.ts';
import { isOwnForm } from './visitor.ts';

interface Sent {
  as: AsUser;
  /** Of the repository: `owner/repo`. */
  name: string;
  number: number;
  form: URLSearchParams;
}

/** Resolves with where the browser goes next. */
type Deed = (sent: Sent) => Promise<string>;

const Opened = z.looseObject({ html_url: z.string() });

/** The address of the new item as GitHub gives it, without the host. */
function placeOf(answer: unknown): string {
  const { pathname, hash } = new URL(Opened.parse(answer).html_url);
  return `${pathname}${hash}`;
}

const FORMS: readonly [RegExp, Deed][] = [
  [/^\/issues$/, openIssue],
  [/^\/pulls$/, openPull],
  [/^\/(?:issues|pull)\/(\d+)\/comments$/, comment],
  [/^\/(?:issues|pull)\/(\d+)\/edit$/, edit],
  [/^\/(?:issues|pull)\/(\d+)\/labels$/, changeLabels],
  [/^\/pull\/(\d+)\/reviews$/, review],
  [/^\/pull\/(\d+)\/merge$/, merge],
];

async function openIssue({ as, name, form }: Sent): Promise<string> {
  const title = form.get('title') ?? '';
  const body = form.get('body') ?? '';
  return placeOf(await as.openIssue(name, { title, body, labels: filled(form, 'label') }));
}

/** Onto the default branch, as the page says. */
async function openPull({ as, name, form }: Sent): Promise<string> {
  const { default_branch: base } = Branched.parse(await as.request('GET', `/repos/${name}`));
  const [title, body, head] = ['title', 'body', 'head'].map((key) => form.get(key) ?? '');
  return placeOf(await as.request('POST', `/repos/${name}/pulls`, { title, body, head, base }));
}

const Branched = z.looseObject({ default_branch: z.string() });

/** What the comment's buttons beside `comment` do to the thread. */
const STATES: Readonly<Record<string, object>> = {
  close: { state: 'closed', state_reason: 'completed' },
  not_planned: { state: 'closed', state_reason: 'not_planned' },
  reopen: { state: 'open' },
};

async function comment({ as, name, number, form }: Sent): Promise<string> {
  const body = form.get('body') ?? '';
  const state = STATES[form.get('do') ?? ''];
  const thread = `/repos/${name}/issues/${number}`;
  const isSaid = state === undefined || body.trim() !== '';
  const said = isSaid ? placeOf(await as.comment(name, number, body)) : undefined;
  if (state === undefined) return said ?? '';
  const changed = placeOf(await as.request('PATCH', thread, state));
  return said ?? changed;
}

async function edit({ as, name, number, form }: Sent): Promise<string> {
  const text = { title: form.get('title') ?? '', body: form.get('body') ?? '' };
  return placeOf(await as.request('PATCH', `/repos/${name}/issues/${number}`, text));
}

/** Only what was ticked or cleared on the page: a label that the App put on meanwhile stays. */
async function changeLabels({ as, name, number, form }: Sent): Promise<string> {
  const wanted = filled(form, 'label');
  const had = form.getAll('had');
  for (const label of had) if (!wanted.includes(label)) await as.unlabel(name, number, label);
  const added = wanted.filter((label) => !had.includes(label));
  if (added.length > 0) await as.label(name, number, added);
  return placeOf(await as.request('GET', `/repos/${name}/issues/${number}`));
}

async function review({ as, name, number, form }: Sent): Promise<string> {
  const event = form.get('event') ?? 'COMMENT';
  const body = form.get('body') ?? '';
  return placeOf(
    await as.request('POST', `/repos/${name}/pulls/${number}/reviews`, { event, body }),
  );
}

async function merge({ as, name, number, form }: Sent): Promise<string> {
  const pull = `/repos/${name}/pulls/${number}`;
  await as.request('PUT', `${pull}/merge`, { merge_method: form.get('way') ?? 'merge' });
  return placeOf(await as.request('GET', pull));
}

function filled(form: URLSearchParams, name: string): string[] {
  return form
    .getAll(name)
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

interface FormVisit extends Visit {
  /** The path below the repository. */
  rest: string;
}

/** Undefined where no form leads. */
export async function answerForm(
  at: FormVisit,
  request: PageRequest,
): Promise<PageAnswer | undefined> {
  const { world, repository, rest, visitor } = at;
  const found = FORMS.map(([pattern, deed]) => ({ match: pattern.exec(rest), deed })).find(
    ({ match }) => match !== null,
  );
  if (found === undefined) return undefined;
  if (!isOwnForm(request, visitor))
    return refused(at, 403, 'This form did not come from a page of this server. Reload the page.');
  if (visitor.user === undefined)
    return refused(at, 401, 'Choose whom to act as at the top of the page first.');
  try {
    const location = await found.deed({
      as: actAs(world, visitor.user.login),
      name: fullName(world, repository),
      number: Number(found.match?.[1]),
      form: request.form,
    });
    return { status: 303, headers: { location }, body: '' };
  } catch (error) {
    if (error instanceof HttpError) return refused(at, error.status, messageOf(error));
    throw error;
  }
}

function messageOf({ message, errors = [] }: HttpError): string {
  const details = errors.map((one) =>
    typeof one === 'string'
      ? one
      : (one.message ?? [one.resource, one.field, one.code].filter(Boolean).join(' ')),
  );
  return [message, ...details].join(': ');
}

function refused(
  { world, repository, rest, visitor }: FormVisit,
  status: number,
  says: string,
): PageAnswer {
  const back = `/${fullName(world, repository)}${rest.replace(/\/[a-z]+$/, '')}`;
  const path = rest === '/issues' || rest === '/pulls' ? `${back}${rest}/new` : back;
  const body = markup`<h1 class="title">Refused</h1>
    <p>${says}</p>
    <p><a href="${path}">Back</a></p>`;
  return {
    status,
    headers: PAGE_HEADERS,
    body: renderFrame(world, {
      title: 'Refused',
      repository,
      visitor: { ...visitor, path },
      body,
    }),
  };
}
