/** A conversation in a channel, without a world: whom the team listens to, what reaches GitHub, and what people read. */
import { describe, expect, test } from 'vitest';
import { codeDigest } from '../../../../src/domain/channel/identities.ts';
import type { ChatMessage } from '../../../../src/domain/channel/chat-thread.ts';
import { DEFAULT_LABELS } from '../../../../src/domain/repository/labels.ts';
import type { EventData } from '../../../../src/domain/event/event.ts';
import { ANA, LOOK, POST, repository, Talk } from './a-talk.ts';

const opened = { outcome: 'created', number: 4, url: '' };
const asked = (text = 'Please add a dark mode'): Talk =>
  new Talk().say(text).bring('look-chat', LOOK);
/** The thread is about issue 4. */
const joined = (): Talk => asked().bring('issue', opened);

describe('a first request', () => {
  test('is looked at with its author, then opened as an issue that quotes it and pings nobody', () => {
    const talk = new Talk().say('@ben add a dark mode\n\n- in settings');
    expect(talk.wanted).toEqual([
      {
        kind: 'look-chat',
        chat: { ...POST, message: '1.0' },
        person: { id: 'T1/U1', name: 'Ana', isBot: false },
      },
    ]);
    talk.bring('look-chat', LOOK);
    expect(talk.wanted).toMatchObject([
      {
        kind: 'issue',
        repository,
        title: '@ben add a dark mode',
        body: 'Asked by `ana` in Slack:\n\n@\u200bben add a dark mode\n\n- in settings',
        labels: [],
        marker: { kind: 'notice', run: talk.state?.id },
      },
      { kind: 'chat-react', repository, chat: { ...POST, message: '1.0' }, reaction: 'seen' },
    ]);
  });

  test('names its message on GitHub, and its issue below the message', () => {
    const permalink = 'https://acme.slack.com/archives/C1/p10';
    const talk = new Talk().say('dark mode').bring('look-chat', { ...LOOK, permalink });
    expect(talk.wanted[0]).toMatchObject({
      body: `Asked by \`ana\` in [Slack](${permalink}):\n\ndark mode`,
    });
    talk.bring('issue', { ...opened, url: 'https://github.com/octo/shop/issues/4' });
    expect(talk.wanted).toMatchObject([
      {
        kind: 'chat-reply',
        chat: { ...POST, message: '1.0' },
        markdown: 'Your request is [octo/shop#4](https://github.com/octo/shop/issues/4).',
      },
    ]);
    expect(asked().bring('issue', { outcome: 'full' }).wanted).toEqual([]);
  });

  test('once its issue is there, is planned for its author, and the channels learn of the thread', () => {
    const { told, state } = joined();
    expect(told).toEqual([
      {
        key: 'channels:7',
        data: { kind: 'chat-joined', run: state?.id, repository, number: 4, thread: POST },
      },
      {
        key: 'thread:7/4',
        data: {
          kind: 'trigger',
          trigger: {
            kind: 'requested',
            thread: { ...repository, number: 4 },
            actor: { id: 11, login: 'ana', isBot: false },
            label: DEFAULT_LABELS['plan-me'],
            meaning: 'plan-me',
            by: 'command',
          },
        },
      },
    ]);
    expect(state).toMatchObject({ number: 4, repository, heard: [] });
    expect(state).not.toHaveProperty('phase');
  });

  test.each([
    ['  \n \n', 'A request'],
    ['x'.repeat(120), 'x'.repeat(120)],
    ['x'.repeat(121), `${'x'.repeat(119)}…`],
  ])('has its first line as the title: %j', (text, title) => {
    expect(asked(text).wanted).toMatchObject([{ title }, {}]);
  });

  test('an issue that was not opened leaves the thread free for the next request', () => {
    const talk = asked().bring('issue', { outcome: 'full' });
    expect(talk.told).toEqual([]);
    expect(talk.state).not.toHaveProperty('number');
    expect(talk.say('again').kinds).toEqual(['look-chat']);
  });
});

describe('while the team is paused', () => {
  const PAUSED = { ...LOOK, pausedBy: 'tom' };

  test('a request is kept, and its author reads once why nothing happens', () => {
    const talk = new Talk().say('Please add a dark mode').bring('look-chat', PAUSED);
    expect(talk.kinds).toEqual(['chat-reply', 'issue', 'chat-react']);
    expect(talk.replies[0]).toMatch(
      /^`tom` paused the work .* kept for up to 70 hours.*`\/pm resume`/,
    );
    talk.say('And hurry', { message: '1.1' }).bring('issue', opened).bring('look-chat', PAUSED);
    expect(talk.replies).toEqual([]);
  });

  test.each(['thanks!', 'Thank you, Maya'])('%s is no request that could be kept', (text) => {
    const talk = new Talk().say(text).bring('look-chat', PAUSED);
    expect(talk.kinds).toEqual(['chat-react']);
  });

  test('a later pause is explained again', () => {
    const paused = () => new Talk().say('One').bring('look-chat', PAUSED);
    const talk = paused().bring('issue', { outcome: 'planned' });
    talk.say('Two', { message: '1.2' }).bring('look-chat', LOOK);
    expect(talk.replies).toEqual([]);
    talk.bring('issue', { outcome: 'planned' });
    talk.say('Three', { message: '1.3' }).bring('look-chat', PAUSED);
    expect(talk.replies).toHaveLength(1);
  });

  test('in a thread about an issue no reply explains it: what is said there reaches GitHub', () => {
    const talk = joined().say('/pm resume', {}, true).bring('look-chat', PAUSED);
    expect(talk.kinds).toEqual(['comment', 'chat-react']);
  });

  test('nobody reads of it where posts are public', () => {
    const place = { channel: 'bluesky', place: '', thread: 'at://1' } as const;
    const links = ['https://github.com/octo/shop'];
    const talk = new Talk().say('Add a dark mode', { ...place, links });
    expect(talk.bring('look-chat', PAUSED).replies).toEqual([]);
  });
});

describe('a later message', () => {
  test('is quoted on the issue, and counts there as a comment of its author', () => {
    const talk = joined().say('/pm approve\n@ben look', { why: 'seen', message: '2.0' }, true);
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', at: { ...repository, number: 4 } }]);
    talk.bring('look-chat', { ...LOOK, planDigest: 'shown' });
    expect(talk.wanted).toMatchObject([
      {
        kind: 'comment',
        thread: { ...repository, number: 4 },
        body: '`ana` in Slack:\n\n> /pm approve\n> @\u200bben look',
      },
      { kind: 'chat-react', chat: { message: '2.0' }, reaction: 'seen' },
    ]);
    talk.bring('comment', { id: 90, url: '', outcome: 'created', updatedAt: 'then' });
    expect(talk.told).toMatchObject([
      {
        key: 'thread:7/4',
        data: {
          kind: 'trigger',
          trigger: {
            kind: 'commented',
            actor: { id: 11, login: 'ana', isBot: false },
            commentId: 90,
            isByBot: false,
            address: {
              updatedAt: 'then',
              planDigest: 'shown',
              relayed: { text: '/pm approve\n@ben look', at: '2026-06-01T09:00:00.000Z' },
            },
          },
        },
      },
    ]);
  });

  test('that addresses nobody reaches the issue without an address, so that it starts nothing', () => {
    const talk = joined().say('nice', { why: 'reply' }).bring('look-chat', LOOK);
    talk.bring('comment', { id: 91, url: '', outcome: 'created' });
    expect(talk.told).toMatchObject([{ data: { trigger: { kind: 'commented' } } }]);
    expect(talk.told[0]?.data).not.toHaveProperty('trigger.address');
  });

  test('of thanks gets a reaction alone', () => {
    const talk = joined().say('thanks!').bring('look-chat', LOOK);
    expect(talk.wanted).toMatchObject([{ kind: 'chat-react', reaction: 'done' }]);
    expect(talk.state?.heard).toEqual([]);
  });

  test('waits until the one before it is done with', () => {
    const talk = new Talk().say('first').say('second', { message: '2.0' });
    expect(talk.wanted).toEqual([]);
    talk.bring('look-chat', LOOK).bring('issue', opened);
    expect(talk.wanted).toMatchObject([
      { kind: 'chat-reply', chat: { message: '1.0' } },
      { kind: 'look-chat', chat: { message: '2.0' } },
    ]);
  });

  test('goes to the plan once the issue has one', () => {
    const talk = joined().tell({ kind: 'chat-moved', run: 'r', repository, from: 4, to: 9 });
    expect(talk.say('and?').wanted).toMatchObject([{ at: { number: 9 } }]);
    talk.tell({ kind: 'chat-moved', run: 'r', repository, from: 4, to: 12 });
    expect(talk.state?.number).toBe(9);
  });
});

describe('the team does not listen to', () => {
  test.each([
    [
      'a bot',
      { author: { id: 'B1', name: 'Bot', isBot: true } },
      'automated accounts are not answered',
    ],
    [
      'talk that does not address the team',
      { why: 'seen' as const },
      'it does not address the team',
    ],
  ])('%s', (_, over, reason) => {
    const talk = new Talk().say('hello', over);
    expect([talk.ignored, talk.wanted, talk.state?.heard]).toEqual([reason, [], []]);
  });

  test('the twenty-first of those that wait', () => {
    const talk = new Talk();
    for (let n = 1; n <= 20; n += 1) talk.say(`message ${n}`);
    expect([talk.ignored, talk.state?.heard.length]).toEqual([undefined, 20]);
    expect(talk.say('one more').ignored).toBe('too much at once');
  });

  test('a channel that is for no repository', () => {
    const talk = new Talk().say('hello').bring('look-chat', { needed: 'write' });
    expect([talk.ignored, talk.wanted]).toEqual(['no repository is for this channel', []]);
    expect(talk.state?.heard).toEqual([]);
  });

  test('somebody whose permission is too small, with a sentence that says which is needed', () => {
    const person = { ...ANA, permission: 'read' } as const;
    const talk = new Talk().say('hello').bring('look-chat', { ...LOOK, person });
    expect(talk.replies).toEqual([
      '`ana` has the permission `read` in `octo/shop`. This needs `write`.',
    ]);
    expect(talk.kinds).toEqual(['chat-reply', 'chat-react']);
    expect(talk.wanted[1]).toMatchObject({ reaction: 'refused' });
    expect(talk.state).not.toHaveProperty('repository');
  });

  test('a result that nothing waits for', () => {
    const talk = new Talk().say('hello').bring('issue', opened);
    expect(talk.ignored).toBe('nothing waits for it');
    expect(talk.state?.phase).toMatchObject({ kind: 'looking' });
  });

  test('nobody after a look that failed: the next message is read', () => {
    const talk = new Talk().say('first').say('second', { message: '2.0' });
    const effectId = talk.state?.phase?.effectId ?? '';
    const failure = { code: 'github-unavailable', message: 'no', retryable: false };
    talk.tell({
      kind: 'failed',
      run: 'r',
      effectId,
      effectKind: 'look-chat',
      failure,
    } as EventData);
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', chat: { message: '2.0' } }]);
  });

  test('an event of another kind', () => {
    const talk = new Talk().tell({ kind: 'heard-until', run: 'r', cursor: 'c' });
    expect(talk.ignored).toBe('not for a channel');
  });
});

describe('somebody whom nobody on GitHub is known for', () => {
  const { person: _, ...unknown } = LOOK;
  const WITH_CODE = { ...unknown, code: 'abcdefghij' };

  test('reads once how to link an account; the code itself is in no event', () => {
    const talk = new Talk().say('hello').bring('look-chat', WITH_CODE);
    expect(talk.replies).toMatchObject([expect.stringContaining('`/pm link abcdefghij`')]);
    expect(talk.told).toEqual([
      {
        key: 'identities:all',
        data: {
          kind: 'link-asked',
          run: talk.state?.id,
          person: { id: 'T1/U1', name: 'Ana', isBot: false },
          chat: { ...POST, message: '1.0' },
          codeDigest: codeDigest('abcdefghij'),
        },
      },
    ]);
    expect(JSON.stringify(talk.told)).not.toContain('abcdefghij');
    const again = talk.say('hello?').bring('look-chat', WITH_CODE);
    expect([again.ignored, again.wanted]).toEqual(['nobody on GitHub is known for its author', []]);
  });

  test('reads no second hint in another thread', () => {
    const hinted = { ...WITH_CODE, wasHinted: true };
    const talk = new Talk().say('hello').bring('look-chat', hinted);
    expect([talk.ignored, talk.wanted, talk.told]).toEqual([
      'nobody on GitHub is known for its author',
      [],
      [],
    ]);
  });

  test('gets no code where none was made', () => {
    const talk = new Talk().say('hello').bring('look-chat', unknown);
    expect([talk.wanted, talk.told]).toEqual([[], []]);
  });

  test('is greeted in a thread that is about an issue, and may ask for a code again later', () => {
    const talk = joined();
    const person = { id: 'T1/U2', name: 'Ben', isBot: false };
    talk.say('hi', { author: person }).bring('look-chat', WITH_CODE);
    expect(talk.state?.told).toEqual(['T1/U2']);
    const chat = { ...POST, message: '2.0' };
    talk.tell({
      kind: 'linked',
      run: 'r',
      by: { id: 12, login: 'ben', isBot: false },
      person,
      chat,
    } as EventData);
    expect(talk.replies).toEqual(['You are `ben` on GitHub now.']);
    expect(talk.state?.told).toEqual([]);
    const elsewhere = { ...chat, thread: '9.0' };
    talk.tell({
      kind: 'linked',
      run: 'r',
      by: { id: 12, login: 'ben', isBot: false },
      person,
      chat: elsewhere,
    } as EventData);
    expect(talk.wanted).toEqual([]);
  });
});

describe('a pressed button', () => {
  const click = { verb: 'approve', repositoryId: 7, number: 4, digest: 'ab'.repeat(20) } as const;
  const press = (talk: Talk): Talk =>
    talk.say('/pm approve', { why: 'reply', message: '2.0', click }, true);

  test('reaches GitHub as the command that it stands for, and once', () => {
    const talk = press(joined()).bring('look-chat', LOOK);
    expect(talk.kinds).toEqual(['comment']);
    expect(talk.wanted).toMatchObject([
      { body: '`ana` in Slack, with a button:\n\n> /pm approve' },
    ]);
    talk.bring('comment', { id: 90, url: '', outcome: 'created' });
    expect(talk.told).toMatchObject([{ key: 'thread:7/4' }]);
    const again = press(talk).bring('look-chat', LOOK);
    expect([again.ignored, again.wanted]).toEqual(['the button was pressed before', []]);
  });

  test('may be pressed again where GitHub did not take it', () => {
    const talk = press(joined()).bring('look-chat', LOOK);
    const effectId = talk.state?.phase?.effectId ?? '';
    const failure = { code: 'github-unavailable', message: 'no', retryable: false };
    talk.tell({ kind: 'failed', run: 'r', effectId, effectKind: 'comment', failure } as EventData);
    expect(talk.wanted).toMatchObject([
      {
        kind: 'chat-reply',
        onlyFor: 'T1/U1',
        markdown: expect.stringContaining('not reach GitHub'),
      },
    ]);
    expect(press(talk).bring('look-chat', LOOK).kinds).toEqual(['comment']);
  });

  test('in a thread that is about no issue opens none', () => {
    const talk = press(new Talk()).bring('look-chat', LOOK);
    expect([talk.ignored, talk.wanted]).toEqual(['the button is about another plan', []]);
  });

  test('of a head goes to its pull request, in the conversation about its plan', () => {
    const head = { ...click, number: 9, of: 'head' } as const;
    const talk = joined().say('/pm approve', { why: 'reply', message: '2.0', click: head }, true);
    const at = { ...repository, number: 9 };
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', at, of: 'head' }]);
    talk.bring('look-chat', { ...LOOK, headSha: head.digest });
    expect(talk.wanted).toMatchObject([{ kind: 'comment', thread: at }]);
    talk.bring('comment', { id: 90, url: '', outcome: 'created' });
    expect(talk.told).toMatchObject([{ key: 'thread:7/9', data: { trigger: { thread: at } } }]);
    expect(talk.state?.number).toBe(4);
  });

  test('is refused where its author alone reads it', () => {
    const person = { ...ANA, permission: 'read' } as const;
    const talk = press(joined()).bring('look-chat', { ...LOOK, person });
    expect(talk.wanted).toMatchObject([{ kind: 'chat-reply', onlyFor: 'T1/U1' }]);
    expect(talk.wanted).toHaveLength(1);
  });

  test('of somebody who is not linked is answered with a code each time, for them alone', () => {
    const { person: _, ...unknown } = LOOK;
    const talk = joined();
    talk.say('hi', { why: 'reply' }).bring('look-chat', { ...unknown, code: 'first' });
    for (const code of ['abcdefghij', 'klmnopqrst']) {
      press(talk).bring('look-chat', { ...unknown, code, wasHinted: true });
      expect(talk.wanted).toMatchObject([
        { kind: 'chat-reply', onlyFor: 'T1/U1', markdown: expect.stringContaining(code) },
      ]);
    }
  });
});

describe('on Bluesky', () => {
  const LINKS = ['https://github.com/octo/shop/issues/4'];
  const post = (talk: Talk, text: string, over: Partial<ChatMessage> = {}): Talk =>
    talk.say(text, { channel: 'bluesky', links: LINKS, ...over }, text.startsWith('/pm'));
  const FOUND = { ...LOOK, number: 4 };

  test('the linked issue is what the thread is about, and a question is asked there', () => {
    const talk = post(new Talk(), 'where\nis it?');
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', links: LINKS }]);
    expect(talk.wanted[0]).not.toHaveProperty('at');
    talk.bring('look-chat', FOUND);
    expect(talk.told).toMatchObject([
      { key: 'channels:7', data: { kind: 'chat-joined', number: 4 } },
    ]);
    expect(talk.wanted).toMatchObject([
      { kind: 'comment', body: '`ana` in Bluesky:\n\n> /pm ask where is it?' },
      { kind: 'chat-react', reaction: 'seen' },
    ]);
    talk.bring('comment', { id: 90, url: '', outcome: 'created' });
    const relayed = {
      text: '/pm ask where is it?',
      asked: { channel: 'bluesky', message: '1.0' },
    };
    expect(talk.told).toMatchObject([{ data: { trigger: { address: { relayed } } } }]);
  });

  test('words that call somebody, and commands, stay what they are', () => {
    const talk = post(new Talk(), '/pm status').bring('look-chat', FOUND);
    expect(talk.wanted[0]).toMatchObject({ body: '`ana` in Bluesky:\n\n> /pm status' });
  });

  test('a reply without a link goes where the thread is', () => {
    const talk = post(new Talk(), 'where?').bring('look-chat', FOUND);
    talk.bring('comment', { id: 90, url: '', outcome: 'created' });
    post(talk, 'and why?', { links: [], message: '2.0', why: 'reply' });
    expect(talk.wanted).toMatchObject([{ at: { number: 4 } }]);
    expect(talk.wanted[0]).not.toHaveProperty('links');
    talk.bring('look-chat', LOOK);
    expect(talk.kinds).toEqual(['comment', 'chat-react']);
  });

  test('one account takes three places of those that wait, and leaves the others to others', () => {
    const talk = new Talk();
    for (const text of ['a', 'b', 'c']) post(talk, text);
    expect(talk.ignored).toBeUndefined();
    expect(post(talk, 'd').ignored).toBe('too much at once of one account');
    const another = { id: 'did:plc:other', name: 'tom', isBot: false };
    expect(post(talk, 'e', { author: another }).ignored).toBeUndefined();
    expect(talk.state?.heard).toHaveLength(4);
  });

  test('nothing is looked for where nothing on GitHub is named', () => {
    const talk = post(new Talk(), 'hello', { links: [] });
    expect([talk.ignored, talk.wanted]).toEqual(['it names nothing on GitHub', []]);
  });

  test('nobody reads a refusal: posts are public', () => {
    const { person: _, ...unknown } = FOUND;
    expect(post(new Talk(), 'where?').bring('look-chat', unknown).wanted).toEqual([]);
    const person = { ...ANA, permission: 'read' } as const;
    const refused = post(new Talk(), 'where?').bring('look-chat', { ...FOUND, person });
    expect([refused.ignored, refused.wanted]).toEqual(['its author may not ask for it', []]);
  });
});

describe('below an announcement of issue 4', () => {
  const announced = (): Talk =>
    new Talk().tell({ kind: 'chat-announced', run: 'r', repository, number: 4, thread: POST });
  const reply = { why: 'reply', message: '2.0' } as const;

  test('people talk among themselves', () => {
    for (const why of ['seen', 'reply'] as const) {
      const talk = announced().say('we should wait', { why });
      expect([talk.wanted, talk.ignored]).toEqual([[], 'it does not address the team']);
    }
  });

  test.each([
    ['a mention', { ...reply, why: 'mention' } as const, false],
    ['a command or an answer such as yes', reply, true],
  ])(
    '%s goes to that issue, whose reports come to the thread from then on',
    (_, over, isAddressed) => {
      const talk = announced().say('/pm status', over, isAddressed);
      expect(talk.wanted).toMatchObject([{ kind: 'look-chat', at: { ...repository, number: 4 } }]);
      talk.bring('look-chat', LOOK);
      expect(talk.kinds).toEqual(['comment', 'chat-react']);
      expect(talk.wanted[0]).toMatchObject({ thread: { ...repository, number: 4 } });
      expect(talk.told).toMatchObject([
        { key: 'channels:7', data: { kind: 'chat-joined', number: 4, thread: POST } },
      ]);
      talk.bring('comment', { id: 90, updatedAt: '' }).say('/pm why', over, isAddressed);
      expect(talk.bring('look-chat', LOOK).told).toEqual([]);
    },
  );

  test('a button that is pressed needs no report beside it', () => {
    const click = { repositoryId: 7, number: 4, digest: 'd', verb: 'approve' } as const;
    const talk = announced().say('/pm approve d', { ...reply, click });
    talk.bring('look-chat', { ...LOOK, planDigest: 'd' });
    expect([talk.kinds, talk.told]).toEqual([['comment'], []]);
  });

  test('a thread that is about an issue already stays with it', () => {
    const talk = joined().tell({
      kind: 'chat-announced',
      run: 'r',
      repository,
      number: 9,
      thread: POST,
    });
    expect([talk.state?.number, talk.ignored]).toEqual([4, 'the thread is about an issue already']);
  });
});
