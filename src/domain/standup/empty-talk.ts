/** Praise and summaries: what a standup does not want to hear, told by the words of whole sentences. */

/** Sentences of a line. Code is not looked into: a full stop in it ends a piece, and pieces are joined as they were. */
const SENTENCE_END = /(?<=[.!?])\s(?=[\p{Lu}`"@(#])/u;

const PRAISE: readonly RegExp[] = [
  /\b(?:great|good|excellent|nice|fantastic|amazing|awesome|solid|impressive|superb|wonderful|outstanding) (?:work|job|effort|teamwork|team work|collaboration|execution|progress|team|run|stuff|communication)\b/i,
  /^(?:well done|kudos|props|bravo|congrat\w*|hats off|thanks|thank you|cheers|keep it up|keep up)\b/i,
  /\b(?:i (?:really )?(?:love|loved|liked|appreciate|appreciated|enjoyed)|proud of|pleasure (?:to|working)|impressed (?:by|with))\b/i,
  /\b(?:everything|it all|the (?:run|plan|pipeline|team|work)|all of it) (?:went|ran|worked|looks|looked|is|was) (?:very |really |so )?(?:well|smoothly|great|good|perfect|perfectly|fine|solid|clean)\b/i,
  /\b(?:smooth|flawless|seamless) (?:run|execution|hand-?over|collaboration|process)\b/i,
];

const SUMMARY: readonly RegExp[] = [
  /^(?:in summary|to summari[sz]e|overall|in short|to recap|summary|recap|status)\b[:,]?/i,
  /^(?:i|we) (?:have |just |successfully |also )*(?:implemented|completed|finished|added|wrote|created|built|reviewed|tested|fixed|updated|delivered|refactored|merged|planned|worked on|did)\b/i,
  /^(?:the |all |my |our |every |\d+ )*(?:tasks?|steps?|tests?|gates?|checks?|changes?|plan|run)\b.{0,60}\b(?:completed|finished|merged|passed|passing|pass|green|done|succeeded|successful(?:ly)?)\b[^,;:]{0,30}$/i,
  /^(?:there (?:are|were) )?no (?:real |major |notable |significant )?(?:tensions?|issues?|problems?|concerns?)\b[^,;:]{0,60}$/i,
];

/** What makes a sentence of praise or summary say something all the same. */
const TURN =
  /\b(?:but|however|yet|although|though|except|despite|still|only after|because|without|never|until|instead|unless|while|fail(?:s|ed|ing|ure)?|times)\b/i;

/** A line of a file, or a second half: it points at something. */
const POINTED = /\w:\d|#L\d|;/;

export type EmptyTalk = 'flattery' | 'summary';

/** What remains of a line without sentences that only praise or sum up, and what kind of them there were. */
export function withoutEmptyTalk(line: string): { text: string; removed: EmptyTalk[] } {
  const removed: EmptyTalk[] = [];
  const kept = line.split(SENTENCE_END).filter((sentence) => {
    const kind = emptyTalkIn(sentence);
    if (kind !== undefined) removed.push(kind);
    return kind === undefined;
  });
  return { text: kept.join(' ').trim(), removed };
}

function emptyTalkIn(sentence: string): EmptyTalk | undefined {
  const bare = sentence.trim().replace(/[.!?\s]{1,9}$/, '');
  if (TURN.test(bare)) return undefined;
  if (PRAISE.some((pattern) => pattern.test(bare))) return 'flattery';
  const isSummary = !POINTED.test(bare) && SUMMARY.some((pattern) => pattern.test(bare));
  return isSummary ? 'summary' : undefined;
}
