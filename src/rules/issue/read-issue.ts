/** One reading of an issue, made once and given to every rule. */
import { withoutCommands } from '../../domain/commands/command-line.ts';
import type { Evidence } from '../../domain/run/evidence.ts';
import { withoutFences } from '../../domain/markdown/fences.ts';
import { stripInvisible } from '../../domain/text/invisible.ts';
import { readNames } from '../../domain/text/names.ts';
import type { Names } from '../../domain/text/names.ts';
import { findSecrets, redactSecrets } from '../../domain/secrets/secret-text.ts';
import type { SecretSighting } from '../../domain/secrets/secret-text.ts';
import { hasPermission } from '../../domain/run/thread-ref.ts';
import type { CommentView, IssueView } from '../../domain/run/view.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { findDecision } from './find-decision.ts';
import type { Decision } from './find-decision.ts';
import { decideGround, namesOnlyDocuments } from './ground.ts';
import type { Ground } from './ground.ts';
import { fencesOf, toLine } from './quote.ts';
import { findRelated } from './related.ts';
import type { Related } from './related.ts';
import { decideSubject } from './subject.ts';
import type { Subject } from './subject.ts';

export interface Section {
  heading: string;
  text: string;
}

export interface Reading {
  view: IssueView;
  /** Visible title and body, credentials removed. */
  title: string;
  body: string;
  /** The body without fenced code. */
  prose: string;
  /** The content of fences. */
  code: string[];
  /** Body and what its author and maintainers have added since. */
  said: string;
  sections: Section[];
  hidden: Record<string, number>;
  secrets: (SecretSighting & { where: string })[];
  names: Names;
  subject: Subject;
  ground: Ground;
  related: Related[];
  decision: Decision | undefined;
  answers: Evidence['answers'];
}

/** Most comments that are read: the newest say what holds now. */
const MAX_COMMENTS = 50;
const MAX_COMMENT = 16_000;

interface Heard {
  comment: CommentView;
  text: string;
}

/** Reads an issue: visible text only, once. */
export function readIssue(given: IssueView): Reading {
  const view = withVisibleTitles(given);
  const hidden: Record<string, number> = {};
  const secrets: Reading['secrets'] = [];
  const read = (source: string, where: string, cap?: number): string => {
    const visible = visibleText(source, cap);
    for (const [kind, count] of Object.entries(visible.hidden))
      hidden[kind] = (hidden[kind] ?? 0) + count;
    secrets.push(...findSecrets(visible.text).map((sighting) => ({ ...sighting, where })));
    return redactSecrets(visible.text).trim();
  };
  const title = read(view.issue.title, 'the title').replaceAll(/\s+/g, ' ');
  const body = read(view.issue.body, 'the body');
  const heard = people(view).flatMap((comment) => {
    const text = withoutCommands(read(comment.body, `comment ${comment.id}`, MAX_COMMENT));
    return text === '' ? [] : [{ comment, text }];
  });
  return { ...derive(view, { title, body, heard }), hidden, secrets };
}

/** Titles of past issues are quoted in the evidence: what nobody sees in them is not (INJ-02). */
function withVisibleTitles(view: IssueView): IssueView {
  const pastIssues = view.pastIssues.map((issue) => ({
    ...issue,
    title: stripInvisible(issue.title).text,
  }));
  return { ...view, pastIssues };
}

/** Comments by people: neither ours nor any bot's. */
function people(view: IssueView): CommentView[] {
  return view.comments
    .filter(
      ({ author, marker }) => marker === undefined && !author.isBot && author.id !== view.self.id,
    )
    .slice(-MAX_COMMENTS);
}

function derive(
  view: IssueView,
  { title, body, heard }: { title: string; body: string; heard: Heard[] },
): Omit<Reading, 'hidden' | 'secrets'> {
  const trusted = heard.filter(
    ({ comment }) =>
      comment.author.id === view.issue.author.id || hasPermission(comment.permission, 'triage'),
  );
  const said = [body, ...trusted.map(({ text }) => text)].join('\n\n');
  const prose = withoutFences(body);
  const names = readNames(`${title}\n${said}`);
  return {
    view,
    title,
    body,
    prose,
    said,
    names,
    code: fencesOf(said),
    sections: sectionsOf(body),
    subject: decideSubject({
      title,
      prose,
      labels: view.issue.labels,
      hasFrames: names.frames.length > 0,
      namesOnlyDocuments: namesOnlyDocuments(names),
    }),
    ground: decideGround({ view, names, title, prose }),
    related: findRelated({ number: view.issue.number, title, body }, view.pastIssues),
    decision: findDecision(prose),
    answers: heard.map(({ comment, text }) => ({
      login: comment.author.login,
      text: toLine(withoutFences(text), 400),
      isByMaintainer: hasPermission(comment.permission, 'write'),
    })),
  };
}

/** Characters of a heading; a longer line is running text. */
const MAX_HEADING = 120;
const HASHES = /^#{1,6}[ \t]/;
const BOLD = /^\*\*([^*]{2,81})\*\*:?$/;

/** The heading that a line is, by hashes or in bold; undefined for any other line. */
function headingOf(line: string): string | undefined {
  const text = line.trimEnd();
  if (text.length > 2 * MAX_HEADING) return undefined;
  const hashes = HASHES.exec(text)?.[0];
  if (hashes === undefined) return BOLD.exec(text)?.[1]?.replace(/:$/, '').trim();
  const heading = text
    .slice(hashes.length)
    .replace(/(?<![ \t#])[ \t#]+$/, '')
    .trim();
  return heading === '' || heading.length > MAX_HEADING ? undefined : heading;
}

/** Headings and the text under each, up to the next. */
function sectionsOf(body: string): Section[] {
  const sections: Section[] = [];
  for (const line of withoutInnerHeadings(body)) {
    const heading = line.isCode ? undefined : headingOf(line.text);
    if (heading !== undefined) sections.push({ heading, text: '' });
    else {
      const open = sections.at(-1);
      if (open !== undefined) open.text += `${line.text}\n`;
    }
  }
  return sections.map(({ heading, text }) => ({ heading, text: text.trim() }));
}

function withoutInnerHeadings(body: string): { text: string; isCode: boolean }[] {
  let isCode = false;
  return body.split('\n').map((text) => {
    if (/^[ \t>]*(?:`{3,}|~{3,})/.test(text)) isCode = !isCode;
    return { text, isCode };
  });
}
