/** People talk to the team in a test's world: they comment, and the helpers return the outcome. */
import { isWrite, READY_ISSUE, REPO, type TestWorld, type Told } from './a-world.ts';

export interface Answered extends Told {
  /** Of the comment that was written. */
  id: number;
  /** Ours, on that comment. */
  reactions: string[];
  /** Our comments since. */
  answers: string[];
}

export async function anIssue(world: TestWorld): Promise<number> {
  return (await world.emulator.as('tom').openIssue(REPO, READY_ISSUE)).number;
}

/** Comments, as `ana` when nobody else is named, waits, and tells what came of it. */
export async function say(
  world: TestWorld,
  number: number,
  words: string | { by: string; body: string },
): Promise<Answered> {
  const { by, body } = typeof words === 'string' ? { by: 'ana', body: words } : words;
  const before = (await world.tell(number)).comments.length;
  const { id } = await world.emulator.as(by).comment(REPO, number, body);
  await world.idle();
  return answered(world, { number, id, before });
}

export async function answered(
  world: TestWorld,
  { number, id, before }: { number: number; id: number; before: number },
): Promise<Answered> {
  const told = await world.tell(number);
  return {
    ...told,
    id,
    reactions: await reactionsOn(world, `issues/comments/${id}`),
    answers: told.comments.slice(before),
  };
}

/** Ours, on a comment: `issues/comments/7` or `pulls/comments/7`. */
export async function reactionsOn(world: TestWorld, comment: string): Promise<string[]> {
  const all = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/${comment}/reactions`)) as {
    content: string;
    user: { login: string };
  }[];
  return all.filter((each) => each.user.login.endsWith('[bot]')).map((each) => each.content);
}

/** What our App wrote, as `METHOD /path`. That it asked for a lost delivery again, as on a busy machine, is not counted. */
export function writesOf(world: TestWorld): string[] {
  return world.emulator.requests
    .filter((each) => isWrite(each) && !each.path.startsWith('/app/hook/deliveries/'))
    .map((each) => `${each.method} ${each.path}`);
}

/** A pull request by `ana` that adds or changes these files. */
export async function aPull(
  world: TestWorld,
  files: Record<string, string>,
  branch = 'change',
): Promise<number> {
  const ana = world.emulator.as('ana');
  const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const ref = { ref: `refs/heads/${branch}`, sha: main.object.sha };
  await ana.request('POST', `/repos/${REPO}/git/refs`, ref);
  for (const [path, text] of Object.entries(files)) {
    await ana.request('PUT', `/repos/${REPO}/contents/${path}`, {
      message: `add ${path}`,
      branch,
      content: Buffer.from(text).toString('base64'),
    });
  }
  const body = 'As agreed.';
  return (await ana.openPull(REPO, { title: 'Change the command', head: branch, body })).number;
}
