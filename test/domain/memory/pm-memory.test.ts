/** What of `memory/pm.md` the PM plans by. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pmMemory } from '../../../src/domain/memory/role/pm-memory.ts';

const SHIPPED = readFileSync(new URL('../../../memory/pm.md', import.meta.url), 'utf8');

describe('what the PM plans by', () => {
  test('are the workflows that are shipped, whole', () => {
    const text = pmMemory(SHIPPED);
    expect(text).toMatch(/^## Workflows\n/);
    for (const title of ['Bugfix', 'Feature', 'Implement milestone', 'Question'])
      expect(text).toContain(`### ${title}`);
    expect(text).toContain('propose an entry for Project Knowledge.');
    expect(text).not.toContain('## Planning Notes');
    expect(text.length).toBeLessThanOrEqual(6_000);
  });

  test('is knowledge before workflows, each with what is below it', () => {
    const text = '## workflows\na\n### Bugfix\nb\n## Notes\nc\n## Project Knowledge ##\n- d\n';
    expect(pmMemory(text)).toBe('## Project Knowledge ##\n- d\n\n## workflows\na\n### Bugfix\nb');
  });

  test('is the beginning of a file that people restructured', () => {
    expect(pmMemory('# Ours\nSmall plans.\n')).toBe('# Ours\nSmall plans.');
    expect(pmMemory('')).toBe('');
  });

  test('takes no heading in a fence for one of its own', () => {
    const text = '## Workflows\n```md\n## Notes\n```\nafter\n';
    expect(pmMemory(text)).toContain('after');
  });

  test.each([
    [10, 900],
    [900, 10],
    [900, 900],
  ])('is both, within 6,000 characters: %i lines of knowledge, %i of workflows', (one, other) => {
    const text = `## Project Knowledge\n${'- known fact\n'.repeat(one)}## Workflows\n${'- step\n'.repeat(other)}`;
    const shown = pmMemory(text);
    expect(shown).toContain('- known fact');
    expect(shown).toContain('- step');
    expect(shown.length).toBeLessThanOrEqual(6_000);
    expect(shown.length).toBeGreaterThan(5_900);
  });
});
