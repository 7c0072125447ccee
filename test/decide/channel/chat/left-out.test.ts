/** What of a message does not reach GitHub, or which messages are not read: said in the thread, once. */
import { describe, expect, test } from 'vitest';
import { LOOK, POST, repository, Talk } from './a-talk.ts';
import { repliesLane } from '../../../../src/decide/channel/chat/chat-state.ts';

const opened = { outcome: 'created', number: 4, url: '' };
const bodyOf = (talk: Talk): string =>
  talk.wanted.flatMap((data) =>
    data.kind === 'issue' || data.kind === 'comment' ? [data.body] : [],
  )[0] ?? '';

describe('a request of more than 20,000 characters', () => {
  const ask = (length: number): Talk => new Talk().say('a'.repeat(length)).bring('look-chat', LOOK);

  test('is cut, and its author reads that', () => {
    const talk = ask(20_001);
    expect(talk.replies).toEqual([expect.stringContaining('more than 20,000 characters')]);
    expect(bodyOf(talk)).toContain('a'.repeat(20_000));
    expect(bodyOf(talk)).not.toContain('a'.repeat(20_001));
  });

  test('is taken as a whole up to that length, and nothing is said of it', () => {
    const talk = ask(20_000);
    expect(talk.replies).toEqual([]);
    expect(bodyOf(talk)).toContain('a'.repeat(20_000));
  });

  test('in a thread about an issue is cut in what is asked, too', () => {
    const talk = ask(10).bring('issue', opened);
    talk.say('b'.repeat(30_000), { why: 'seen', message: '2.0' }, true).bring('look-chat', LOOK);
    expect(talk.replies).toEqual([expect.stringContaining('more than 20,000 characters')]);
    talk.bring('comment', { id: 90, url: '', outcome: 'created' });
    expect(JSON.stringify(talk.told)).toContain('b'.repeat(20_000));
    expect(JSON.stringify(talk.told)).not.toContain('b'.repeat(20_001));
  });
});

test('a note of the team goes through the lane of the answers of its thread, and what one person alone reads does not', () => {
  const talk = new Talk().say('a'.repeat(20_001)).bring('look-chat', LOOK);
  const laneOf = (): unknown => talk.lanes[talk.kinds.indexOf('chat-reply')];
  expect(laneOf()).toBe(repliesLane(POST));
  talk.bring('issue', opened);
  const click = { verb: 'approve', repositoryId: 7, number: 4, digest: 'd' } as const;
  talk
    .say('/pm approve', { why: 'reply', message: '2.0', click }, true)
    .bring('look-chat', { repository, needed: 'write', code: 'ABC' });
  expect(talk.wanted).toMatchObject([{ kind: 'chat-reply', onlyFor: 'T1/U1' }]);
  expect(laneOf()).toBeUndefined();
});

test('the code to link an account waits for no answer of its thread, because it is good for 15 minutes', () => {
  const talk = new Talk().say('Add a flag');
  talk.bring('look-chat', { repository, needed: 'write', code: 'ABC' });
  const markdown = expect.stringContaining('/pm link ABC') as string;
  expect(talk.wanted).toMatchObject([{ kind: 'chat-reply', markdown }]);
  expect(talk.wanted[0]).not.toHaveProperty('isUrgent');
  expect(talk.lanes).toEqual([undefined]);
});

describe('messages that are too many at once', () => {
  /** The first is taken up, and these wait or are left out. */
  function crowd(more: number): Talk {
    const talk = new Talk().say('Add a flag').bring('look-chat', LOOK);
    for (let at = 2; at <= more + 1; at += 1) talk.say(`message ${at}`, { message: `${at}.0` });
    return talk;
  }

  /** All that waits is read, one after the other. */
  function drain(talk: Talk): string[] {
    const said: string[] = [];
    const note = (): void => void said.push(...talk.replies);
    // Its answer names the issue.
    talk.bring('issue', opened);
    while (talk.state?.phase !== undefined) {
      talk.bring('look-chat', LOOK);
      note();
      talk.bring('comment', { id: 90, url: '', outcome: 'created' });
      note();
    }
    return said;
  }

  test('are counted, and the thread reads the number once', () => {
    const talk = crowd(22);
    expect(talk.ignored).toBe('too much at once');
    expect(drain(talk)).toEqual([expect.stringContaining('I left out 3 messages')]);
    talk.say('and this', { why: 'seen', message: '99.0' });
    expect(talk.bring('look-chat', LOOK).replies).toEqual([]);
  });

  test('are not mentioned where all were read', () => {
    const talk = crowd(19);
    expect(talk.ignored).toBeUndefined();
    expect(drain(talk)).toEqual([]);
  });

  test('are counted below the first that was left out', () => {
    const talk = crowd(20);
    talk.bring('issue', opened);
    for (let left = 19; left > 0; left -= 1)
      talk.bring('look-chat', LOOK).bring('comment', { id: 90, url: '', outcome: 'created' });
    expect(talk.wanted).toMatchObject([
      {
        kind: 'chat-reply',
        chat: { ...POST, message: '21.0' },
        markdown: expect.stringContaining('1 message of') as string,
      },
    ]);
  });
});

test('a channel that may be for a repository beyond the first 100 is skipped with that reason', () => {
  const talk = new Talk().say('Add a flag').bring('look-chat', { needed: 'admin', isCut: true });
  expect(talk.ignored).toContain('first 100 repositories');
});

describe('text files of a message', () => {
  const file = { id: 'F1', name: 'app.log', bytes: 9, url: 'u', kind: 'text' } as const;
  const image = { ...file, kind: 'image', name: 'a.png' } as const;
  const recording = { ...file, kind: 'audio', name: 'a.m4a' } as const;
  const TEXT = { name: 'app.log', text: 'one @bob\n```\n/pm approve\n' };

  test('are looked at with it, and so are images, but no recordings', () => {
    const talk = new Talk().say('Mend this', { files: [file, image, recording] });
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', files: [file, image] }]);
    const { files } = new Talk().say('Mend this', { files: [recording] }).wanted[0] as {
      files?: unknown;
    };
    expect(files).toBeUndefined();
  });

  test('are quoted as code below the request, and call nobody', () => {
    const talk = new Talk().say('Mend this', { files: [file] });
    talk.bring('look-chat', { ...LOOK, texts: [TEXT] });
    expect(bodyOf(talk)).toBe(
      'Asked by `ana` in Slack:\n\nMend this\n\nThe file `app.log`:\n\n> ````\n> one @\u200bbob\n> ```\n> /pm approve\n> ````',
    );
  });

  test('say where only their beginning is quoted, and all of it fits into an issue', () => {
    const lines = '\n'.repeat(30_000) + 'x';
    const texts = [{ name: 'a', text: lines, isCut: true as const }];
    const talk = new Talk().say('a'.repeat(20_000), { files: [file] });
    const body = bodyOf(talk.bring('look-chat', { ...LOOK, texts }));
    expect(body).toContain('The file `a` (its beginning):');
    expect(body.length).toBeLessThan(65_536);
  });

  test.each([
    ['backticks alone', '`'.repeat(40_000)],
    ['a long row of backticks after other text', `${'x\n'.repeat(9_000)}${'`'.repeat(20_000)}`],
  ])('of %s fit into an issue with their fences', (_, text) => {
    const talk = new Talk().say('a'.repeat(20_000), { files: [file] });
    const body = bodyOf(talk.bring('look-chat', { ...LOOK, texts: [{ name: 'a', text }] }));
    expect(body).toContain('The file `a` (its beginning):');
    expect(body.length).toBeLessThan(65_536);
  });

  test('that were not read hold up no request, and their author hears of them', () => {
    const talk = new Talk().say('Mend this', { files: [file] });
    talk.bring('look-chat', { ...LOOK, unread: ['It is not text.'] });
    expect(talk.replies).toEqual(['It is not text.']);
    expect(talk.kinds).toContain('issue');
  });

  test('which people send to each other in a thread are left alone', () => {
    const talk = new Talk().say('Add a flag').bring('look-chat', LOOK).bring('issue', opened);
    talk.say('look', { files: [file], why: 'seen', message: '2.0' });
    expect(talk.wanted[0]).not.toHaveProperty('files');
    talk.bring('look-chat', LOOK).bring('comment', { id: 90, url: '', outcome: 'created' });
    talk.say('look', { files: [file], message: '3.0' });
    expect(talk.wanted[0]).toHaveProperty('files', [file]);
  });
});

describe('images of a message', () => {
  const file = { id: 'F1', name: 'x', bytes: 9, url: 'u', kind: 'image' } as const;
  const name = 'a`![x](https://evil.example)\n@bob /pm approve.png';
  const image = { name, type: 'PNG', width: 8, height: 6, bytes: 2_000 } as const;
  const line = "The image `a'![x](https: evil example) @bob pm approve`: PNG, 8 × 6 pixels";

  test('are noted below the request, with their names as code, and their author reads that nobody has seen them', () => {
    const talk = new Talk().say('Mend this', { files: [file] });
    talk.bring('look-chat', { ...LOOK, images: [image], unread: ['One more.'] });
    expect(bodyOf(talk)).toBe(
      `Asked by \`ana\` in Slack:\n\nMend this\n\n${line}, 2 KB. The team has not seen it.`,
    );
    expect(talk.replies).toEqual([
      expect.stringMatching(
        /^I note yours on GitHub by name, type and size\. I cannot see images\..*\n\nOne more\.$/,
      ),
    ]);
  });

  test('are not given our own words as a name where they have none', () => {
    const talk = new Talk().say('Mend this', { files: [file] });
    talk.bring('look-chat', { ...LOOK, images: [{ ...image, name: '.png' }] });
    expect(bodyOf(talk)).toContain('\n\nAn image without a name: PNG, 8 × 6 pixels');
  });

  test('are noted in a comment as well, with a link to the message where there is one', () => {
    const talk = new Talk().say('Add a flag').bring('look-chat', LOOK).bring('issue', opened);
    talk.say('like this', { files: [file], message: '2.0' });
    const permalink = 'https://x.slack.com/archives/C1/p20';
    talk.bring('look-chat', { ...LOOK, images: [image], permalink });
    expect(bodyOf(talk)).toBe(
      `\`ana\` in Slack:\n\n> like this\n\n${line}, 2 KB. The team has not seen it. It is in [Slack](${permalink}).`,
    );
  });
});
