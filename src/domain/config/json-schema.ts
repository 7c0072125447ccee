/** The JSON Schemas that editors read, made from the schemas that the program itself uses. */
import { Config } from './config.ts';
import { PersonaFrontMatter } from '../persona/persona.ts';
import { toDraft7 } from './schema-keys.ts';

/** Path in the package to its content, for each published schema. */
export function publishedSchemas(): Readonly<Record<string, string>> {
  return {
    'schema/config.json': render(Config, {
      title: 'Quorum configuration',
      description: '.github/quorum.yml: every key is optional.',
    }),
    'schema/persona.json': render(PersonaFrontMatter, {
      title: 'Quorum persona',
      description: 'YAML front matter of a persona file in .github/quorum/personas/.',
    }),
  };
}

function render(
  schema: Parameters<typeof toDraft7>[0],
  about: { title: string; description: string },
): string {
  const { $schema, ...rest } = toDraft7(schema);
  return `${JSON.stringify({ $schema, ...about, ...rest }, undefined, 2)}\n`;
}
