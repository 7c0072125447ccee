/** Messages that only thank or say goodbye, in six languages: they get a reaction, and the conversation is over (TG-12). */

/** A clause that thanks, or says goodbye. Anchored at its start; what is thanked for may follow. */
const THANKS: readonly RegExp[] = [
  /^(?:(?:ok(?:ay)?|great|perfect|awesome|cool|nice|wonderful|and|again|once again) )*(?:many |so many |a big |huge )?(?:thanks|thank you|thank u|thx|ty|cheers|much appreciated|i (?:really )?appreciate)(?! to\b)\b/,
  /^(?:(?:vale|ok|genial|perfecto|y) )*(?:muchas |mil |muchísimas )?gracias(?! a (?:esto|eso|que)\b)/,
  /^(?:(?:ok|super|parfait|et) )*(?:un grand |mille |grand )?merci(?! d(?:e|') ?(?!(?:votre|vos|ton|ta|tes|l['’]|cette|ce)))/,
  /^(?:(?:ok|super|prima|perfekt|und) )*(?:vielen |herzlichen |besten |tausend |lieben )?(?:danke?|dankeschön)(?![a-zäöüß])/,
  /^(?:(?:ok|ótimo|perfeito|e) )*(?:muito )?(?:obrigad[oa]|valeu|grat[oa])(?![a-zà-ú])/,
  /^(?:(?:ok|perfetto|ottimo|e) )*(?:molte |mille |tante )?grazie/,
];
const GOODBYE: readonly RegExp[] = [
  /^(?:good)?bye(?:[ -]bye)?(?: (?!the\b|bye\b)[a-z]+){0,2}$|^see (?:you|ya)\b|^take care\b|^have a (?:nice|great|good|lovely)\b|^good night\b|^until next time\b|^talk (?:to you )?(?:soon|later)\b/,
  /^adi[oó]s\b|^hasta (?:luego|pronto|mañana|la)|^nos vemos\b|^que tengas?\b|^buen (?:día|fin)|^un (?:abrazo|saludo)\b|^saludos\b/,
  /^au revoir\b|^à (?:bientôt|plus|demain)|^bonne (?:journée|soirée|nuit|fin)|^bon week/,
  /^tschüss|^tschüß|^auf wiedersehen\b|^bis (?:bald|dann|später|morgen)|^schönen? (?:tag|abend|feierabend|wochenende)|^(?:viele|beste|liebe) grüße/,
  /^tchau\b|^até (?:logo|mais|breve|amanhã)|^bom (?:dia|fim)|^boa (?:noite|tarde|semana)|^um abraço|^abraços?\b/,
  /^arrivederci\b|^ciao\b|^a (?:presto|dopo|domani)\b|^buona (?:giornata|serata|notte)|^buon (?:fine|weekend)|^saluti\b/,
];
/** A clause that adds nothing beside thanks. It alone closes nothing: "ok" can be an answer. */
const PLEASANTRY: readonly RegExp[] = [
  /^(?:ok(?:ay)?|great|perfect|awesome|cool|nice|wonderful|excellent|amazing|brilliant|lovely|all good|got it|no worries|you too|everyone|all|team|folks|again|so much|very much|a lot|really|as always|good (?:work|job)|great (?:work|job)|well done|nice work|you're welcome|my pleasure|(?:that|this|it)(?:'s| is| was| has been| really| all)* ?(?:very |really |so |super |a great |a big |of great )?(?:helped(?: me)?(?: a lot| out)?|helps(?: a lot)?|helpful|useful|great|perfect|clear|help|it|all|works(?: now| great| perfectly)?))$/,
  /^(?:vale|ok|genial|perfecto|excelente|estupendo|de nada|igualmente|a tod[oa]s|equipo|muy (?:útil|claro|amable)|buen trabajo|me (?:ha )?ayud(?:ó|ado)(?: mucho)?)$/,
  /^(?:ok|super|parfait|génial|excellent|de rien|à vous aussi|à tous|l['’]équipe|très (?:utile|clair)|bon travail|beau travail|ça (?:m['’])?(?:aide|a aidé)(?: beaucoup)?)$/,
  /^(?:ok|super|prima|perfekt|toll|klasse|gern(?: geschehen)?|ebenso|euch auch|an alle|gute arbeit|das (?:hilft|hat geholfen)(?: sehr)?|sehr (?:hilfreich|nett))$/,
  /^(?:ok|ótimo|perfeito|excelente|de nada|igualmente|a todos|pessoal|bom trabalho|ajudou(?: muito)?|muito (?:útil|bom))$/,
  /^(?:ok|perfetto|ottimo|eccellente|prego|altrettanto|a tutti|bel lavoro|buon lavoro|molto (?:utile|chiaro|gentile)|mi ha aiutat[oa](?: molto)?)$/,
];
/** Words that turn thanks into something else: a reservation, a wish, thanks for what is yet to be done. */
const TURNS =
  /(?<![\p{L}])(?:but|however|although|though|except|unless|also|please|pls|in advance|could|would|should|can you|still|yet|instead|not|don't|doesn't|didn't|pero|sin embargo|aunque|también|por favor|de antemano|no funciona|mais|cependant|pourtant|aussi|s['’]il|d['’]avance|aber|jedoch|allerdings|bitte|im voraus|auch|nicht|mas|porém|também|desde já|não|ma|però|anche|in anticipo|per favore|non)(?![\p{L}])/u;
/** "Thanks for the fix and add a test": an order after all. */
const ORDER =
  /\b(?:and|y|et|und|e)\s+(?:now |then )?(?:add|fix|change|merge|update|remove|open|close|run|revert|make|try|check|use|let|review|do|start|stop|approve)\b/;
/** Code, links, commands and references are substance. */
const SUBSTANCE = /[?？¿`]|^ {4}\S|https?:\/\/|www\.|\/pm\b|#\d|\w\(\)|[{}<>=]|\w\/\w+\.\w/m;

const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{200d}/gu;
const MENTION = /@[\w-]+/g;
const MAX_CHARS = 5_000;

/** Whether a message only thanks or says goodbye, however long it is. Never one with a question or code in it. */
export function isClosing(text: string): boolean {
  if (text.length > MAX_CHARS || SUBSTANCE.test(text)) return false;
  const plain = text.toLowerCase().replaceAll('’', "'").replaceAll(MENTION, '');
  if (TURNS.test(plain) || ORDER.test(plain)) return false;
  const clauses = plain
    .replaceAll(EMOJI, '.')
    .split(/[.!,;:()\n\u2026*_~"\u2013\u2014\u00a1]+|\s-\s/)
    .map((clause) => clause.trim())
    .filter((clause) => /\p{L}/u.test(clause));
  return (
    clauses.some(closes) &&
    clauses.every((clause) => closes(clause) || matches(PLEASANTRY, clause) || isName(clause))
  );
}

function closes(clause: string): boolean {
  return matches(THANKS, clause) || matches(GOODBYE, clause);
}

function matches(patterns: readonly RegExp[], clause: string): boolean {
  return patterns.some((pattern) => pattern.test(clause));
}

/** "Thanks, Ana": one short word beside thanks is a name. */
function isName(clause: string): boolean {
  return /^\p{L}{2,15}$/u.test(clause);
}
