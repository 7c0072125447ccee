/** Secretlint as the maintained detector of credentials. */
import type { LintText } from './detector.ts';

const RULES = '@secretlint/secretlint-rule-preset-recommend';

/** Loads it, which takes some 60 ms: only where a text is to be read. */
export async function loadSecretlint(): Promise<LintText> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  return async (content, path) => {
    const { messages } = await lintSource({
      source: { filePath: path, content, contentType: 'text', ext: extensionOf(path) },
      options: {
        config: { rules: [{ id: RULES, rule: creator, options: {} }] },
        maskSecrets: true,
        noPhysicFilePath: true,
      },
    });
    return messages;
  };
}

function extensionOf(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0] ?? '';
}
