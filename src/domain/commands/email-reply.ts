/** Where the quoted mail begins in a comment that somebody sent by e-mail: the text below is quoted, not new. */

/** "On … wrote:" as mail programs write it, by how it begins and how it ends. */
const WROTE: readonly RegExp[] = [
  /^On\b.*\bwrote:$/i,
  /^Am\b.*\bschrieb\b.*:$/i,
  /^Le\b.*\ba écrit\s?:$/i,
  /^El\b.*\bescribió\s?:$/i,
  /^Il\b.*\bha scritto\s?:$/i,
  /^(?:Em|A|No dia)\b.*\bescreveu\s?:$/i,
  /^Op\b.*\b(?:schreef|geschreven)\b.*:$/i,
  /^W dniu\b.*\bnapisał.{0,4}:$/i,
  /^(?:Den|På|Pada)\b.*\b(?:skrev|menulis)\b.*:$/i,
  /^(?:В|Во)\s.*(?:писал|пишет).{0,4}:$/i,
];
/** The same where the end alone tells. These are looked for on one line only. */
const WROTE_AT_END: readonly RegExp[] = [
  /[^<>\s@]@[^<>\s]{1,200}>\)?[^<>]{0,40}[:：]$/,
  /(?:написал|писал|пишет).{0,4}:$/i,
  /(?:写道|寫道|のメール|書きました|작성)\s?[:：]$/,
  /(?:kirjoitti|yazdı)\s?:$/i,
];
/** A mail's header names a time, a year or an address; a sentence about what somebody wrote rarely does. */
const DATED = /\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|[年년]|@[^\s@]+\.[^\s@]/;

const SEPARATOR =
  /^\s*-{2,}\s*(?:original message|forwarded message|original-nachricht|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|oryginalna wiadomość|ursprungligt meddelande|исходное сообщение|原始邮件|原始郵件|元のメッセージ|원본 메시지)\s*-{2,}\s*$/i;
const FROM =
  /^\**(?:From|Von|De|Da|Van|Från|Fra|Od|От|发件人|寄件者|差出人|보낸 사람)\s?[:：]\**\s*\S/i;
const SENT =
  /^\**(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|Wysłano|Отправлено|Дата|发送时间|寄件日期|送信日時|日付|보낸 날짜)\s?[:：]\**\s*\S/i;
const FOOTER = /^(?:Reply to this email directly|You are receiving this because)\b/i;

const LONGEST_HEADER = 400;
/** Mail programs break a long header over two or three lines. */
const WRAPPED_OVER = 3;

/**
 * The first line, from 0, that begins quoted mail; undefined without quoted mail. `isText` says which lines are running
 * text: a header inside code or a quote does not count.
 */
export function findEmailReply(
  lines: readonly string[],
  isText: (index: number) => boolean,
): number | undefined {
  for (const [index, line] of lines.entries())
    if (isHeader(lines, index, line.trim()) && isText(index)) return index;
  return undefined;
}

function isHeader(lines: readonly string[], index: number, line: string): boolean {
  if (line === '' || line.length > LONGEST_HEADER) return false;
  if (SEPARATOR.test(line) || FOOTER.test(line)) return true;
  if (FROM.test(line)) return nextLines(lines, index).some((each) => SENT.test(each));
  if (DATED.test(line) && WROTE_AT_END.some((pattern) => pattern.test(line))) return true;
  return isWrappedHeader(lines, index);
}

function nextLines(lines: readonly string[], index: number): string[] {
  return lines.slice(index + 1, index + 1 + WRAPPED_OVER).map((each) => each.trim());
}

const STARTS = /^(?:On|Am|Le|El|Il|Em|A|No|Op|W|Den|På|Pada|В|Во)\s/i;

function isWrappedHeader(lines: readonly string[], index: number): boolean {
  let joined = '';
  for (const part of lines.slice(index, index + WRAPPED_OVER)) {
    joined = `${joined} ${part.trim()}`.trim();
    if (part.trim() === '' || joined.length > LONGEST_HEADER || !STARTS.test(joined)) return false;
    if (DATED.test(joined) && WROTE.some((pattern) => pattern.test(joined))) return true;
  }
  return false;
}
