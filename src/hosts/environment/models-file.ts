/**
 * The models that the operator of this host defines: a YAML file of the shape of `models:`, named by `QUORUM_MODELS`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ModelsConfig } from '../../domain/config/config-limits.ts';
import { ConfigError } from '../../domain/event/errors.ts';
import { schemaProblems } from '../../domain/config/schema-problems.ts';
import { readYaml, renderProblem, type FileProblem } from '../../domain/config/yaml.ts';
import type { Env } from './env-file.ts';
import { filled } from './host-settings.ts';

/** Nothing where no file is named. ConfigError `models-file-invalid` with file and line of each problem. */
export function readModelsFile(env: Env): ModelsConfig {
  const file = filled(env['QUORUM_MODELS']);
  if (file === undefined) return { pool: {}, aliases: {} };
  const yaml = readYaml({ file, text: readText(file) });
  if (!yaml.ok) throw refuse(yaml.problems);
  const parsed = ModelsConfig.safeParse(yaml.reading.value);
  if (parsed.success) return parsed.data;
  const context = { file, reading: yaml.reading, schema: ModelsConfig };
  throw refuse(schemaProblems(context, parsed.error.issues));
}

function readText(file: string): string {
  try {
    return readFileSync(path.resolve(file), 'utf8');
  } catch (cause) {
    const message = `QUORUM_MODELS names ${file}, which cannot be read.`;
    throw new ConfigError({ code: 'models-file-invalid', message, cause });
  }
}

function refuse(problems: readonly FileProblem[]): ConfigError {
  const message = `QUORUM_MODELS needs a fix: ${problems.map(renderProblem).join('; ')}`;
  return new ConfigError({ code: 'models-file-invalid', message });
}
