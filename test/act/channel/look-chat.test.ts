/** Which repository a message in a channel is for, and who its author is on GitHub; and what is answered there. */
import { describe, expect, test } from 'vitest';
import { reactInChat, replyInChat } from '../../../src/act/channel/chat-writes.ts';
import { lookAtChat } from '../../../src/act/channel/look-chat.ts';
import { NOT_SENT } from '../../../src/domain/channel/text-files.ts';
import { CODE_MS } from '../../../src/domain/channel/identities.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../src/domain/plan/plan-digest.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aChannelWorld, NOW, REPOSITORY, type ChannelWorld } from './a-channel-world.ts';

const CHAT = { channel: 'slack', place: 'C123', thread: '1.1', message: '1.2' } as const;
const PERSON = { id: 'T1/U1', name: 'Ana', isBot: false };
const ANA = { id: 100, login: 'ana' };

/** The channel of the message is for this repository, and its author is ana. */
function linked(change: (world: ChannelWorld) => void = () => undefined): ChannelWorld {
  const world = aChannelWorld();
  world.config.channels.slack.map = { C123: 'octo/shop' };
  world.links = { [PERSON.id]: ANA };
  change(world);
  return world;
}

async function look(world: ChannelWorld, number?: number) {
  const at = number === undefined ? {} : { at: { ...REPOSITORY, number } };
  return lookAtChat({ kind: 'look-chat', chat: CHAT, person: PERSON, ...at }, world.context());
}

test('a linked person asks in the name of their login, with the permission that they have now', async () => {
  const { result, githubCalls } = await look(linked());
  expect(result).toEqual({
    repository: REPOSITORY,
    needed: 'triage',
    person: { ...ANA, permission: 'write' },
  });
  expect(githubCalls).toEqual({ rest: 4 });
});

test('a pause of the repository is read, with the login that paused it', async () => {
  const paused = { by: 'tom', at: new Date(NOW).toISOString() };
  const { result } = await look(linked((world) => void (world.paused = paused)));
  expect(result.pausedBy).toBe('tom');
});

test('somebody who is not linked is given a code, and no permission is read', async () => {
  const { result, githubCalls } = await look(linked((world) => void (world.links = {})));
  expect(result).toEqual({ repository: REPOSITORY, needed: 'triage', code: 'GHIJKLMNOP' });
  expect(githubCalls).toEqual({ rest: 2 });
});

test.each([
  [CODE_MS, PERSON.id, true],
  [CODE_MS + 1, PERSON.id, undefined],
  [1, 'T1/U2', undefined],
])(
  'whether they have a code that works: %j ms after that of %s',
  async (ago, person, wasHinted) => {
    const world = linked((each) => void (each.links = {}));
    world.asked = { digest: { person, until: NOW - ago + CODE_MS } };
    expect((await look(world)).result.wasHinted).toBe(wasHinted);
  },
);

describe('somebody whom the settings name', () => {
  const BEN = { id: 200, login: 'ben' };
  const named = (identities: { github: string; slack?: string }[]): ChannelWorld =>
    linked((world) => {
      world.config.access.identities = identities;
      world.people = { ben: BEN, cleo: { id: 300, login: 'cleo' } };
    });

  test.each(['U1', 'T1/U1'])('asks as that login, before any link: %s', async (slack) => {
    const { result } = await look(named([{ github: 'ben', slack }]));
    expect(result.person).toEqual({ ...BEN, permission: 'write' });
  });

  test.each<[string, { github: string; slack?: string }[]]>([
    ['another account', [{ github: 'ben', slack: 'U2' }]],
    ['another workspace', [{ github: 'ben', slack: 'T2/U1' }]],
    ['a part of the id', [{ github: 'ben', slack: '1' }]],
    ['nobody in Slack', [{ github: 'ben' }]],
    [
      'two logins for one account',
      [
        { github: 'ben', slack: 'U1' },
        { github: 'cleo', slack: 'T1/U1' },
      ],
    ],
  ])('only by the whole id, and as one login: %s', async (_, identities) => {
    expect((await look(named(identities))).result.person).toEqual({ ...ANA, permission: 'write' });
  });

  test('has no rights by a link where nobody has the login any more', async () => {
    const { result } = await look(named([{ github: 'gone', slack: 'U1' }]));
    expect(result).toEqual({ repository: REPOSITORY, needed: 'triage', code: 'GHIJKLMNOP' });
  });
});

test('what is needed is what the settings ask of those who spend', async () => {
  const { result } = await look(linked(({ config }) => void (config.access.spend = 'admin')));
  expect(result).toMatchObject({ needed: 'admin', person: { permission: 'write' } });
});

describe('no repository is found, and the most is needed', () => {
  test.each<[string, (world: ChannelWorld) => void]>([
    ['where no channel is mapped', ({ config }) => void (config.channels.slack.map = {})],
    [
      'where another channel is',
      ({ config }) => void (config.channels.slack.map = { C999: 'octo/shop' }),
    ],
    [
      'where the channel is for another repository',
      ({ config }) => void (config.channels.slack.map = { C123: 'octo/other' }),
    ],
    ['where Quorum is off', ({ config }) => void (config.enabled = false)],
    ['where the channel is off', (world) => void (world.open = [])],
    ['where the installation is suspended', (world) => void (world.isSuspended = true)],
    ['without any repository', (world) => void (world.repositories = [])],
    [
      'where two have the same right to it',
      (world) => void (world.repositories = [REPOSITORY, { ...REPOSITORY, repositoryId: 8 }]),
    ],
  ])('%s', async (_, change) => {
    expect((await look(linked(change))).result).toEqual({ needed: 'admin' });
  });
});

test('of several repositories the one that asks for itself is found', async () => {
  const world = linked();
  world.repositories = [{ ...REPOSITORY, repositoryId: 8, repo: 'other' }, REPOSITORY];
  expect((await look(world)).result.repository).toEqual(REPOSITORY);
});

describe('a press of the button of a head', () => {
  const pressed = async (state: 'open' | 'closed') => {
    const world = linked((each) => void (each.heads[9] = { state, headSha: 'head' }));
    const at = { ...REPOSITORY, number: 9 };
    const of = 'head' as const;
    return lookAtChat({ kind: 'look-chat', chat: CHAT, person: PERSON, at, of }, world.context());
  };

  test('reads the head that is there now, and none of what is closed', async () => {
    expect((await pressed('open')).result).toMatchObject({ headSha: 'head', person: ANA });
    expect((await pressed('closed')).result).not.toHaveProperty('headSha');
  });
});

describe('in the thread of an issue', () => {
  test('the existing plan is read unchanged', async () => {
    const body = aPlanBody({ tasks: [aTask(1)] });
    const world = linked((each) => void (each.repositories = []));
    world.issues[3] = { title: 'Plan', body, isPull: false };
    const { result } = await look(world, 3);
    expect(result).toMatchObject({
      repository: REPOSITORY,
      planDigest: planDigest(parsePlan(body)),
    });
    expect(result.repository).not.toHaveProperty('number');
  });

  test('without a plan nothing is said of one', async () => {
    expect((await look(linked(), 4)).result).not.toHaveProperty('planDigest');
  });
});

describe('on Bluesky', () => {
  const POST = {
    channel: 'bluesky',
    place: 'did:us',
    thread: 'at://a',
    message: 'at://a',
  } as const;
  const DID = 'did:plc:ana';
  const LINKS = ['https://github.com/Octo/Shop/issues/3'];
  const ask = async (
    change: (world: ChannelWorld) => void = () => undefined,
    more: { links?: string[]; person?: string; at?: number } = {},
  ) => {
    const world = aChannelWorld();
    world.config.access.identities = [{ github: 'ana', bluesky: DID }];
    world.people = { ana: ANA };
    change(world);
    const { links = LINKS, person = DID, at } = more;
    const data = {
      kind: 'look-chat',
      chat: POST,
      person: { id: person, name: 'Ana', isBot: false },
      ...(at === undefined ? { links } : { at: { ...REPOSITORY, number: at } }),
    } as const;
    return (await lookAtChat(data, world.context())).result;
  };
  const FOUND = {
    repository: REPOSITORY,
    needed: 'triage',
    person: { ...ANA, permission: 'write' },
  };

  test('the link says which repository and which issue', async () => {
    expect(await ask()).toEqual({ ...FOUND, number: 3 });
    expect(await ask(undefined, { links: ['https://github.com/octo/shop'] })).toEqual(FOUND);
  });

  test('a thread that is about an issue needs no link', async () => {
    expect(await ask(undefined, { at: 3 })).toEqual(FOUND);
  });

  test('somebody whom the settings do not name gets no code, because a post is public', async () => {
    const { repository, needed } = FOUND;
    expect(await ask(undefined, { person: 'did:plc:eve' })).toEqual({ repository, needed });
  });

  test.each<[string, (world: ChannelWorld) => void, { links?: string[]; at?: number }]>([
    ['without a link', () => undefined, { links: [] }],
    [
      'with a link to another repository',
      () => undefined,
      { links: ['https://github.com/octo/x'] },
    ],
    ['with a link to another owner', () => undefined, { links: ['https://github.com/eve/shop'] }],
    ['of a private repository', ({ facts }) => void (facts.isPrivate = true), {}],
    ['in a thread of one', ({ facts }) => void (facts.isPrivate = true), { at: 3 }],
    ['where Bluesky is off', (world) => void (world.open = ['slack']), {}],
    ['where Quorum is off', ({ config }) => void (config.enabled = false), {}],
  ])('no repository is found %s', async (_, change, more) => {
    expect(await ask(change, more)).toEqual({ needed: 'admin' });
  });
});

describe('text files of a message', () => {
  const files = [{ id: 'F1', name: 'app.log', kind: 'text', bytes: 4, url: 'u' }] as const;
  const lookWith = async (change?: (world: ChannelWorld) => void) => {
    const world = linked(change);
    world.file = 'line';
    const data = { kind: 'look-chat', chat: CHAT, person: PERSON, files } as const;
    return (await lookAtChat(data, world.context())).result;
  };

  test('that Slack does not send are retried for five minutes, and then their author learns of it', async () => {
    const fileFails = new TransientError({ code: 'channel-unavailable', message: '' });
    const after = (ms: number) =>
      lookWith((world) => void Object.assign(world, { fileFails, now: NOW + ms }));
    await expect(after(299_999)).rejects.toBe(fileFails);
    expect(await after(300_000)).toMatchObject({ unread: [NOT_SENT] });
  });

  test('are waited for, and images are not', async () => {
    const fileFails = new TransientError({ code: 'channel-unavailable', message: '' });
    const world = linked((each) => void Object.assign(each, { fileFails, file: '' }));
    const image = { ...files[0], name: 'a.png', kind: 'image' } as const;
    const data = { kind: 'look-chat', chat: CHAT, person: PERSON, files: [image] } as const;
    const { result } = await lookAtChat(data, world.context());
    expect([result.unread, result.images]).toEqual([[NOT_SENT], undefined]);
  });

  test('are read for somebody who may ask for work', async () => {
    expect((await lookWith()).texts).toEqual([{ name: 'app.log', text: 'line' }]);
  });

  test('are not read for somebody who may not, or is not linked', async () => {
    for (const change of [
      (world: ChannelWorld) => void (world.permission = 'read'),
      (world: ChannelWorld) => void (world.links = {}),
    ]) {
      const found = await lookWith(change);
      expect([found.texts, found.unread]).toEqual([undefined, undefined]);
    }
  });
});

test.each([
  [100, undefined],
  [101, true],
])('of %i repositories of which none is for the channel, the look says: cut %j', async (...all) => {
  const [count, isCut] = all;
  const world = aChannelWorld();
  world.repositories = Array.from({ length: count }, (_, at) => ({
    ...REPOSITORY,
    repositoryId: at + 1,
    repo: `repo-${at}`,
  }));
  const { result } = await look(world);
  expect(result).toEqual({ needed: 'admin', ...(isCut && { isCut }) });
});

describe('the address of the message', () => {
  const lookAt = async (linkTo: ChannelWorld['linkTo'], number?: number, isPrivate = true) => {
    const world = linked();
    world.facts.isPrivate = isPrivate;
    world.linkTo = linkTo;
    return (await look(world, number)).result.permalink;
  };
  const page = 'https://acme.slack.com/archives/C123/p12';

  test('comes with what asks for something new, and with nothing that is about an issue', async () => {
    expect(await lookAt(async () => page)).toBe(page);
    expect(await lookAt(async () => page, 3)).toBeUndefined();
  });

  test('is not asked for in a public repository, where everybody would read it', async () => {
    expect(await lookAt(async () => page, undefined, false)).toBeUndefined();
  });

  test('is left out where the channel does not give it', async () => {
    const later = new TransientError({ code: 'channel-unavailable', message: 'later' });
    expect(await lookAt(() => Promise.reject(later))).toBeUndefined();
    expect(await lookAt(async () => undefined)).toBeUndefined();
  });
});

describe('what is answered', () => {
  test.each([true, false])('says whether the repository is private now: %s', async (isPrivate) => {
    const world = aChannelWorld();
    world.facts.isPrivate = isPrivate;
    const data = {
      kind: 'chat-reply',
      repository: REPOSITORY,
      chat: CHAT,
      markdown: 'Yes.',
    } as const;
    const { result } = await replyInChat(data, world.context({ isFirst: !isPrivate }));
    expect(result).toEqual({ chat: { ...CHAT, message: 'answer' } });
    expect(world.replies).toEqual([
      {
        to: CHAT,
        reply: {
          markdown: 'Yes.',
          key: 'r/1-chat-reply',
          at: new Date(NOW).toISOString(),
          isPrivate,
          ...(!isPrivate && { isNew: true }),
        },
      },
    ]);
  });

  test('is said in the name of its persona, where the team has it', async () => {
    const world = aChannelWorld();
    world.personas = [aPersona({ handle: 'maya', name: 'Maya', role: 'Architect' })];
    const data = { kind: 'chat-reply', repository: REPOSITORY, chat: CHAT, markdown: 'Yes.' };
    for (const persona of ['maya', 'nobody'])
      await replyInChat({ ...data, kind: 'chat-reply', persona }, world.context());
    expect(world.replies.map(({ reply: { as } }) => as)).toEqual([
      { name: 'Maya', role: 'Architect' },
      undefined,
    ]);
  });

  test('goes nowhere where the channel is off', async () => {
    const world = aChannelWorld();
    world.open = [];
    const data = {
      kind: 'chat-reply',
      repository: REPOSITORY,
      chat: CHAT,
      markdown: 'Yes.',
    } as const;
    expect((await replyInChat(data, world.context())).result).toEqual({});
    const react = {
      kind: 'chat-react',
      repository: REPOSITORY,
      chat: CHAT,
      reaction: 'seen',
    } as const;
    await reactInChat(react, world.context());
    expect([world.replies, world.reactions]).toEqual([[], []]);
    world.open = ['slack'];
    await reactInChat(react, world.context());
    expect(world.reactions).toEqual([{ to: CHAT, reaction: 'seen' }]);
  });
});

describe('where nobody spoke to the team', () => {
  const QUIET = { enabled: true, from: 8, to: 10, timeZone: 'UTC' };
  const lookWith = async (quietHours: typeof QUIET, isUnprompted: boolean) => {
    const world = linked(({ config }) => void (config.quietHours = quietHours));
    const asked = isUnprompted ? { isUnprompted } : {};
    const data = { kind: 'look-chat', chat: CHAT, person: PERSON, ...asked } as const;
    return (await lookAtChat(data, world.context())).result.quietUntil;
  };

  test('the look tells the end of quiet hours, and nothing outside of them', async () => {
    expect(await lookWith(QUIET, true)).toBe(NOW + 3_600_000);
    expect(await lookWith({ ...QUIET, to: 9 }, true)).toBeUndefined();
  });

  test('quiet hours hold back no answer to what was said to the team', async () => {
    expect(await lookWith(QUIET, false)).toBeUndefined();
  });
});
