/** One call tells what many would: the same of a pull request, of an issue and of the files around them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ThreadRef } from '../../../src/domain/run/thread-ref.ts';
import type { CommentFacts } from '../../../src/ports/github/github-reader.ts';
import type { SurveyAsk } from '../../../src/ports/github/github-survey.ts';
import { AFTER, reviewOf } from '../../contract/pulls-world.ts';
import { openEmulatedPulls, type EmulatedPulls } from './pulls/world.ts';

const CONFIG = '.github/quorum.yml';
const FOLDER = '.github/quorum/personas';
const NAME = 'acme/widgets';

let world: EmulatedPulls;
let ref: ThreadRef;

beforeAll(async () => {
  world = await openEmulatedPulls();
  const { emulator } = world;
  await emulator.createRepository({
    owner: 'acme',
    name: '.github',
    files: { [CONFIG]: 'council:\n  maxRounds: 1\n' },
  });
  const alice = emulator.as('alice');
  const put = (path: string, content: Buffer | string): Promise<unknown> =>
    alice.request('PUT', `/repos/${NAME}/contents/${path}`, {
      message: `add ${path}`,
      content: Buffer.from(content).toString('base64'),
    });
  await put(CONFIG, 'review:\n  drafts: true\n');
  await put(`${FOLDER}/robin.md`, '# Robin\n');
  await put(`${FOLDER}/board/kim.md`, '# Kim\n');
  await put(`${FOLDER}/picture.md`, Buffer.from([0x89, 0x50, 0, 1]));
  await put(`${FOLDER}/long.md`, 'a line of words\n'.repeat(100));
  ref = await world.openPull({ 'src/a.ts': AFTER, 'src/c.ts': 'fresh\n' });
  await alice.comment(NAME, ref.number, 'What do you think?');
  await alice.request('POST', `/repos/${NAME}/issues/${ref.number}/labels`, { labels: ['bug'] });
});
afterAll(() => world.close());

function anAsk(more: Partial<SurveyAsk> = {}): SurveyAsk {
  return {
    people: [world.person],
    files: [CONFIG, '.github/quorum.yaml'],
    folder: FOLDER,
    foreign: { owner: 'acme', repo: '.github', path: CONFIG },
    maxBytes: 1000,
    comments: 100,
    pastIssues: 0,
    ...more,
  };
}

/** Reactions come with the list of comments alone. */
const withoutThumbs = (comments: readonly CommentFacts[]) =>
  comments.map((comment) => {
    const bare = { ...comment };
    delete bare.thumbs;
    return bare;
  });

describe('a survey of a pull request', () => {
  test('tells in one call what its reads tell in many', async () => {
    const { headSha } = await world.open().at(ref).pulls.pull(ref);
    await world.open().at(ref).reviews.ensureReview(ref, reviewOf(headSha));
    const session = world.open().at(ref);
    const told = await session.pulls.survey(ref, anAsk());
    const { read, pulls } = world.open().at(ref);
    expect(told).toMatchObject({
      repository: await read.repository(ref),
      pull: await pulls.pull(ref),
      feedback: await pulls.feedback(ref),
      comments: withoutThumbs(await read.comments(ref, 100)),
    });
    expect(told?.permissions).toEqual(
      new Map([[world.person.id, await read.permission(ref, world.person)]]),
    );
    const asked = Object.entries(session.counts).filter(([route]) => /repos|graphql/.test(route));
    expect(asked).toEqual([['POST /graphql', 1]]);
  });

  test('asks a server only once for a field that it does not have', async () => {
    const message = "Field 'rules' doesn't exist on type 'Ref'";
    const body = { errors: [{ message, path: ['query'], extensions: { code: 'undefinedField' } }] };
    const fault = { kind: 'status', status: 200, body } as const;
    const disarm = world.emulator.faults.add({ path: /graphql/, times: Infinity, fault });
    const github = world.open();
    const calls = async (): Promise<number> => {
      const session = github.at(ref);
      expect(await session.pulls.survey(ref, anAsk())).toBeUndefined();
      return session.counts['POST /graphql'] ?? 0;
    };
    expect([await calls(), await calls()]).toEqual([1, 0]);
    github.forget(ref.installationId);
    expect(await calls()).toBe(1);
    disarm();
  });

  test('has the files that settings are made of: texts, other entries, and texts that are too long', async () => {
    const told = await world.open().at(ref).pulls.survey(ref, anAsk());
    const { read } = world.open().at(ref);
    const paths = told?.files.map(({ path }) => path) ?? [];
    expect(paths.toSorted()).toEqual([
      CONFIG,
      `${FOLDER}/board/kim.md`,
      `${FOLDER}/long.md`,
      `${FOLDER}/picture.md`,
      `${FOLDER}/robin.md`,
    ]);
    const { headSha } = await read.repository(ref);
    const files = await read.files(ref, headSha, { paths, maxBytes: 1000 });
    expect(told?.files.flatMap(({ file }) => file ?? [])).toEqual(files);
    expect(files.filter(({ isCut }) => isCut).map(({ path }) => path)).toEqual([
      `${FOLDER}/long.md`,
    ]);
    expect(told?.foreign).toMatchObject({
      fullName: 'acme/.github',
      found: { file: { text: 'council:\n  maxRounds: 1\n' } },
    });
  });

  test('says none of who was not let in, and nothing of another account’s name', async () => {
    const eve = world.emulator.createUser('eve');
    const people = [
      { id: eve.id, login: 'eve' },
      { id: 999_999, login: 'alice' },
    ];
    const told = await world.open().at(ref).pulls.survey(ref, anAsk({ people }));
    expect([...(told?.permissions ?? [])]).toEqual(people.map(({ id }) => [id, 'none']));
  });

  test('finds no file where another repository has no such file, does not exist or may not be seen', async () => {
    const foreign = { owner: 'acme', repo: 'nothing', path: CONFIG };
    const told = await world.open().at(ref).pulls.survey(ref, anAsk({ foreign }));
    expect(told?.foreign).toEqual({ fullName: 'acme/nothing', found: undefined });
  });

  test('is left to the reads without GraphQL and for an issue’s number, and refused for a name that is another’s', async () => {
    const survey = (at: ThreadRef) => world.open().at(at).pulls.survey(at, anAsk());
    expect(await survey(await world.openIssue())).toBeUndefined();
    await expect(survey({ ...ref, repositoryId: 4711 })).rejects.toMatchObject({
      code: 'github-not-found',
    });
    const bring = world.withoutGraphql();
    expect(await survey(ref)).toBeUndefined();
    bring();
  });
});

describe('a survey of an issue', () => {
  test('tells the issue, its comments and the past ones, in one call for every hundred', async () => {
    const issue = await world.openIssue();
    const alice = world.emulator.as('alice');
    for (let n = 0; n < 101; n += 1) await alice.openIssue(NAME, { title: `Past ${n}`, body: 'b' });
    await alice.comment(NAME, issue.number, 'One more thing.');
    const session = world.open().at(issue);
    const told = await session.survey.issue(issue, anAsk({ pastIssues: 103 }));
    const { read } = world.open().at(issue);
    const { authorPermission: _, ...facts } = await read.issue(issue);
    expect(told).toMatchObject({
      issue: facts,
      comments: withoutThumbs(await read.comments(issue, 100)),
      pastIssues: await read.pastIssues(issue, 103),
    });
    expect(session.counts['POST /graphql']).toBe(2);
  });

  test('tells a pull request as one', async () => {
    const told = await world.open().at(ref).survey.issue(ref, anAsk());
    expect(told?.issue).toMatchObject({ isPull: true, labels: ['bug'], state: 'open' });
  });
});

describe('texts of many files', () => {
  test('are one call for every hundred, of a commit whose tree nobody read', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `many/f${n}.txt`);
    const pull = await world.openPull(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    const { headSha } = await world.open().at(pull).pulls.pull(pull);
    const { read, counts } = world.open().at(pull);
    const paths = [...names, 'many/missing.txt', 'src/a.ts'];
    const files = await read.files(pull, headSha, { paths, maxBytes: 1000 });
    expect(files.map(({ path }) => path)).toEqual([...names, 'src/a.ts']);
    expect(files[7]?.text).toBe('many/f7.txt\n');
    const again = await read.files(pull, headSha, { paths, maxBytes: 5 });
    expect(again[7]).toEqual({ path: 'many/f7.txt', text: 'many/', isCut: true });
    const asked = Object.entries(counts).filter(([route]) => /repos|graphql/.test(route));
    expect(asked).toEqual([['POST /graphql', 2]]);
  });
});
