/** A lesson from its first review to the finding that rests on it: learned, proposed, approved and cited. */
import { expect } from 'vitest';
import type { ScriptedCall, ScriptedReply } from '../../src/emulator/model-server/script.ts';
import { aModel } from '../helpers/a-model.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { openPullOf } from '../helpers/commits.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { aPull, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const LESSON = 'Text of users reaches shell commands in src/run.ts';
const RUN = 'export function run(text: string): string {\n  return text.trim();\n}\n';

/** One finding a review; it cites the note only where the note is in the prompt, and by the mark that is there. */
function find({ body }: ScriptedCall, handle: string): ScriptedReply {
  if (handle !== 'dev') return { json: aPosition({ vote: 'APPROVE' }) };
  const prompt = JSON.stringify(body);
  const [mark = ''] = /\[m:[0-9a-f]{10}\](?= PATTERN, #\d+: Text of users)/.exec(prompt) ?? [];
  const path = prompt.includes('src/again.ts') ? 'src/again.ts' : 'src/run.ts';
  const finding = {
    severity: 'high' as const,
    title: 'The text of a user is not checked',
    evidence: `The function takes any text. ${mark}`,
    place: { path, line: 2 },
  };
  return { json: aPosition({ vote: 'CHANGES', findings: [finding] }) };
}

function reflect(): ScriptedReply {
  const lesson = { for: ['dev'], category: 'PATTERN', text: LESSON, words: ['check'] };
  return { json: { lessons: [{ ...lesson, refs: [{ path: 'src/run.ts', from: 1, to: 2 }] }] } };
}

async function readMemory(world: TestWorld): Promise<{ notes: string; uses: object }> {
  const files = (await memoryOf(world)) ?? {};
  return {
    notes: files['personas/dev/working.md'] ?? '',
    uses: JSON.parse(files['state/memory.json'] ?? '{}') as object,
  };
}

verifies(
  ['NW-14'],
  'a lesson from the change of an outsider is proposed, approved by somebody with write access, and cited by the next review',
  async () => {
    const { env } = await aModel({
      position: find,
      verdict: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
      reflection: reflect,
    });
    const settings = 'review:\n  settleSeconds: 0\n';
    const world = await aWorld({ env, files: { '.github/quorum.yml': settings } });
    world.emulator.addCollaborator(REPO, 'eve', 'write');
    await world.emulator.createFork(REPO, 'tom');
    const files = { 'src/run.ts': RUN };
    const first = await openPullOf(world, files, { by: 'tom', repository: 'tom/tidy' });
    await world.idle();
    const { comments } = await world.tell(first);
    expect(comments.join('\n')).toContain(`1. [PATTERN] ${LESSON}`);
    const { notes } = await readMemory(world);
    const [, id = 'no note waits'] =
      /"id":"([0-9a-f]{10})".*"state":"quarantined"/.exec(notes) ?? [];
    const refused = await say(world, first, { by: 'tom', body: '/pm memory approve [1]' });
    expect(refused.answers.join()).toContain('needs `write` permission');
    await say(world, first, { by: 'eve', body: '/pm memory approve [1]' });
    // What is cited is verified on the default branch: there it is once it was merged.
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${first}/merge`, {});
    await world.idle();
    expect(await readMemory(world)).toEqual({
      notes: expect.stringContaining(`"id":"${id}"`),
      uses: {},
    });
    const second = await aPull(world, { 'src/again.ts': RUN.replace('run', 'again') }, 'second');
    await world.idle();
    const told = (await reviewsOf(world, second)).reviews.join('\n');
    expect(told).toContain(`remembered and used: \`${LESSON}\` (\`${id}\`)`);
    expect((await readMemory(world)).uses).toEqual({ [id]: expect.objectContaining({ uses: 1 }) });
    const why = await say(world, second, `/pm memory why ${id}`);
    expect(why.answers.join()).toContain('that rest on it: `src/again.ts:2`.');
    expect(world.openApi.violations).toEqual([]);
  },
);
