/** Rules about whether an issue says one clear thing, and whether it is an issue at all. */
import { tokenise } from '../../../domain/text/words.ts';
import { isNoise, isMeaningful } from '../noise.ts';
import { sentencesOf, sentenceWith, toLine } from '../quote.ts';
import type { Reading } from '../read-issue.ts';
import type { IssueRule } from '../issue-rule.ts';
import { isMashed } from '../mashed-keys.ts';

const GENERIC = new Set(
  'broken help error crash improve improvement better urgent question wrong fail failing performanc slow updat chang cleanup doesn don isn not can cannot asap critical important weird strange odd app code thi'.split(
    ' ',
  ),
);
const SEVERAL =
  /\b(?:another (?:thing|issue|problem|bug|request)|unrelated(?:ly)?\b|while (?:you|we)(?:'re| are) at it|on a different note|secondly\b|(?:two|three|four|several|multiple|a few) (?:\w+ )?(?:issues|bugs|problems|requests|things)\b|separately\b|besides that\b|also,? (?:it would|can we|could (?:you|we)|please|the \w+ (?:is|does)))/i;
const WIDE =
  /\b(?:rewrit(?:e|ing)|redesign|overhaul|re-?architect\w*|from scratch|(?:entire|whole) (?:codebase|project|app(?:lication)?|code base|system|frontend|backend|cli|ui)|plugin (?:system|architecture|api)|port (?:\w+ )?to (?:rust|go|typescript|python|java|kotlin|swift|deno|bun)|migrate (?:everything|all|the (?:entire|whole))|multi-?tenan\w*|micro-?services?|epic\b|across the (?:codebase|repo(?:sitory)?|board)|(?:all|every) (?:commands?|modules?|pages?|endpoints?|components?|platforms?)\b)/i;
const TEMPLATE_EMPTY = /^(?:_?no response_?|n\/?a|none|-|\.{2,}|tbd|todo|\?+|)$/i;
const TEMPLATE_TEXT =
  /a clear and concise description of|tell us what happens instead|steps to reproduce the behaviou?r:\s*1\. go to '\.\.\.'|add any other context about the problem|if applicable, add screenshots/i;
const SELLING =
  /\b(?:casino|viagra|airdrop|backlinks?|seo (?:service|expert)|forex|betting|promo ?code|discount|buy now|cheap(?:est)?|followers|whatsapp|telegram (?:group|channel)|earn (?:money|\$|up to)|click here|best price|free trial|guest post|loan|crypto (?:investment|signal)|limited offer|guaranteed)\b/gi;
const OUTSIDE_LINK =
  /\bhttps?:\/\/(?!(?:[\w-]+\.)*(?:github(?:usercontent)?\.com|localhost|example\.(?:com|org)))[\w.-]+/gi;
const TO_AGENTS =
  /\b(?:(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|system) (?:instructions?|prompts?|rules|messages?)|you are now (?:an?|the|in)\b|system prompt|reveal your (?:prompt|instructions)|(?:vote|answer|respond|reply|output|verdict)(?: with| is|:)? ["'`]?(?:READY|APPROVE|CLOSE|LGTM)\b|do not (?:tell|mention|inform) (?:the )?(?:user|maintainers?|humans?|anyone)|as an? (?:ai|language model|llm)\b.{0,40}(?:must|should|you)|print (?:the |your )?(?:environment|env) variables?)/i;

function plain(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/\S+/g, ' ');
}

/** Words that nobody would write: mashed keys, or consonants in a row. */
function isNonsense(word: string): boolean {
  return isMashed(word) || (word.length > 5 && /^[a-z]+$/i.test(word) && !/[aeiouy]/i.test(word));
}

function isGibberish({ title, said, code, ground }: Reading): boolean {
  const isNamed = ground.files.some(({ score }) => score >= 5);
  if (!isNamed && !isMeaningful(title) && isNoise(plain(said))) return true;
  if (code.length > 0) return false;
  const words = plain(`${title} ${said}`).match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  if (words.length === 0) return true;
  const nonsense = words.filter(isNonsense).length;
  return nonsense / words.length >= 0.6 || (words.length <= 2 && nonsense > 0);
}

function isVague({ title, names }: Reading): boolean {
  const telling = tokenise(title).filter((word) => !GENERIC.has(word));
  const isNamed =
    names.symbols.some(({ name }) => title.includes(name)) ||
    names.paths.some(({ path }) => title.includes(path)) ||
    /--\w|`/.test(title);
  return (
    telling.length < 2 && !isNamed && (telling.length === 0 || title.trim().split(/\s+/).length < 3)
  );
}

function spamEvidence(reading: Reading): string | undefined {
  const text = `${reading.title}\n${reading.body}`;
  const selling = new Set(Array.from(text.matchAll(SELLING), (match) => match[0].toLowerCase()));
  const links = new Set(text.match(OUTSIDE_LINK) ?? []);
  const isAboutCode =
    reading.ground.files.some(({ score }) => score >= 5) || reading.code.length > 0;
  if (isAboutCode || selling.size + Math.min(1, links.size) < 3 || selling.size < 2)
    return undefined;
  return `"${[...selling].slice(0, 4).join('", "')}" and ${links.size} outside ${links.size === 1 ? 'link' : 'links'}`;
}

export const CLARITY_RULES: readonly IssueRule[] = [
  {
    id: 'empty-body',
    severity: 'medium',
    concerns: ['carlos', 'priya', 'dev', 'product'],
    explanation: 'A title alone rarely says enough to build on.',
    find: ({ said, title }) =>
      said.trim().length < 15
        ? [
            {
              title: 'The issue is a title without a description.',
              evidence: `"${toLine(title, 100)}" and ${said.trim() === '' ? 'no body' : `"${said.trim()}"`}`,
              suggestion: 'what is wanted or wrong, in two or three sentences',
            },
          ]
        : [],
  },
  {
    id: 'vague-title',
    severity: 'low',
    concerns: ['carlos', 'product'],
    explanation: 'People find, and find again, issues by their titles.',
    find: (reading) =>
      isVague(reading)
        ? [
            {
              title: 'The title names neither the part nor the fault.',
              evidence: `"${toLine(reading.title, 100)}"`,
              suggestion:
                'a title that names the command, file or screen and what is wrong with it',
            },
          ]
        : [],
  },
  {
    id: 'several-topics',
    severity: 'medium',
    concerns: ['carlos', 'architecture', 'product'],
    explanation: 'Two topics in one issue cannot be closed one by one.',
    find: ({ prose }) => {
      const quote = sentenceWith(prose, SEVERAL);
      return quote === undefined
        ? []
        : [
            {
              title: 'This issue has more than one topic.',
              evidence: `"${quote}"`,
              suggestion: 'one issue for each topic',
            },
          ];
    },
  },
  {
    id: 'large-scope',
    severity: 'high',
    concerns: ['carlos', 'dev', 'architecture', 'product'],
    explanation: 'Work of this reach needs a plan before anyone starts.',
    find: ({ title, prose, subject }) => {
      const isBug = subject === 'bug' || subject === 'question';
      const quote = isBug ? undefined : sentenceWith(`${title}\n${prose.slice(0, 1200)}`, WIDE);
      return quote === undefined
        ? []
        : [
            {
              title: 'What is asked for reaches across the whole project.',
              evidence: `"${quote}"`,
              suggestion: 'a first slice that is useful alone',
            },
          ];
    },
  },
  {
    id: 'empty-template-sections',
    severity: 'low',
    concerns: ['priya', 'product'],
    explanation: 'Template headings with nothing under them are questions without answers.',
    find: ({ sections, body }) => {
      const empty = sections.filter(({ text }) => TEMPLATE_EMPTY.test(text));
      const isUntouched = TEMPLATE_TEXT.test(body.replaceAll(/\s+/g, ' '));
      if (empty.length < 2 && !isUntouched) return [];
      const names = empty.slice(0, 4).map(({ heading }) => `"${toLine(heading, 40)}"`);
      return [
        {
          title: isUntouched
            ? 'The template text was left as it came.'
            : `${empty.length} sections of the template are empty.`,
          evidence: names.length === 0 ? 'the example text of the template' : names.join(', '),
          suggestion: 'an answer under each heading, or the heading removed',
        },
      ];
    },
  },
  {
    id: 'question-not-issue',
    severity: 'medium',
    concerns: ['carlos', 'priya', 'dev', 'product', 'docs'],
    explanation: 'A question wants an answer; there is nothing to build.',
    find: ({ subject, title, prose, decision }) =>
      subject === 'question' && decision === undefined
        ? [
            {
              title: 'This asks how something works and not for a change.',
              evidence: `"${toLine(sentencesOf(`${title}\n${prose}`).find((one) => one.endsWith('?')) ?? title, 140)}"`,
            },
          ]
        : [],
  },
  {
    id: 'decision-needed',
    severity: 'high',
    concerns: ['carlos', 'dev', 'product', 'architecture'],
    explanation:
      'The issue leaves a choice to people; building before it is made builds the wrong half.',
    find: ({ decision }) =>
      decision === undefined
        ? []
        : [
            {
              title: 'The issue leaves a choice open.',
              evidence: `"${decision.quote}"`,
              suggestion: decision.question,
            },
          ],
  },
  {
    id: 'gibberish',
    severity: 'high',
    concerns: ['carlos', 'priya', 'dev', 'product'],
    explanation: 'Text without meaning is no issue.',
    find: (reading) =>
      isGibberish(reading)
        ? [
            {
              title: 'The text has no meaning that could be acted on.',
              evidence: `"${toLine(`${reading.title} / ${reading.said}`, 80)}"`,
            },
          ]
        : [],
  },
  {
    id: 'spam',
    severity: 'high',
    concerns: ['maya', 'priya', 'carlos', 'security'],
    explanation: 'Advertising is closed unread.',
    find: (reading) => {
      const evidence = spamEvidence(reading);
      return evidence === undefined
        ? []
        : [{ title: 'This is advertising and not about the project.', evidence }];
    },
  },
  {
    id: 'instructions-to-agents',
    severity: 'high',
    concerns: ['maya', 'security'],
    explanation:
      'Text that orders the reviewers about is an attempt to steer them; it is read as data.',
    find: ({ title, said }) => {
      const quote = sentenceWith(`${title}\n${said}`, TO_AGENTS);
      return quote === undefined
        ? []
        : [
            {
              title: 'Part of the text gives orders to automated reviewers.',
              evidence: `"${quote}"`,
            },
          ];
    },
  },
  {
    id: 'hidden-text-found',
    severity: 'medium',
    concerns: ['maya', 'security'],
    explanation: 'Text that readers cannot see was meant for somebody else.',
    find: ({ hidden }) => {
      const kinds = Object.entries(hidden).filter(([kind]) => kind !== 'control-character');
      const isHarmless = kinds.every(([kind]) => HARMLESS.has(kind));
      return isHarmless
        ? []
        : [
            {
              title:
                'The text holds parts that a reader of the page does not see; they were left out.',
              evidence: kinds.map(([kind, count]) => `${count} × ${kind}`).join(', '),
            },
          ];
    },
  },
];

/** Templates are full of comments, and links of titles: removed and counted, but no reason for suspicion. */
const HARMLESS = new Set([
  'html-comment',
  'link-definition',
  'link-text',
  'image-text',
  'fence-info',
  'declaration',
  'zero-width',
  'attribute-text',
]);
