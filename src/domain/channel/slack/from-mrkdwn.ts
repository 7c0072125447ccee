/** What people wrote in Slack, without Slack's markup. */

const TOKEN = /<([^<>]{1,4000})>/g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Links keep their address; a mention of us is left out, others are names. */
export function fromMrkdwn(text: string, ownId: string): string {
  const plain = text.replaceAll(TOKEN, (_, inner: string) => toWords(inner, ownId));
  return plain.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity).trim();
}

/** Whether the text mentions this user. */
export function mentionsUser(text: string, userId: string): boolean {
  return text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);
}

/** Addresses that the service marked as links. */
export function linksInMrkdwn(text: string): string[] {
  return Array.from(text.matchAll(TOKEN), ([, inner = '']) => inner.split('|')[0] ?? '')
    .filter((each) => /^https?:\/\//.test(each))
    .map((each) => each.replaceAll('&amp;', '&'));
}

function toWords(inner: string, ownId: string): string {
  const [head = '', label] = inner.split('|');
  if (head === `@${ownId}`) return '';
  if (/^[@#]/.test(head))
    return `${head[0]}${label === undefined || label === '' ? head.slice(1) : label}`;
  if (head.startsWith('!')) return `@${label ?? head.slice(1).split('^')[0]}`;
  return label === undefined || label === head ? head : `${label} (${head})`;
}
