/** What an action prints is text: the runner finds no command in it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { summarise } from '../../src/hosts/action/run-action.ts';

/** What is printed where the runner has no job summary. */
async function printed(markdown: string): Promise<string> {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  const parts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    parts.push(String(chunk));
    return true;
  });
  onTestFinished(() => {
    write.mockRestore();
    vi.unstubAllEnvs();
  });
  await summarise(markdown);
  return parts.join('');
}

test('a title of somebody else starts no command of the runner and no group', async () => {
  const text = await printed('# Done\n::add-mask::a\n  ::stop-commands::x\r\n##[group]y\n');
  expect(text).not.toMatch(/^\s*::|^##\[/m);
  expect(text).toContain('# Done\n: :add-mask: :a\n');
  expect(text.split('\n').length).toBeGreaterThanOrEqual(5);
});
