/** GitHub's own parser of workflows. Its JSON imports lack an attribute that Node wants, so it is bundled first. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as WorkflowParser from '@actions/workflow-parser';
import { rolldown } from 'rolldown';

const ROOT = path.resolve(import.meta.dirname, '../..');
type Parser = typeof WorkflowParser;

let loaded: Promise<Parser> | undefined;

/** Every error that GitHub would show for a workflow, with its line. Called workflows are read from `files`. */
export async function workflowErrors(
  content: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const parser = await (loaded ??= loadParser());
  const name = 'workflow.yml';
  const { context, value } = parser.parseWorkflow(
    { name, content },
    new parser.NoOperationTraceWriter(),
  );
  if (value !== undefined) {
    const isExpanded = Object.keys(files).length > 0;
    const provider = isExpanded ? provide(files) : undefined;
    const options = { fetchReusableWorkflowDepth: isExpanded ? 4 : 0 };
    await parser.convertWorkflowTemplate(context, value, provider, options);
  }
  return context.errors.getErrors().map(({ message }) => message);
}

export type WorkflowModel = WorkflowParser.WorkflowTemplate;

/** What GitHub's parser makes of a workflow; called ones are not read. */
export async function workflowModel(content: string): Promise<WorkflowModel> {
  const parser = await (loaded ??= loadParser());
  const trace = new parser.NoOperationTraceWriter();
  const { context, value } = parser.parseWorkflow({ name: 'workflow.yml', content }, trace);
  const errors = (): string => JSON.stringify(context.errors.getErrors());
  if (value === undefined) throw new Error(errors());
  const model = await parser.convertWorkflowTemplate(context, value);
  if (context.errors.count > 0) throw new Error(errors());
  return model;
}

type Provider = NonNullable<Parameters<Parser['convertWorkflowTemplate']>[2]>;

/** Workflows by the value of `uses:`. */
function provide(files: Readonly<Record<string, string>>): Provider {
  return {
    getFileContent: (ref) => {
      const name =
        'owner' in ref
          ? `${ref.owner}/${ref.repository}/${ref.path}@${ref.version}`
          : `./${ref.path}`;
      const content = files[name];
      return content === undefined
        ? Promise.reject(new Error(`there is no ${name}`))
        : Promise.resolve({ name, content });
    },
  };
}

async function loadParser(): Promise<Parser> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-workflow-parser-'));
  try {
    const input = path.join(dir, 'in.mjs');
    const file = path.join(ROOT, 'node_modules/@actions/workflow-parser/dist/index.js');
    writeFileSync(input, `export * from ${JSON.stringify(file)};\n`);
    const bundle = await rolldown({ input, platform: 'node' });
    const output = path.join(dir, 'out.mjs');
    await bundle.write({ file: output, format: 'esm' });
    await bundle.close();
    return (await import(pathToFileURL(output).href)) as Parser;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
