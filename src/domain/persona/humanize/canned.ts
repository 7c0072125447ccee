/** Words that machines put around what they have to say, and nobody misses. */

/** At the very beginning of a message; taken off again and again until none is left. */
export const OPENINGS: readonly RegExp[] = [
  /^(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening))(?: (?:there|all|everyone|team|folks))?[!,.]\s*/i,
  /^(?:what an? |that(?:'|\u2019)s an? |this is an? )?(?:great|good|excellent|fantastic|wonderful|interesting|thoughtful|insightful) (?:question|point|idea|catch|issue|find|observation|suggestion)[!.,]\s*/i,
  /^(?:sure(?: thing)?|certainly|absolutely|definitely|of course|no problem|happy to help|glad you asked|got it|understood|perfect|great|awesome|wow)[!.]\s*/i,
  /^(?:sure|certainly|absolutely|of course), (?=(?:here|i|let)\b)/i,
  /^i(?:'|\u2019)(?:d|ll) be (?:happy|glad|delighted) to (?:help|assist)(?: you)?(?: with (?:this|that))?[!.]\s*/i,
  /^(?:thanks|thank you)(?: so much| very much)? for (?:the|your|this|raising|reporting|sharing|opening|reaching|asking|bringing)\b[^.!?\n]{0,80}[.!]\s*/i,
  /^as an? (?:ai|large language model|language model|ai assistant|ai language model)\b[^.,!?\n]{0,40}[,.]\s*/i,
  /^(?:let(?:'|\u2019)s|let me) (?:dive|delve|jump|dig)(?: right| straight)? (?:in|into (?:it|this|that))[!.:]\s*/i,
  /^i hope this (?:message |comment )?finds you well[!.]\s*/i,
  /^here(?:'|\u2019)s (?:my|the|a) (?:take|breakdown|summary|analysis|review)[:.]\s*/i,
];

/** Whole sentences that offer, praise or sum up without saying anything, wherever they stand. */
export const EMPTY_SENTENCES: readonly RegExp[] = [
  /^(?:please )?(?:feel free to|don(?:'|\u2019)t hesitate to) (?:reach out|ask|let me know|ping me|comment)\b[^.!?]{0,80}[.!]$/i,
  /^(?:please )?let me know if (?:you(?:'|\u2019)d like|you (?:have|need|want|would like)|there(?:'|\u2019)s|i can|this|that|any)\b[^.!?]{0,80}[.!]$/i,
  /^i?\s?hope (?:this|that) (?:helps|clarifies|makes sense|is helpful)\b[^.!?]{0,40}[.!]$/i,
  /^(?:happy|glad) to (?:help|discuss|elaborate|clarify|assist)\b[^.!?]{0,60}[.!]$/i,
  /^(?:keep up the (?:great|good) work|great (?:work|job)|nice (?:work|job)|well done|good job|amazing work|looking forward to (?:it|your (?:thoughts|feedback|reply)))\b[^.!?]{0,40}[.!]$/i,
  /^(?:overall|in summary|in conclusion),? (?:this is|it(?:'|\u2019)s) an? (?:great|good|solid|excellent|nice) (?:change|addition|improvement|start|pr|pull request|contribution|piece of work)[.!]$/i,
  /^i(?:'|\u2019)(?:d|ll) be (?:happy|glad) to (?:help|assist)\b[^.!?]{0,60}[.!]$/i,
];

/** Filler inside a sentence, and the plain word for it. */
export const FILLERS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:it(?:'|\u2019)s|it is) (?:also )?(?:important|worth|worthwhile|crucial|essential) (?:to note|noting|mentioning|to mention|to remember|pointing out) that /gi,
    '',
  ],
  [/\b(?:please |do )?(?:note|keep in mind|bear in mind) that /gi, ''],
  [/\bneedless to say,? /gi, ''],
  [/\bat the end of the day,? /gi, ''],
  [/\bas (?:you may know|mentioned (?:above|earlier|before)|we all know),? /gi, ''],
  [/\bto be (?:honest|fair|clear|perfectly honest),? /gi, ''],
  [
    /\b(?:basically|essentially|ultimately|fundamentally|furthermore|moreover|additionally), /gi,
    '',
  ],
  [
    /\bin today(?:'|\u2019)s (?:fast-paced |modern |digital )?(?:world|landscape|environment),? /gi,
    '',
  ],
  [/\bin order to\b/gi, 'to'],
  [/\bdue to the fact that\b/gi, 'because'],
  [/\bin the event that\b/gi, 'if'],
  [/\bat this point in time\b/gi, 'now'],
  [/\bhas the ability to\b/gi, 'can'],
  [/\ba (?:wide|broad) (?:range|variety|array) of\b/gi, 'many'],
  [/\bdelv(?:e|es|ing) (?:deeper )?into\b/gi, 'look into'],
  [/\butili[sz]e\b/gi, 'use'],
  [/\butili[sz]es\b/gi, 'uses'],
  [/\butili[sz]ing\b/gi, 'using'],
  [/\bleverages\b/gi, 'uses'],
  [/\bleveraging\b/gi, 'using'],
  [/\bseamlessly /gi, ''],
  [/\bgame[- ]changing /gi, ''],
];
