/** `quorum personas`: list, show, check and render. */
import { describe, expect, test } from 'vitest';
import { verifies } from '../../verifies.ts';
import { aModel } from '../../helpers/a-model.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const OWN = `---
handle: olga
name: Olga
role: Database Reviewer
team: engineering
lens: what the query plan says
triggers: [issue_review]
model: standard
---
## Who I am

I read query plans.
`;

describe('quorum personas', () => {
  verifies('NW-1', 'lists the thirteen, and what a repository adds or takes out', async () => {
    const all = (await quorum(['personas', 'list', '--json'], { cwd: temporaryFolder() })).json();
    const handles = (all['personas'] as { handle: string }[]).map(({ handle }) => handle);
    expect(handles).toHaveLength(13);
    const cwd = temporaryFolder({
      '.github/quorum/personas/olga.md': OWN,
      '.github/quorum/personas/maya.md': '---\nhandle: maya\nactive: false\n---\n',
    });
    const own = (await quorum(['personas', 'list', '--json'], { cwd })).json();
    const now = (own['personas'] as { handle: string }[]).map(({ handle }) => handle);
    expect(now).toContain('olga');
    expect(now).not.toContain('maya');
  });

  test('the list is a table that names each and who leads', async () => {
    const { out, code } = await quorum(['personas', 'list'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    expect(out).toMatch(/^handle +name +team +role +looks for\n/);
    expect(out).toMatch(/^carlos +Carlos +engineering +Tech Lead \/ Architect · leads/m);
  });

  verifies(['NW-1', 'NW-3'], 'shows a persona by handle, name or role', async () => {
    for (const wanted of ['maya', '@maya', 'Maya', 'security']) {
      const { out, code } = await quorum(['personas', 'show', wanted]);
      expect(code).toBe(0);
      expect(out).toContain('Maya (@maya)');
    }
  });

  test('an unknown handle is exit code 2 with the nearest one', async () => {
    const { code, err, json } = await quorum(['personas', 'show', 'mya', '--json']);
    expect(code).toBe(2);
    expect(err).toContain('Did you mean maya? [persona-unknown]');
    expect(json()).toMatchObject({ ok: false, error: { code: 'persona-unknown' } });
  });

  verifies('NW-1', 'check names file, line and nearest key, and is exit code 1', async () => {
    const cwd = temporaryFolder({ 'team/olga.md': OWN.replace('lens:', 'lense:') });
    const { code, out } = await quorum(['personas', 'check', 'team'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/error team\/olga\.md:6:\d+: `lense` .*did you mean `lens`\?/);
    const sound = temporaryFolder({ 'team/olga.md': OWN });
    expect((await quorum(['personas', 'check', 'team'], { cwd: sound })).code).toBe(0);
  });

  test('check of a folder that is not there is exit code 2', async () => {
    const { code, err } = await quorum(['personas', 'check', 'nowhere'], {
      cwd: temporaryFolder(),
    });
    expect(code).toBe(2);
    expect(err).toContain('[folder-missing]');
  });

  verifies('NW-2', 'render prints the compiled prompt with mode and memory last', async () => {
    const cwd = temporaryFolder({ 'notes.md': 'The staging host is slow.\n' });
    const args = [
      'personas',
      'render',
      'maya',
      '--trigger',
      'issue_review',
      '--memory',
      'notes.md',
    ];
    const { out, code } = await quorum(args, { cwd });
    expect(code).toBe(0);
    expect(out).toContain('I am Maya (@maya)');
    expect(out.trimEnd().endsWith('> The staging host is slow.')).toBe(true);
    expect(await quorum(args, { cwd })).toMatchObject({ out });
    const plain = await quorum(['personas', 'render', 'maya'], { cwd });
    expect(plain.out).not.toContain('staging');
  });

  test('an unknown trigger is exit code 2 and names the known ones', async () => {
    const { code, err } = await quorum(['personas', 'render', 'maya', '--trigger', 'full_moon']);
    expect(code).toBe(2);
    expect(err).toContain('issue_review');
  });
});

describe('quorum personas phrases', () => {
  const SENTENCES = {
    claim: 'Task {{number}} is on my desk: {{title}}.',
    release: 'Task {{number}} leaves my desk. {{details}}',
    progress: 'Task {{number}} moves: {{details}}',
    blocked: 'Task {{number}} waits for you: {{details}}',
    failed: 'Task {{number}} broke: {{details}}',
    complete: 'Task {{number}} is planned and run: {{url}}',
    planComplete: '“{{title}}” runs on one index now.',
    issueCreated: '@{{username}}, it is written down: {{url}}',
    planCreated: 'The plan for “{{title}}”: {{url}}',
  };

  verifies('TG-19', 'a model writes sentences in the voice of the file, for the file', async () => {
    const { env, server } = await aModel({ phrases: () => ({ json: SENTENCES }) });
    const cwd = temporaryFolder({ '.github/quorum/personas/olga.md': OWN });
    const { out, code } = await quorum(['personas', 'phrases', 'olga'], { cwd, env });
    expect(code).toBe(0);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.system).toContain('I read query plans.');
    expect(out).toContain('- plan complete: “{{title}}” runs on one index now.\n');
    const written = temporaryFolder({ 'team/olga.md': `${OWN}\n${out}` });
    const checked = await quorum(['personas', 'check', 'team'], { cwd: written });
    expect(checked).toMatchObject({ code: 0 });
    const shown = await quorum(['personas', 'show', 'olga', '--json'], {
      cwd: temporaryFolder({ '.github/quorum/personas/olga.md': `${OWN}\n${out}` }),
    });
    expect(shown.json()['phrases']).toEqual(SENTENCES);
  });

  verifies('TG-19', 'a sentence without its placeholders is left out with the reason', async () => {
    const bad = { ...SENTENCES, claim: 'On my desk!', failed: 'Broke: {{details}} {{evil}}' };
    const { env } = await aModel({ phrases: () => ({ json: bad }) });
    const cwd = temporaryFolder({ '.github/quorum/personas/olga.md': OWN });
    const { out, err } = await quorum(['personas', 'phrases', 'olga'], { cwd, env });
    expect(out).not.toMatch(/claim|failed/);
    expect(out).toContain('- release: ');
    expect(err).toBe(
      'claim is left out, so the built-in sentence is used: it must contain {{number}}\n' +
        'failed is left out, so the built-in sentence is used: {{evil}} is not one of number, title, url, details, username\n',
    );
  });

  test('without a model nothing is written, and the message says what to set', async () => {
    const { code, out, err } = await quorum(['personas', 'phrases', 'maya'], { env: {} });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Set ANTHROPIC_API_KEY, OPENAI_API_KEY or QUORUM_MODELS');
  });
});
