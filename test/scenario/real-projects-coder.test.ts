/** The real Claude Code in projects of three languages: it runs their own tests in its fence before the gates do. */
import { describe, expect } from 'vitest';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { aCoderWorld, bash, write } from '../helpers/a-coder-story.ts';
import { REAL_PROJECTS, wordedTask } from '../helpers/a-real-project.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

for (const project of REAL_PROJECTS)
  describe.skipIf((noClaude ?? project.missing) !== undefined)(`a task in ${project.title}`, () => {
    verifies(['CB-6', 'CB-5', 'TG-5'], 'is worked on and tested with what it needs', async () => {
      const world = await aCoderWorld({ project: project.files() });
      const files = Object.entries(project.good).map(([path, text]) => write(path, text));
      const [, testCommand = ''] = /^`(.+?)`/.exec(project.says.good) ?? [];
      world.plays([...files, bash(`${testCommand}; echo "ended with $?"`)]);
      const number = await world.plan([wordedTask(1, project)]);
      await world.idle();
      expect(world.heard.at(-1)).toContain('ended with 0');
      const [pull] = await world.pulls();
      expect(pull?.body).toContain('Says it, with a test.');
      expect((await world.tell(number)).comments[0]).toContain('in review');
      await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
      await world.idle();
      expect((await world.pulls())[0]?.merged_at).not.toBeNull();
    });
  });
