import { Webhooks } from '@octokit/webhooks';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSigned } from '../../../src/adapters/http/signature.ts';

test('what GitHub’s own library signs is accepted, whatever the text, and one changed byte is not', async () => {
  const secret = ['a', 'webhook', 'secret'].join(' ');
  const webhooks = new Webhooks({ secret });
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (text) => {
      const signature = await webhooks.sign(text);
      const bytes = Buffer.from(text);
      expect(isSigned(bytes, signature, ['retired', secret])).toBe(true);
      expect(isSigned(bytes, signature, ['retired'])).toBe(false);
      const changed = Buffer.from(bytes);
      changed[0] = (changed[0] ?? 0) ^ 1;
      expect(isSigned(changed, signature, [secret])).toBe(false);
    }),
  );
});
