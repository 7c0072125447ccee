/** Milestones are the roadmap where the settings say so. */
import { expect } from 'vitest';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['NW-15'],
  'open milestones reach every voice with totals and what is left, and take the place of the file',
  async () => {
    const files = {
      '.github/quorum.yml': 'roadmap:\n  milestones: true\n',
      'ROADMAP.md': '## From the file\n- [ ] not this one\n',
    };
    const world = await aWorld({ files });
    const { emulator } = world;
    const titles = ['Read CSV files', 'Write CSV files', 'Cache\n## the parser'];
    const numbers: number[] = [];
    for (const title of titles)
      numbers.push((await emulator.as('ana').openIssue(REPO, { title })).number);
    const closed = `/repos/${REPO}/issues/${numbers[0]}`;
    await emulator.as('ana').request('PATCH', closed, { state: 'closed' });
    emulator.repository(REPO).milestones = [{ title: 'Version 2', issues: numbers }];
    const issue = await world.ask(READY_ISSUE);
    await world.idle();
    const effects = await world.store.records.effects({ limit: 1_000 });
    const prompts = effects.flatMap(({ data }) =>
      data.kind === 'ask' && data.thread.number === issue && data.purpose === 'position'
        ? [data.prompt.shared.join('\n')]
        : [],
    );
    expect(prompts.length).toBeGreaterThan(0);
    for (const prompt of prompts) {
      expect(prompt).toContain('- Version 2: 1 of 3 done');
      expect(prompt).toContain(`  - Write CSV files (#${numbers[1]})`);
      expect(prompt).toMatch(/ {2}- Cache #*\s?the parser \(#\d+\)/);
      expect(prompt).not.toContain('not this one');
    }
    expect(world.openApi.violations).toEqual([]);
  },
);
