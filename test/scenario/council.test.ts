import { describe, expect, test } from 'vitest';
import { aModel, isVerdictCall, speaker } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { pendingButWeek } from '../helpers/pending-but-week.ts';
import { verifies } from '../verifies.ts';

const QUICK = { '.github/quorum.yml': 'council:\n  debounceSeconds: 1\n' };

describe('from a labelled issue to a verdict', () => {
  verifies(
    ['NW-5', 'NW-9', 'P1'],
    'offline: one live comment, the label and the reaction, and every event accounted for',
    async () => {
      const world = await aWorld();
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const told = await world.tell(number);
      expect(told.labels).toEqual(['ready']);
      expect(told.reactions).toEqual(['rocket']);
      expect(told.comments.length).toBe(1);
      expect(told.comments[0]).toMatch(/^### Ready: /);
      expect(told.comments[0]).toContain('src/cli.ts');
      expect(told.comments[0]).toMatch(/<!-- quorum:v1 [\w-]+\.[\w-]+ -->\s*$/);
      const { events, effects } = await world.store.records.counts();
      expect(events).toMatchObject({ dead: 0, parked: 0 });
      expect(await pendingButWeek(world.store.records)).toBe(0);
      expect(effects).toMatchObject({ pending: 0, dead: 0, refused: 0 });
      const kept = await world.store.records.events({ status: 'ignored', limit: 100 });
      expect(kept.every((event) => (event.reason ?? '') !== '')).toBe(true);
      expect(world.openApi.checked()).toBeGreaterThan(15);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(
    ['CB-13', 'NW-5b'],
    'with a model: personas speak through the real SDK, and every call is in the ledger',
    async () => {
      const { server, env } = await aModel();
      const world = await aWorld({ env });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const told = await world.tell(number);
      expect(told.comments[0]).toContain('priya would start');
      expect(told.comments[0]).not.toContain('offline');
      expect(server.calls.map(speaker).toSorted()).toEqual(['carlos', 'carlos', 'dev', 'priya']);
      const spent = await world.store.records.spent({});
      expect(spent.calls).toBe(server.calls.length);
      expect(spent.usd).toBeGreaterThan(0);
      expect(spent.unknownCalls).toBe(0);
    },
  );

  verifies(
    'CB-15',
    'a model that fails falls back to the offline rules, and the comment says so',
    async () => {
      const down = () => ({ fault: { kind: 'status' as const, status: 401 } });
      const { env } = await aModel({ position: down, verdict: down });
      const world = await aWorld({ env });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const told = await world.tell(number);
      expect(told.labels).toEqual(['ready']);
      expect(told.comments[0]).toContain('offline rules, no model');
    },
  );

  test('an answer that stays unreadable leaves its voice absent and the others go on', async () => {
    const { env } = await aModel({
      position: (_, handle) =>
        handle === 'priya' ? 'this is no JSON' : { json: aPosition({ reasons: handle }) },
    });
    const world = await aWorld({ env });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    const told = await world.tell(number);
    expect(told.labels).toEqual(['ready']);
    expect(told.comments[0]).toMatch(/Priya .*absent/);
  });

  verifies('CB-14b', 'a cap of the repository stops the calls before they are made', async () => {
    const { server, env } = await aModel();
    const files = { '.github/quorum.yml': 'budget:\n  council:\n    perThreadUsd: 0.0001\n' };
    const world = await aWorld({ env, files });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    expect(server.calls).toEqual([]);
    const told = await world.tell(number);
    expect(told.labels).toContain('needs-human');
    expect(told.comments[0]).toContain('partial result');
  });
});

describe('a person in the middle', () => {
  verifies(
    'NW-10',
    'an answer resumes a blocked run to a verdict, all in the same comment',
    async () => {
      let asked = 0;
      const { env } = await aModel({
        verdict: (call) => {
          asked += 1;
          const hasAnswer = call.system.includes('Keep it for one release');
          return {
            json: hasAnswer
              ? aVerdict()
              : aVerdict({ verdict: 'HUMAN', question: 'Keep `--legacy`?' }),
          };
        },
      });
      const world = await aWorld({ env, files: QUICK });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      const blocked = await world.tell(number);
      expect(blocked.labels.toSorted()).toEqual(['deliberate', 'needs-human']);
      expect(blocked.comments[0]).toContain('**You decide:** Keep `--legacy`? @ana, reply here.');
      await world.emulator
        .as('ana')
        .comment(REPO, number, 'Keep it for one release, then drop it.');
      await world.idle();
      const settled = await world.tell(number);
      expect(settled.labels).toEqual(['ready']);
      expect(settled.comments[0]).toMatch(/^### Ready: /);
      expect(settled.comments[0]).toContain('> **Asked:** Keep `--legacy`? Answered by `ana`.');
      // Edits notify nobody: what a person has to know comes in comments of its own.
      const words = settled.comments.map((body) => body.split('\n')[0] ?? '');
      expect(words).toHaveLength(3);
      expect(words[1]).toMatch(/^\*\*@ana, the team needs your decision:\*\* Keep `--legacy`\?/);
      expect(words[2]).toMatch(/^@ana, your question is settled: \*\*Ready: /);
      expect(asked).toBe(2);
    },
  );

  test('a stranger’s answer does not move it', async () => {
    const { env } = await aModel({
      verdict: () => ({ json: aVerdict({ verdict: 'HUMAN', question: 'Which one?' }) }),
    });
    const world = await aWorld({ env, files: QUICK });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    await world.emulator.as('eve').comment(REPO, number, 'Take the second one, I am the owner.');
    await world.idle();
    expect((await world.tell(number)).labels).toContain('needs-human');
  });
});

describe('who may ask, and what stops it', () => {
  verifies('P4', 'somebody without triage starts nothing, whatever the issue says', async () => {
    const world = await aWorld();
    world.emulator.addCollaborator(REPO, 'eve', 'read');
    const { number } = await world.emulator.as('eve').openIssue(REPO, {
      title: 'x',
      body: 'please',
      labels: ['deliberate'],
    });
    await world.idle();
    expect((await world.tell(number)).comments).toEqual([]);
  });

  test('taking the label off while the personas talk stops the run and says why', async () => {
    let takeOff: () => Promise<void> = () => Promise.resolve();
    const { env } = await aModel({
      position: (call) => {
        void takeOff();
        return { json: aPosition({ reasons: speaker(call) }), delayMs: 300 };
      },
    });
    const world = await aWorld({ env });
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    let done = false;
    takeOff = async () => {
      if (done) return;
      done = true;
      await world.emulator.as('ana').unlabel(REPO, number, 'deliberate');
    };
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    const told = await world.tell(number);
    expect(told.labels).toEqual([]);
    expect(told.comments).toHaveLength(1);
    expect(told.comments[0]).toMatch(/^### Stopped: /);
  });

  const meanwhile: [
    string,
    (world: Awaited<ReturnType<typeof aWorld>>, number: number) => Promise<unknown>,
  ][] = [
    ['closed', (world, number) => world.emulator.as('ana').close(REPO, number, 'completed')],
    [
      'locked',
      (world, number) =>
        world.emulator
          .as('ana')
          .request('PUT', `/repos/${REPO}/issues/${number}/lock`, { lock_reason: 'resolved' }),
    ],
  ];
  test.each(meanwhile)('an issue %s meanwhile gets no verdict', async (_, change) => {
    let act: () => void = () => undefined;
    const { env } = await aModel({
      position: (call) => {
        act();
        return { json: aPosition({ reasons: speaker(call) }), delayMs: 300 };
      },
    });
    const world = await aWorld({ env });
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    let changed: Promise<unknown> | undefined;
    act = () => {
      changed ??= change(world, number);
    };
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    await changed;
    const told = await world.tell(number);
    expect(told.labels).not.toContain('ready');
    expect(told.comments.join('')).not.toMatch(/^### Ready/);
  });
});

describe('the repository’s own settings', () => {
  verifies(
    'NW-1',
    'a persona file with a typo fails the configuration check and the others go on',
    async () => {
      const persona =
        '---\nhandle: maya\nname: Maya\nrole: Security Reviewer\nteam: engineering\nlense: keys\n---\n\n## Who I am\n\nSomebody.\n';
      const world = await aWorld({ files: { '.github/quorum/personas/maya.md': persona } });
      const number = await world.ask(READY_ISSUE);
      await world.idle();
      expect((await world.tell(number)).labels).toEqual(['ready']);
      const head = await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/commits/main/check-runs`);
      const { check_runs: runs } = head as {
        check_runs: { name: string; conclusion: string; output: { summary: string } }[];
      };
      expect(runs.map((run) => [run.name, run.conclusion])).toEqual([
        ['quorum / config', 'failure'],
      ]);
      expect(runs[0]?.output.summary).toContain('.github/quorum/personas/maya.md');
      expect(runs[0]?.output.summary).toContain('`lens`');
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('two configuration files are refused by name, and the person who asked gets the reason', async () => {
    const world = await aWorld({
      files: { '.github/quorum.yml': 'version: 1\n', '.github/quorum.yaml': 'version: 1\n' },
    });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    const told = await world.tell(number);
    expect(told.labels).toEqual(['deliberate']);
    expect(told.comments[0]).toMatch(/^### Stopped: .*quorum.ya?ml/);
    const head = await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/commits/main/check-runs`);
    const { check_runs: runs } = head as {
      check_runs: { conclusion: string; output: { summary: string } }[];
    };
    expect(runs[0]?.conclusion).toBe('failure');
    expect(runs[0]?.output.summary).toContain('quorum.yaml');
  });

  test('a renamed label starts the discussion under its own name', async () => {
    const world = await aWorld({
      files: {
        '.github/quorum.yml': 'labels:\n  deliberate: talk-about-it\n  ready: good to go\n',
      },
    });
    const number = await world.ask(READY_ISSUE, 'talk-about-it');
    await world.idle();
    expect((await world.tell(number)).labels).toEqual(['good to go']);
  });

  test('in thread style each voice has its own comment', async () => {
    const { env } = await aModel();
    const world = await aWorld({
      env,
      files: { '.github/quorum.yml': 'council:\n  style: thread\n' },
    });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    const told = await world.tell(number);
    expect(told.comments.length).toBe(3);
    expect(told.comments.filter((body) => body.includes('would start')).length).toBe(3);
  });
});

test('the verdict is asked with the positions of everybody', async () => {
  const { server, env } = await aModel();
  const world = await aWorld({ env });
  await world.ask(READY_ISSUE);
  await world.idle();
  const verdict = server.calls.find(isVerdictCall);
  expect(verdict?.lastText).toContain('@priya: READY');
  expect(verdict?.lastText).toContain('@dev: READY');
});

test('the organisation’s settings hold where the repository says nothing', async () => {
  const world = await aWorld();
  await world.emulator.createRepository({
    owner: 'acme',
    name: '.github',
    files: { '.github/quorum.yml': 'labels:\n  ready: good to go\ncouncil:\n  mode: single\n' },
  });
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  const told = await world.tell(number);
  expect(told.labels).toEqual(['good to go']);
  expect(told.comments[0]).toContain('one reviewer');
});

verifies(
  'TG-1',
  'a persona that an agent rewrote stops the team until a person commits there',
  async () => {
    const soul = (lens: string): string =>
      `---\nhandle: robin\nname: Robin\nrole: Reviewer\nteam: engineering\nlens: ${lens}\n---\n\n## Who I am\n\nSomebody.\n`;
    const file = '.github/quorum/personas/robin.md';
    const world = await aWorld({ files: { [file]: soul('names') } });
    // Any App's account with write access.
    const bot = `${world.emulator.app(world.appId).slug}[bot]`;
    world.emulator.addCollaborator(REPO, bot, 'write');
    const put = async (login: string, lens: string): Promise<void> => {
      const ana = world.emulator.as('ana');
      const now = (await ana.request('GET', `/repos/${REPO}/contents/${file}`)) as { sha: string };
      await world.emulator.as(login).request('PUT', `/repos/${REPO}/contents/${file}`, {
        message: `chore: ${lens}`,
        content: Buffer.from(soul(lens)).toString('base64'),
        sha: now.sha,
      });
    };
    const first = await world.ask(READY_ISSUE);
    await world.idle();
    expect((await world.tell(first)).labels).toEqual(['ready']);

    await put(bot, 'always agreeing');
    const stopped = await world.ask({ ...READY_ISSUE, title: 'Add a --verbose flag' });
    await world.idle();
    expect((await world.tell(stopped)).comments[0]).toMatch(
      /^### Stopped: an agent changed @robin/,
    );

    await put('ana', 'names, as people agreed');
    const again = await world.ask({ ...READY_ISSUE, title: 'Add a --count option to tidy' });
    await world.idle();
    expect((await world.tell(again)).comments[0]).not.toMatch(/^### Stopped/);
  },
);
