/** Rules about GitHub Actions: what a workflow runs, with which rights, and who has a say in it. */
import { lines } from '../line-rule.ts';
import type { ChangedFile } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';
import { readWorkflow } from '../syntax/workflow-file.ts';
import type { WorkflowStep } from '../syntax/workflow-file.ts';

/** Values that strangers write: GitHub's own list of what never to put into a script. */
const STRANGERS =
  /\$\{\{[^}]*\bgithub\.(?:event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|pages\.[^}]*page_name|commits\.[^}]*(?:message|author\.(?:email|name))|head_commit\.(?:message|author\.(?:email|name))|workflow_run\.(?:head_branch|head_commit\.message|display_title))|head_ref)\b[^}]*\}\}/;
const PR_HEAD = /github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|refs\/pull\//;

const INSIDE = 'jobs:\n   build:\n     steps:\n';

function workflow(steps: string, on = 'push'): string {
  const text = ` on: ${on}\n ${INSIDE}`.trimEnd();
  return `${text}\n${steps}`;
}

/** Lines of the script of a step: its key's line and all that are indented deeper. */
function scriptLines(file: ChangedFile, runLine: number): number[] {
  const indent = file.lines.get(runLine)?.text.search(/[^\s-]/) ?? 0;
  const found = [runLine];
  for (let at = runLine + 1; ; at += 1) {
    const text = file.lines.get(at)?.text;
    if (text === undefined) return found;
    if (text.trim() !== '' && text.search(/\S/) <= indent) return found;
    found.push(at);
  }
}

function workflowsOf(files: readonly ChangedFile[]): ChangedFile[] {
  return files.filter(({ language, file }) => language === 'workflow' && file.status !== 'deleted');
}

function unsafeCheckout(step: WorkflowStep): boolean {
  return (
    step.uses?.startsWith('actions/checkout@') === true && PR_HEAD.test(step.with['ref'] ?? '')
  );
}

/** A full commit behind the name. */
const COMMIT = /@[0-9a-f]{40}\b/;

export const WORKFLOW_RULES: readonly ReviewRule[] = [
  {
    id: 'action-not-pinned',
    area: 'workflow',
    severity: 'medium',
    personas: ['maya'],
    title: 'An action of others is used by a name that can be moved.',
    explanation:
      'Anybody who controls its repository can put other code under the tag, and that code gets this workflow’s token and secrets.',
    advice: 'name the full commit, with the version in a comment',
    examples: {
      yes: [inFile('.github/workflows/ci.yml', workflow('+      - uses: someone/setup-thing@v2'))],
      no: [
        inFile(
          '.github/workflows/ci.yml',
          workflow(`+      - uses: someone/setup-thing@${'0a1b2c3d'.repeat(5)} # v2.1.0`),
        ),
        inFile(
          '.github/workflows/ci.yml',
          workflow('+      - uses: actions/checkout@v5\n+      - uses: ./.github/actions/own'),
        ),
        inFile(
          '.github/workflows/ci.yml',
          workflow('-      - uses: someone/setup-thing@v2\n+      - uses: someone/setup-thing@v3'),
        ),
      ],
    },
    find: lines({
      in: ['workflow'],
      view: 'live',
      // An update of what was unpinned before brings nothing that was not there.
      confirm: (_line, { removed }, [, name = '']) =>
        !removed.some(({ live }) => live.includes(`${name}@`) && !COMMIT.test(live)),
      pattern:
        /^\s*(?:-\s+)?uses:\s*["']?(?!\.|docker:\/\/|actions\/|github\/)([\w.-]+\/[\w./-]+)@(?![0-9a-f]{40}\b)([\w./-]+)/,
      title: (match) =>
        `\`${match[1]}\` is used by \`${match[2]}\`, a name that its owner can move.`,
    }),
  },
  {
    id: 'workflow-may-write',
    area: 'workflow',
    severity: 'medium',
    personas: ['maya'],
    title: 'A workflow is given a right to write.',
    explanation:
      'Whatever runs in it, dependencies and their install scripts too, can use that right.',
    advice: 'grant it to the one job that needs it, and keep the others at `contents: read`',
    examples: {
      yes: [
        inFile(
          '.github/workflows/ci.yml',
          ` on: push\n+permissions: write-all\n ${INSIDE.trimEnd()}\n       - run: make`,
        ),
        inFile(
          '.github/workflows/ci.yml',
          ` on: push\n permissions:\n-  contents: read\n+  contents: write\n ${INSIDE.trimEnd()}\n       - run: make`,
        ),
      ],
      no: [
        inFile(
          '.github/workflows/ci.yml',
          ` on: push\n+permissions:\n+  contents: read\n ${INSIDE.trimEnd()}\n       - run: make`,
        ),
        inFile('.github/workflows/ci.yml', workflow('+      - run: echo permissions write-all')),
      ],
    },
    find: ({ files }) =>
      workflowsOf(files).flatMap((file): Sighting[] => {
        const news = new Set(file.added.map(({ line }) => line));
        const writes = (readWorkflow(file)?.writes ?? []).filter(({ line }) => news.has(line));
        const [first] = writes;
        if (first === undefined) return [];
        const isAll = writes.some(({ scope }) => scope === 'everything');
        const scopes = [...new Set(writes.map(({ scope }) => `\`${scope}\``))].join(', ');
        const title = `The workflow may now write ${isAll ? 'everything' : scopes}.`;
        return [{ file, line: first.line, title, severity: isAll ? 'high' : 'medium' }];
      }),
  },
  {
    id: 'pull-request-target-checkout',
    area: 'workflow',
    severity: 'critical',
    personas: ['maya'],
    title: 'Code of a stranger’s pull request runs with this repository’s rights.',
    explanation:
      '`pull_request_target` has the secrets and a token that writes; the checked-out code of the pull request can use both.',
    advice: 'use `pull_request`, or do not check out the head in this workflow',
    examples: {
      yes: [
        inFile(
          '.github/workflows/ci.yml',
          workflow(
            '+      - uses: actions/checkout@v5\n+        with:\n+          ref: ${{ github.event.pull_request.head.sha }}\n+      - run: npm ci',
            'pull_request_target',
          ),
        ),
      ],
      no: [
        inFile(
          '.github/workflows/ci.yml',
          workflow(
            '+      - uses: actions/checkout@v5\n+        with:\n+          ref: ${{ github.event.pull_request.head.sha }}',
            'pull_request',
          ),
        ),
        inFile(
          '.github/workflows/ci.yml',
          workflow('+      - uses: actions/checkout@v5', 'pull_request_target'),
        ),
      ],
    },
    find: ({ files }) =>
      workflowsOf(files).flatMap((file): Sighting[] => {
        const read = readWorkflow(file);
        if (
          read === undefined ||
          !read.triggers.some((name) => name === 'pull_request_target' || name === 'workflow_run')
        )
          return [];
        if (file.addedNumbers.size === 0) return [];
        return read.steps.filter(unsafeCheckout).map(({ line }) => ({ file, line }));
      }),
  },
  {
    id: 'expression-in-script',
    area: 'workflow',
    severity: 'high',
    personas: ['maya'],
    title: 'Text that anybody can write becomes part of a script.',
    explanation:
      'A title such as `"; curl … | sh; "` is put in before the shell reads the line, and runs.',
    advice: 'give it to the step under `env:` and use the variable, in quotes',
    examples: {
      yes: [
        inFile(
          '.github/workflows/ci.yml',
          workflow('+      - run: echo "${{ github.event.issue.title }}"'),
        ),
        inFile(
          '.github/workflows/ci.yml',
          workflow('+      - run: |\n+          git switch ${{ github.head_ref }}'),
        ),
      ],
      no: [
        inFile(
          '.github/workflows/ci.yml',
          workflow(
            '+      - run: echo "$TITLE"\n+        env:\n+          TITLE: ${{ github.event.issue.title }}',
          ),
        ),
        inFile(
          '.github/workflows/ci.yml',
          workflow('+      - run: echo "${{ github.event.issue.number }}"'),
        ),
      ],
    },
    find: ({ files }) =>
      workflowsOf(files).flatMap((file) => {
        const runs = readWorkflow(file)?.steps.flatMap(({ runLine }) =>
          runLine === undefined ? [] : scriptLines(file, runLine),
        );
        const inScript = new Set(runs);
        return file.added
          .filter(({ text }) => STRANGERS.test(text))
          .filter(({ line, text }) =>
            runs === undefined ? /^\s*(?:-\s+)?run:/.test(text) : inScript.has(line),
          )
          .map(({ line }) => ({ file, line }));
      }),
  },
];
