/** Each loop guard by itself: closings, circles, turns, winding down, and who may be answered. */
import * as fc from 'fast-check';
import { verifies } from '../../../verifies.ts';
import { describe, expect, test } from 'vitest';
import { judgeCircle } from '../../../../src/decide/talk/guards/circle.ts';
import { isClosing } from '../../../../src/decide/run/answers/closing.ts';
import {
  classifySpeakers,
  type Conversation,
  type Utterance,
} from '../../../../src/decide/talk/guards/conversation.ts';
import { mayAnswer, type MayAnswerOptions } from '../../../../src/decide/talk/guards/may-answer.ts';
import { readTurn, turnDelayMs } from '../../../../src/decide/talk/guards/turn.ts';
import { limitsFor, windingDown } from '../../../../src/decide/talk/guards/winding-down.ts';

type Line = Partial<Utterance> & Pick<Utterance, 'kind'>;

/** Comments a minute apart. */
function talk(lines: readonly Line[], isProject = false): Conversation {
  const comments = lines.map((line, index) => ({
    id: index + 1,
    by: line.kind === 'us' ? 'maya' : `${line.kind}1`,
    at: (index + 1) * 60_000,
    text: `Word${index} number${index * 7} about topic${index}.`,
    addressesUs: false,
    addresses: [],
    ...line,
  }));
  return { comments, isProject };
}

const may = (lines: readonly Line[], options: Partial<MayAnswerOptions> = {}) =>
  mayAnswer(talk(lines), { now: (lines.length + 1) * 60_000, ...options });

const PERSON_ASKS: Line = { kind: 'person', addressesUs: true, text: '@maya why is it slow?' };

describe('closings', () => {
  test.each([
    'Thanks!',
    'Thank you so much, that really helped!',
    'Great, thanks a lot for the detailed explanation of the cache. Have a nice weekend! 🎉',
    'Thanks, Ana.',
    'Cheers everyone, see you tomorrow',
    '@maya perfect, thank you 🙏',
    '¡Muchas gracias por la explicación! Un saludo.',
    'Vale, gracias. Hasta luego',
    'Merci beaucoup, bonne journée !',
    'Super, merci pour votre aide.',
    'Vielen Dank für die Hilfe, bis bald!',
    'Danke, das hat geholfen. Schönes Wochenende'.replace('Schönes', 'Schönen'),
    'Muito obrigada pela ajuda, até logo!',
    'Valeu, abraço',
    'Grazie mille per l’aiuto, buona giornata!',
    'Ok, grazie. Ciao',
    `Thank you! ${'Thanks again, everyone. '.repeat(60)}`,
  ])('%j only thanks or says goodbye', (text) => {
    expect(isClosing(text)).toBe(true);
  });

  test.each([
    'Thanks, but it still fails.',
    'Thanks! Could you also look at the parser?',
    'Thank you, `parse()` works now',
    'Thanks, see src/parse.ts',
    'Thanks for the fix and add a test',
    'Thanks in advance for looking into the timeout',
    'Thanks to this change the build is red',
    'ok',
    'Great.',
    'I merged it, thanks',
    'Thanks. The header is missing as well.',
    'Gracias, pero no funciona',
    'Merci de corriger le test',
    'Danke, aber der Test fehlt',
    'Obrigado, mas ainda falha',
    'Grazie, però manca il test',
    'Thanks\n\n    rm -rf build',
    'Bye the way',
    '',
    '/pm stop thanks',
    'Thanks, #12 is next',
  ])('%j says more', (text) => {
    expect(isClosing(text)).toBe(false);
  });

  test('never with a question or code, whatever text is around it', () => {
    const thanks = fc.constantFrom(
      'Thanks!',
      'Gracias.',
      'Merci !',
      'Danke.',
      'Obrigado!',
      'Grazie.',
    );
    const substance = fc.constantFrom('Why?', '`a`', '```\na\n```', '¿Y ahora?', 'f()', '为什么？');
    fc.assert(
      fc.property(thanks, substance, fc.boolean(), (a, b, isFirst) => {
        expect(isClosing(isFirst ? `${b} ${a}` : `${a} ${b}`)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => typeof isClosing(text) === 'boolean'),
    );
  });
});

describe('circles', () => {
  const content: Line = { kind: 'person', text: 'The cache is keyed by user and misses twice.' };
  const us: Line = { kind: 'us', text: 'I agree, the cache misses twice.' };
  const peer: Line = { kind: 'peer', text: 'Exactly, keyed by user.' };

  verifies(
    'LOOP-07: nothing new ends the talk',
    'mutual agreement without anything new is found with growing confidence',
    () => {
      expect(judgeCircle(talk([content, us]))).toBe('none');
      expect(judgeCircle(talk([content, us, peer]))).toBe('low');
      expect(judgeCircle(talk([content, us, peer, us]))).toBe('medium');
      expect(judgeCircle(talk([content, us, peer, us, peer]))).toBe('high');
    },
  );

  test('a circle may begin with the first comment', () => {
    const thanks: Line = { kind: 'person', text: 'Thanks!' };
    const agreed: Line = { kind: 'us', text: 'Agreed.' };
    const exactly: Line = { kind: 'peer', text: 'Exactly.' };
    expect(judgeCircle(talk([thanks, agreed, exactly]))).toBe('medium');
    expect(judgeCircle(talk([thanks, agreed, exactly, agreed]))).toBe('high');
  });

  test.each([
    ['a question', 'I agree. Is the second call cached?'],
    ['code', 'I agree, `get()` misses.'],
    ['new facts', 'Agreed, and eviction happens hourly, before replication finishes everywhere.'],
  ])('%s breaks it', (_what, text) => {
    expect(judgeCircle(talk([content, us, peer, us, { ...peer, text }]))).toBe('none');
  });

  test('other agents among themselves are no circle with us', () => {
    const other = { ...peer, by: 'peer2' };
    expect(judgeCircle(talk([content, peer, other, peer, other]))).toBe('none');
  });

  test('agreement in other languages counts', () => {
    const texts = [
      'De acuerdo, exacto.',
      'Genau, einverstanden.',
      'Tout à fait.',
      'Esatto, concordo.',
    ];
    const lines = texts.map((text, index): Line => ({
      kind: index % 2 === 0 ? 'us' : 'peer',
      text,
    }));
    expect(judgeCircle(talk([content, ...lines]))).toBe('high');
  });

  verifies(
    'LOOP-07: nothing new ends the talk',
    'medium and high end it with a reaction, low is only passed on',
    () => {
      const asks: Line = { ...peer, addressesUs: true };
      const person: Line = { ...content, text: 'The cache is keyed by user.', addressesUs: true };
      const agrees: Line = { kind: 'person', text: 'I agree, keyed by user.', addressesUs: true };
      expect(may([person, us, agrees])).toEqual({ answer: true, to: 3, maybeCircle: true });
      const over = { answer: false, reason: 'circle', react: true };
      expect(may([person, us, asks, agrees])).toEqual(over);
      expect(may([person, us, asks, us, agrees])).toEqual(over);
    },
  );
});

describe('turns', () => {
  test('an instance always waits the same time, between 15 and 90 seconds, and others wait other times', () => {
    const delays = Array.from({ length: 200 }, (_, index) => turnDelayMs(`quorum-${index}`));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(90_000);
    expect(turnDelayMs('Quorum-1')).toBe(delays[1]);
    expect(new Set(delays).size).toBeGreaterThan(190);
  });

  test('what agents said since is already said, and after two of them only what is missing is added', () => {
    const peer1: Line = { kind: 'peer', by: 'a' };
    const alone = readTurn(talk([peer1, PERSON_ASKS, peer1]), 2);
    expect(alone).toMatchObject({ mode: 'free', said: [{ id: 3 }] });
    expect(readTurn(talk([PERSON_ASKS, peer1, peer1]), 1).mode).toBe('free');
    expect(readTurn(talk([PERSON_ASKS, peer1, { kind: 'bot', by: 'b' }]), 1).mode).toBe(
      'only-missing',
    );
  });
});

describe('winding down', () => {
  const limits = limitsFor({ isProject: false });
  const us: Line = { kind: 'us' };
  const person: Line = { kind: 'person' };
  const after = (lines: readonly Line[], ms: number, isProject = false) => {
    const conversation = talk(lines, isProject);
    return windingDown(
      conversation,
      limitsFor(conversation),
      (lines.length * 60 + ms / 1000) * 1000,
    );
  };

  test('four own replies, ten in a project thread', () => {
    const four = [person, us, person, us, person, us, person, us];
    expect(after(four.slice(0, 6), 0)).toBeUndefined();
    expect(after([...four, person], 0)).toBe('replies');
    expect(after([...four, person], 0, true)).toBeUndefined();
  });

  test('twelve comments by anyone', () => {
    expect(
      after(
        Array.from({ length: 11 }, () => person),
        0,
      ),
    ).toBeUndefined();
    expect(
      after(
        Array.from({ length: 12 }, () => person),
        0,
      ),
    ).toBe('depth');
  });

  test('half an hour of silence, an hour without an answer, four in a project', () => {
    expect(after([us, person], 29 * 60_000)).toBeUndefined();
    expect(after([us, person], 30 * 60_000)).toBe('silence');
    expect(after([person, us], 59 * 60_000)).toBeUndefined();
    expect(after([person, us], 60 * 60_000)).toBe('unanswered');
    expect(after([person, us], 239 * 60_000, true)).toBeUndefined();
    expect(after([person, us], 240 * 60_000, true)).toBe('unanswered');
  });

  test('a person starts over after a silence, an agent does not', () => {
    const long = Array.from({ length: 12 }, () => person);
    const late = 3_600_000;
    const again: Line = { kind: 'person', at: 12 * 60_000 + late };
    const now = 12 * 60_000 + late + 1;
    expect(windingDown(talk([...long, again]), limits, now)).toBeUndefined();
    expect(windingDown(talk([...long, { ...again, kind: 'peer' }]), limits, now)).toBe('depth');
  });

  test('a persona moves its limits inside safe bounds', () => {
    expect(limitsFor({ isProject: false }, { replies: 2 }).replies).toBe(2);
    expect(limitsFor({ isProject: false }, { replies: 10_000, depth: 0 })).toMatchObject({
      replies: 20,
      depth: 2,
    });
    expect(limitsFor({ isProject: false }, { replies: Number.NaN }).replies).toBe(4);
  });
});

describe('may we answer?', () => {
  test('not when ours is the last comment, or without any comment', () => {
    expect(may([PERSON_ASKS, { kind: 'us' }])).toMatchObject({ reason: 'own-comment-last' });
    expect(may([])).toMatchObject({ reason: 'nothing-said' });
  });

  test('a person who names us is answered, also when others spoke in between', () => {
    expect(may([PERSON_ASKS])).toMatchObject({ answer: true, to: 1 });
    expect(may([PERSON_ASKS, { kind: 'bot' }, { kind: 'person' }])).toMatchObject({ to: 1 });
  });

  test('thanks after a question do not take the question back', () => {
    const thanks: Line = { kind: 'person', text: 'Thanks!' };
    expect(may([PERSON_ASKS, thanks])).toMatchObject({ answer: true, to: 1 });
    expect(may([PERSON_ASKS, { kind: 'us' }, { ...thanks, addressesUs: true }])).toEqual({
      answer: false,
      reason: 'closing',
      react: true,
    });
  });

  test('nobody is answered unless addressed, also right after our own answer', () => {
    for (const lines of [[], [PERSON_ASKS, { kind: 'us' } as const]]) {
      const word = { kind: 'person' } as const;
      expect(may([...lines, word])).toMatchObject({ reason: 'not-addressed' });
      expect(may([...lines, { ...word, addressesUs: true }])).toMatchObject({ answer: true });
    }
  });

  test('peers are answered only when they name us, and only the first after a person', () => {
    const named: Line = { kind: 'peer', addressesUs: true };
    expect(may([{ kind: 'person' }, { kind: 'peer' }])).toMatchObject({ answer: false });
    expect(may([PERSON_ASKS, { kind: 'us' }, { kind: 'peer' }])).toMatchObject({
      reason: 'only-peers',
    });
    expect(may([{ kind: 'person' }, named])).toMatchObject({ answer: true, to: 2 });
    expect(may([{ kind: 'person' }, { kind: 'peer', by: 'x' }, named])).toMatchObject({
      reason: 'cascade',
    });
    expect(may([PERSON_ASKS, { kind: 'us' }, named])).toMatchObject({ reason: 'cascade' });
  });

  test('an automated account that nobody listed never draws us in', () => {
    expect(may([{ kind: 'person' }, { kind: 'bot', addressesUs: true }])).toMatchObject({
      answer: false,
    });
  });

  test('after three of our own comments among agents, only a person’s recent question to us brings another', () => {
    const three: Line[] = [
      { kind: 'bot' },
      { kind: 'us' },
      PERSON_ASKS,
      { kind: 'us' },
      PERSON_ASKS,
      { kind: 'us' },
    ];
    const quiet: Line[] = Array.from({ length: 5 }, (): Line => ({ kind: 'person' }));
    const project = (lines: readonly Line[]) =>
      mayAnswer(talk(lines, true), { now: lines.length * 60_000 + 1 });
    expect(project([...three, PERSON_ASKS])).toMatchObject({ answer: true });
    const named: Line = { kind: 'peer', addressesUs: true };
    expect(project([...three, ...quiet, named])).toMatchObject({ reason: 'enough-said' });
    expect(project([...three.slice(2), ...quiet, named])).toMatchObject({ answer: true });
  });

  test('a person who names us is answered past the winding down, but not past the hourly cap', () => {
    const pairs = (count: number): Line[] =>
      Array.from({ length: count }, (): Line[] => [PERSON_ASKS, { kind: 'us' }]).flat();
    expect(may([...pairs(8), PERSON_ASKS])).toMatchObject({ answer: true });
    expect(may([...pairs(12), PERSON_ASKS])).toMatchObject({ reason: 'hourly-cap' });
    const peerAsks: Line[] = [{ kind: 'person' }, { kind: 'peer', addressesUs: true }];
    expect(may([...pairs(3), ...peerAsks])).toMatchObject({ answer: true });
    expect(may([...pairs(4), ...peerAsks])).toMatchObject({ reason: 'replies' });
  });
});

describe('kinds of speakers', () => {
  const known = { us: ['quorum[bot]'], agents: [] as string[], author: 'ana', members: ['mo'] };
  const speakers = ['quorum[bot]', 'ana', 'mo', 'zed'].map((by) => ({
    by,
    isBot: by.includes('['),
  }));
  const kinds = (extra: readonly string[], agents: string[] = []) =>
    Object.fromEntries(
      classifySpeakers([...speakers, ...extra.map((by) => ({ by, isBot: true }))], {
        ...known,
        agents,
      }),
    );

  test('without automated accounts everybody is a person', () => {
    expect(kinds([])).toEqual({ 'quorum[bot]': 'us', ana: 'person', mo: 'person', zed: 'person' });
  });

  test('beside an unknown one, a stranger may be an agent too', () => {
    expect(kinds(['ci'])).toMatchObject({ ci: 'bot', ana: 'person', mo: 'person', zed: 'peer' });
  });

  test('where agents are known, those are the peers', () => {
    expect(kinds(['ci', 'other'], ['Other', 'ana'])).toMatchObject({
      ci: 'bot',
      other: 'peer',
      ana: 'peer',
      zed: 'person',
    });
  });
});
