/** The offline model judges real issues: each voice from its own point of view, the lead from all of it. */
import { describe, expect, test } from 'vitest';
import { createOfflineModel } from '../../../../src/adapters/model/offline/offline.ts';
import { decideEvidence } from '../../../../src/rules/issue/decide-evidence.ts';
import { renderEvidence } from '../../../../src/rules/issue/render-evidence.ts';
import {
  ChangePosition,
  ChangeVerdict,
  CHANGE_VERDICTS,
  ISSUE_VERDICTS,
  IssuePosition,
  IssueVerdict,
} from '../../../../src/domain/run/council.ts';
import type { Evidence, OfflineBrief } from '../../../../src/domain/run/evidence.ts';
import { ISSUES } from '../../../rules/issue/issue-fixtures.ts';
import { aView } from '../../../rules/issue/small-repository.ts';
import { verifies } from '../../../verifies.ts';

type Judge = OfflineBrief['persona'];

const TEAM: Readonly<Record<string, Judge>> = {
  maya: {
    handle: 'maya',
    name: 'Maya',
    role: 'Security Reviewer',
    lens: 'who can reach this code',
    domains: ['auth'],
  },
  priya: {
    handle: 'priya',
    name: 'Priya',
    role: 'QA Engineer',
    lens: 'what breaks',
    domains: ['tests'],
  },
  dev: {
    handle: 'dev',
    name: 'Dev',
    role: 'Implementer',
    lens: 'what it takes',
    domains: ['typescript'],
  },
  carlos: {
    handle: 'carlos',
    name: 'Carlos',
    role: 'Tech Lead / Architect',
    lens: 'where it belongs',
    domains: ['scope'],
  },
};

async function ask(
  evidence: Evidence,
  handle: string,
  more: Partial<OfflineBrief> = {},
): Promise<string> {
  const brief: OfflineBrief = {
    evidence,
    purpose: 'position',
    persona: TEAM[handle] ?? TEAM['carlos']!,
    verdicts: ISSUE_VERDICTS,
    round: 1,
    mode: 'blind',
    ...more,
  };
  const answer = await createOfflineModel().generate({
    model: 'offline',
    system: [],
    messages: [],
    evidence: brief,
    maxOutputTokens: 2000,
    timeoutMs: 1000,
  });
  return answer.text;
}

const evidenceOf = (name: string): Evidence => {
  const issue = ISSUES.find((one) => one.name === name);
  if (issue === undefined) throw new Error(`no issue called ${name}`);
  return decideEvidence(aView(issue.input));
};

/** What the council does: blind positions, then the lead with all of them in view. */
async function discuss(
  evidence: Evidence,
): Promise<{ said: string[]; verdict: IssueVerdictValue }> {
  const positions: Evidence['positions'] = [];
  const said: string[] = [];
  for (const handle of ['maya', 'priya', 'dev']) {
    const position = IssuePosition.parse(JSON.parse(await ask(evidence, handle)));
    if (position.skip) continue;
    const { vote, confidence, line, findings } = position;
    positions.push({
      handle,
      vote,
      confidence,
      line,
      findings: findings.map(({ title }) => title),
    });
    said.push(`${handle} · ${vote} · ${confidence} · ${line}`);
  }
  const text = await ask({ ...evidence, positions }, 'carlos', { purpose: 'verdict' });
  return { said, verdict: IssueVerdict.parse(JSON.parse(text)) };
}

type IssueVerdictValue = ReturnType<typeof IssueVerdict.parse>;

describe('verdicts on issues', () => {
  for (const { name, verdict, says, input } of ISSUES)
    verifies('NW-9', `${name} is ${verdict}, with its reason`, async () => {
      const result = await discuss(decideEvidence(aView(input)));
      expect(result.verdict.verdict).toBe(verdict);
      expect(JSON.stringify(result.verdict)).toMatch(says);
      expect(result.verdict.reasons.length).toBeGreaterThan(20);
      expect(result.said.length).toBeGreaterThan(0);
      expect(new Set(result.said.map((line) => line.split(' · ').at(-1))).size).toBe(
        result.said.length,
      );
    });

  verifies(
    'NW-9',
    'a close names its reason, a duplicate its original, a draft what is missing, a human one question',
    async () => {
      const duplicate = await discuss(evidenceOf('a duplicate of an open issue'));
      expect(duplicate.verdict).toMatchObject({ closeReason: 'duplicate', duplicateOf: 12 });
      const refused = await discuss(evidenceOf('a request that was refused before'));
      expect(refused.verdict).toMatchObject({ closeReason: 'not-planned' });
      const spam = await discuss(evidenceOf('advertising'));
      expect(spam.verdict).toMatchObject({ closeReason: 'invalid' });
      const draft = await discuss(evidenceOf('a bug without anything to go by'));
      expect(draft.verdict.changes.length).toBeGreaterThan(0);
      const human = await discuss(evidenceOf('a choice for people'));
      expect(human.verdict.question?.match(/\?/g)).toHaveLength(1);
    },
  );

  test('a posted credential appears in no answer', async () => {
    const { said, verdict } = await discuss(evidenceOf('a posted credential'));
    expect(JSON.stringify([said, verdict])).not.toContain('A1b2C3d4A1b2');
  });

  test.each([
    'a bug with a stack trace',
    'a duplicate of an open issue',
    'a choice for people',
    'a weakness described in public',
  ])('how it reads: %s', async (name) => {
    const { said, verdict } = await discuss(evidenceOf(name));
    const { headline, reasons, question } = verdict;
    expect(
      [
        ...said,
        '',
        `${verdict.verdict} · ${verdict.confidence} · ${headline}`,
        reasons,
        question ?? '',
      ].join('\n'),
    ).toMatchSnapshot();
  });
});

describe('positions', () => {
  test('each voice says its own, or nothing', async () => {
    const evidence = evidenceOf('a bug with a stack trace');
    const lines = await Promise.all(
      ['maya', 'priya', 'dev'].map(async (handle) =>
        IssuePosition.parse(JSON.parse(await ask(evidence, handle))),
      ),
    );
    expect(lines.map(({ skip }) => skip)).toEqual([true, false, false]);
    expect(lines[1]?.line).toContain('test case');
    expect(lines[2]?.line).toContain('src/parse.ts#L15');
  });

  test('a persona of the repository is judged by its role and domains', async () => {
    const evidence = evidenceOf('a weakness described in public');
    const persona: Judge = {
      handle: 'zoe',
      name: 'Zoe',
      role: 'Threat analyst',
      lens: 'security of everything',
      domains: [],
    };
    const position = IssuePosition.parse(JSON.parse(await ask(evidence, 'zoe', { persona })));
    expect(position).toMatchObject({ skip: false, vote: 'HUMAN' });
    expect(position.findings[0]).toMatchObject({
      ruleId: 'security-report-in-public',
      severity: 'high',
    });
  });

  test('in round 2 the weaker case gives way, and the stronger one answers', async () => {
    const evidence = evidenceOf('a speed claim without a figure');
    const other = {
      handle: 'maya',
      vote: 'HUMAN',
      line: 'this reads uploads',
      findings: ['Uploads are unchecked.'],
    };
    const strong = { ...evidence, positions: [{ ...other, confidence: 0.95 }] };
    const gives = IssuePosition.parse(JSON.parse(await ask(strong, 'priya', { round: 2 })));
    expect(gives).toMatchObject({ vote: 'HUMAN', skip: false });
    expect(gives.line).toContain('@maya has the stronger case');
    const weak = { ...evidence, positions: [{ ...other, confidence: 0.4 }] };
    const stays = IssuePosition.parse(JSON.parse(await ask(weak, 'priya', { round: 2 })));
    expect(stays.vote).toBe('DRAFT');
    expect(stays.reasons).toContain('@maya says: Uploads are unchecked.');
    expect(IssuePosition.parse(JSON.parse(await ask(evidence, 'priya', { round: 2 }))).skip).toBe(
      true,
    );
  });
});

describe('the lead', () => {
  const position = (
    handle: string,
    vote: string,
    confidence: number,
  ): Evidence['positions'][number] => ({
    handle,
    vote,
    confidence,
    line: `${handle} thinks so`,
    findings: [],
  });

  test('an even split between going on and closing goes to a person', async () => {
    const evidence = {
      ...evidenceOf('a small feature with its outcome'),
      positions: [position('dev', 'READY', 0.8), position('priya', 'CLOSE', 0.8)],
    };
    const verdict = IssueVerdict.parse(
      JSON.parse(await ask(evidence, 'carlos', { purpose: 'verdict' })),
    );
    expect(verdict.verdict).toBe('HUMAN');
    expect(verdict.question).toContain('priya');
  });

  test('nothing is closed without a reason that was found', async () => {
    const evidence = {
      ...evidenceOf('a small feature with its outcome'),
      positions: ['a', 'b', 'c', 'd', 'e', 'f'].map((handle) => position(handle, 'CLOSE', 0.95)),
    };
    const verdict = IssueVerdict.parse(
      JSON.parse(await ask(evidence, 'carlos', { purpose: 'verdict' })),
    );
    expect(verdict.verdict).not.toBe('CLOSE');
  });

  test('another round only when a serious finding meets a firm vote the other way, and only once', async () => {
    const base = evidenceOf('a weakness described in public');
    const agreed = {
      ...base,
      positions: [position('maya', 'HUMAN', 0.8), position('dev', 'HUMAN', 0.7)],
    };
    const round = async (evidence: Evidence, more: Partial<OfflineBrief> = {}): Promise<boolean> =>
      IssueVerdict.parse(JSON.parse(await ask(evidence, 'carlos', { purpose: 'verdict', ...more })))
        .anotherRound;
    expect(await round(agreed)).toBe(false);
    const outvoted = {
      ...base,
      positions: [
        position('maya', 'HUMAN', 0.8),
        ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((handle) =>
          position(handle, 'READY', 0.95),
        ),
      ],
    };
    expect(await round(outvoted)).toBe(true);
    expect(await round(outvoted, { round: 2 })).toBe(false);
    expect(await round(outvoted, { mode: 'single' })).toBe(false);
  });

  test('an unsure answer leaves the question open', async () => {
    const evidence = evidenceOf('a choice for people');
    for (const text of ['Not sure, need to think.', 'What do the others say?']) {
      const asked = { ...evidence, answers: [{ login: 'bo', text, isByMaintainer: true }] };
      expect((await discuss(asked)).verdict.verdict).toBe('HUMAN');
    }
    const stranger = {
      ...evidence,
      answers: [{ login: 'eve', text: 'go ahead', isByMaintainer: false }],
    };
    expect((await discuss(stranger)).verdict.verdict).toBe('HUMAN');
  });
});

describe('the model', () => {
  test('the same facts give the same bytes, free of charge', async () => {
    const evidence = evidenceOf('a choice for people');
    expect(await ask(evidence, 'dev')).toBe(await ask(evidence, 'dev'));
    const answer = await createOfflineModel().generate({
      model: 'standard',
      system: [],
      messages: [],
      maxOutputTokens: 1,
      timeoutMs: 1,
      evidence: {
        evidence,
        purpose: 'verdict',
        persona: TEAM['carlos'],
        verdicts: ISSUE_VERDICTS,
        round: 1,
        mode: 'blind',
      },
    });
    expect(answer.finishReason).toBe('stop');
    expect(answer.calls).toMatchObject([
      { provider: 'offline', pool: 'standard', costUsd: 0, outcome: 'ok' },
    ]);
  });

  test('without facts it says so', async () => {
    const request = {
      model: 'offline',
      system: [],
      messages: [],
      maxOutputTokens: 1,
      timeoutMs: 1,
    };
    await expect(createOfflineModel().generate(request)).rejects.toMatchObject({
      code: 'offline-needs-evidence',
    });
  });

  test('where the votes are about a change, severity decides', async () => {
    const base = evidenceOf('a small feature with its outcome');
    const change = { verdicts: CHANGE_VERDICTS };
    const serious: Evidence = {
      ...base,
      signals: [
        {
          ruleId: 'touches-auth',
          severity: 'high',
          title: 'The check is gone.',
          evidence: 'line removed',
          concerns: ['maya'],
          place: { path: 'src/server/session.ts', line: 3 },
        },
      ],
    };
    const position = ChangePosition.parse(JSON.parse(await ask(serious, 'maya', change)));
    expect(position).toMatchObject({ vote: 'CHANGES', skip: false });
    const verdict = ChangeVerdict.parse(
      JSON.parse(await ask(serious, 'carlos', { ...change, purpose: 'verdict' })),
    );
    expect(verdict).toMatchObject({
      verdict: 'CHANGES',
      changes: [{ place: { path: 'src/server/session.ts', line: 3 } }],
    });
    const fine = ChangeVerdict.parse(
      JSON.parse(await ask(base, 'carlos', { ...change, purpose: 'verdict' })),
    );
    expect(fine.verdict).toBe('APPROVE');
  });

  test('the facts as a prompt sees them', () => {
    expect(renderEvidence(evidenceOf('a duplicate of an open issue'))).toMatchSnapshot();
  });
});

describe('readiness', () => {
  const vague = {
    title: 'Colours for the dashboard tiles',
    body: 'A palette with warm tones, calm and friendly all around.',
  };
  const clear = {
    title: 'Crash on an empty line',
    body: '`parseTable` in `src/parse.ts` crashes. Steps: run `tabular convert empty.csv`. It should print an empty table.',
  };
  const verdictOf = async (
    evidence: Evidence,
    mode: OfflineBrief['mode'],
  ): Promise<IssueVerdictValue> =>
    IssueVerdict.parse(JSON.parse(await ask(evidence, 'carlos', { purpose: 'verdict', mode })));

  test('what names nothing, shows nothing and states no outcome is a draft that says so', async () => {
    const evidence = { ...decideEvidence(aView(vague)), signals: [] };
    const { verdict, changes } = await verdictOf(evidence, 'single');
    expect(verdict).toBe('DRAFT');
    expect(changes[0]?.text).toMatch(/file, command or message/);
    const eager = { handle: 'dev', vote: 'READY', confidence: 0.9, line: 'Go.', findings: [] };
    const urged = await verdictOf({ ...evidence, positions: [eager] }, 'blind');
    expect(urged.verdict).toBe('DRAFT');
  });

  test('a clear issue is ready when somebody says so, and when the lead is alone', async () => {
    const evidence = decideEvidence(aView(clear));
    const unsaid = await verdictOf(evidence, 'blind');
    expect(unsaid.verdict).toBe('DRAFT');
    expect(unsaid.headline).toMatch(/somebody on the team/);
    expect((await discuss(evidence)).verdict.verdict).toBe('READY');
    expect((await verdictOf(evidence, 'single')).verdict).toBe('READY');
  });

  test('a maintainer who answers is a voice for it, whatever was voted before', async () => {
    const position = { handle: 'dev', vote: 'HUMAN', confidence: 0.5, line: '?', findings: [] };
    const answer = { login: 'ana', text: 'Go ahead.', isByMaintainer: true };
    const evidence = decideEvidence(aView(clear));
    const before = await verdictOf({ ...evidence, positions: [position] }, 'blind');
    const after = await verdictOf(
      { ...evidence, positions: [position], answers: [answer] },
      'blind',
    );
    expect([before.verdict, after.verdict]).toEqual(['DRAFT', 'READY']);
  });

  test('random characters and base64 are closed as invalid', async () => {
    for (const text of ['q7XvK2'.repeat(100), 'QmFzZTY0WHZr'.repeat(250)]) {
      const { verdict } = await discuss(
        decideEvidence(aView({ title: text.slice(0, 60), body: text })),
      );
      expect([verdict.verdict, verdict.closeReason]).toEqual(['CLOSE', 'invalid']);
    }
  });
});
