/**
 * The plan of the demonstration at the end of the story: what GitHub shows, and what its repository
 * then does.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DemoPlan } from '../../src/demo/plan/conclude-plan.ts';
import type { Demo } from '../../src/demo/run-demo.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { temporaryFolder } from '../hosts/cli/temporary-folder.ts';
import { verifies } from '../verifies.ts';

const REPOSITORY = 'tablewright/csvpeek';
const GATES = ['branch', 'scope', 'changes', 'tests', 'push', 'remote'];

interface PullAnswer {
  merge_commit_sha: string;
}

interface CommitAnswer {
  commit: { message: string };
  parents: { sha: string }[];
}

/** @param played the demonstration at its end */
export function describePlan(played: () => Demo, acts: readonly string[]): void {
  const planOf = (): DemoPlan => played().plan;
  const ask = (at: string): Promise<unknown> =>
    played().world.emulator.as('ana-lund').request('GET', `/repos/${REPOSITORY}${at}`);

  describe('of its plan', () => {
    test('it is said who writes the code, and behind what', () => {
      expect(acts.join('\n')).toContain(played().coder.says);
    });

    verifies(['TG-9', 'CB-4'], 'every task is merged, and the issue is complete and closed', () => {
      const { tasks, ...plan } = planOf();
      expect(plan).toMatchObject({ number: 13, state: 'closed', approvedBy: 'ana-lund' });
      expect(plan.labels.toSorted()).toEqual(['plan', 'plan:complete']);
      expect(plan.comments).toHaveLength(3);
      expect(plan.comments[1]).toMatch(/^### Plan complete\n\nAll 3 tasks are merged\./);
      const ends = tasks.map(({ state, pull }) => `${state} ${pull?.merged === true}`);
      expect(ends).toEqual(Array(3).fill('completed true'));
      // The third waits for the first, and so for a person.
      const [first, second, third] = tasks.map(({ pull }) => pull?.number ?? 0);
      expect(new Set([first, second])).toEqual(new Set([14, 15]));
      expect(third).toBe(16);
    });

    verifies(
      ['LS-1', 'LS-8'],
      'the standup says what was left for later, and the merged fix of its follow-up closes it',
      () => {
        const { standup } = played();
        const [, , comment = ''] = planOf().comments;
        expect(comment).toMatch(/^### Standup\n/);
        expect(comment).toContain('Task 1 left `src/sort.ts:13` for later');
        expect(comment).toMatch(/- \[x\] Make this a follow-up issue[^]*- Closed: #17 by `/);
        expect(standup.insights).toHaveLength(1);
        expect(standup).toMatchObject({ followUp: 17, closedBy: { pull: 18 }, problems: [] });
      },
    );

    verifies(
      ['TG-5'],
      'each head carries a receipt of every gate, and the tests really ran',
      () => {
        for (const { checks } of planOf().tasks) {
          const ours = checks
            .map(({ name }) => name)
            .filter((name) => name.startsWith('quorum / '));
          expect(ours.toSorted()).toEqual(['quorum / gates', 'quorum / merge', 'quorum / review']);
          const {
            conclusion,
            title,
            summary = '',
          } = checks.find(({ name }) => name === 'quorum / gates') ?? {};
          expect(conclusion).toBe('success');
          for (const gate of GATES)
            expect(summary).toMatch(
              new RegExp(`^\\| ${gate} \\| passed \\| .+ \\| \`[\\w-]{16}\` \\|$`, 'm'),
            );
          expect(title).toMatch(/^All 6 gates passed: node --test ended with 0: \d+ passed/);
        }
      },
    );

    test('commits and merges say which task they belong to, and whose word they rest on', async () => {
      for (const { number, pull } of planOf().tasks) {
        const commits = (await ask(`/pulls/${pull?.number ?? 0}/commits`)) as CommitAnswer[];
        expect(commits).toHaveLength(1);
        const message = commits[0]?.commit.message ?? '';
        expect(message).toContain(`\nQuorum-Task: 13/${number}\nQuorum-Run: `);
        expect(message).toMatch(/\nCo-authored-by: ana-lund <\d+\+ana-lund@/);
      }
      const last = planOf().tasks.find(({ number }) => number === 3)?.pull?.number ?? 0;
      const { merge_commit_sha: merge } = (await ask(`/pulls/${last}`)) as PullAnswer;
      const { commit } = (await ask(`/commits/${merge}`)) as CommitAnswer;
      expect(commit.message).toContain('Quorum-Task: 13/3');
      expect(commit.message).toMatch(/\nApproved-by: ben-okafor$/m);
    });

    test('its journal tells the story in order, and twice in the same bytes', async () => {
      const env = { QUORUM_DATA: played().world.appEnv['QUORUM_DATA'] ?? '' };
      const { code, out } = await quorum(['journal', `${REPOSITORY}#13`], { env });
      expect(code).toBe(0);
      const first = planOf().tasks.find(({ number }) => number === 1)?.pull?.number ?? 0;
      const parts = [
        '**`chloe-marchetti` wrote plan #13**',
        '**`ana-lund` wrote** `/pm approve`',
        '**`ana-lund` approved version',
        '**Task 1 (Sort rows by a column) began**',
        '- `src/sort.ts`: +15 −0',
        'gates passed for',
        `pull request #${first} was opened**: 2 files (+32 −0). Asked for a review: \`ben-okafor\`.`,
        `**The team’s review of #${first}: approve**`,
        `**\`ben-okafor\` approved #${first}**`,
        `**#${first} was merged**`,
        '**#16 was merged**',
        '**Quorum closed #13** as completed.',
        '| **Total** |',
      ];
      const places = parts.map((part) => out.indexOf(part));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(out).not.toContain('were deleted');
      expect((await quorum(['journal', `${REPOSITORY}#13`], { env })).out).toBe(out);
    });

    test('the default branch passes its tests after the merges, and does what the plan wanted', () => {
      const { gitDir } = played().world.emulator.repository(REPOSITORY);
      const dir = temporaryFolder({});
      const run = (program: string, args: string[]): string =>
        execFileSync(program, args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
      run('git', ['clone', '--quiet', gitDir, '.']);
      writeFileSync(path.join(dir, 'people.csv'), 'id,name\n10,Bob\n9,Ada\n');
      writeFileSync(path.join(dir, 'empty.csv'), '');
      expect(run(process.execPath, ['--test', '--test-reporter=tap'])).toMatch(/^# fail 0$/m);
      expect(run(process.execPath, ['src/cli.ts', '--sort', 'id', 'people.csv'])).toBe(
        'id  name\n9   Ada\n10  Bob\n',
      );
      expect(run(process.execPath, ['src/cli.ts', 'empty.csv'])).toBe('\n');
    });
  });
}
