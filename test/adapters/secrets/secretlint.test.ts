import { expect, test } from 'vitest';
import { createSecretDetector } from '../../../src/adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../src/adapters/secrets/secretlint.ts';

test('reports a token by kind and line, never its value, and no ordinary text', async () => {
  const missing: unknown[] = [];
  const detect = createSecretDetector({
    load: loadSecretlint,
    onMissing: (error) => missing.push(error),
  });
  const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
  const found = await detect(`x = 1\ntoken = "${token}"\n`, 'src/a.py');
  expect(found).toEqual([{ kind: 'GitHub token', line: 2, length: token.length }]);
  expect(JSON.stringify(found)).not.toContain(token);
  expect(await detect('const token = readToken();\n', 'src/a.ts')).toEqual([]);
  expect(missing).toEqual([]);
});
