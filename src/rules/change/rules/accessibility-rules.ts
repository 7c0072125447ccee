/** Rules about markup that some people cannot use. */
import { attribute, hasSpread } from '../syntax/elements.ts';
import type { MarkupElement } from '../syntax/elements.ts';
import { lines } from '../line-rule.ts';
import { styleRuleAround } from '../style-rule.ts';
import type { Change } from '../read-change.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule, Sighting } from '../change-rule.ts';

const STATIC = /^(?:div|span|li|p|td|tr|section|article|img|ul|h[1-6])$/;
const CLICK = /(?:^|\s)(?:onClick|@click(?:\.\w+)*|v-on:click|on:click|onclick)\s*=/;
const KEY =
  /(?:^|\s)(?:onKey(?:Down|Up|Press)|@key\w+(?:\.\w+)*|v-on:key\w+|on:key\w+|onkey\w+)\s*=/;

type Judge = (element: MarkupElement) => boolean;

/** Finds the new elements that are judged wrong; what is passed on unseen gets the benefit of the doubt. */
function elements(
  judge: Judge,
  suggest?: (text: string) => string,
): (change: Change) => Sighting[] {
  return ({ files }) =>
    files
      .filter(({ isTest }) => !isTest)
      .flatMap((file) =>
        file
          .elements()
          .filter((element) => !hasSpread(element) && judge(element))
          .map(({ line, endLine }) => {
            const text = file.lines.get(line)?.text ?? '';
            const suggestion = line === endLine ? suggest?.(text) : undefined;
            return {
              file,
              line,
              endLine,
              ...(suggestion === undefined || suggestion === text ? {} : { suggestion }),
            };
          }),
      );
}

function isHidden(element: MarkupElement): boolean {
  return (
    attribute(element, 'aria-hidden') === 'true' ||
    attribute(element, 'aria-hidden') === true ||
    /^(?:presentation|none)$/.test(String(attribute(element, 'role')))
  );
}

function hasName(element: MarkupElement): boolean {
  return [
    'aria-label',
    'aria-labelledby',
    'title',
    'v-text',
    'v-html',
    'dangerouslySetInnerHTML',
    'children',
  ].some((name) => attribute(element, name) !== undefined);
}

/** Nothing that a screen reader could say: no text, no expression, no image with a name. */
function isSilent(content: string): boolean {
  if (/\{[^}]*[\w"'`]/.test(content) && !/^\s*\{\s*\/\*.*\*\/\s*\}\s*$/.test(content)) return false;
  if (/\balt=["'{][^"'}]|aria-label|<title|<slot|<[A-Z]|sr-only|visually-hidden/.test(content))
    return false;
  return content.replaceAll(/<[^>]*>/g, '').trim() === '';
}

export const ACCESSIBILITY_RULES: readonly ReviewRule[] = [
  {
    id: 'image-without-alt',
    area: 'accessibility',
    severity: 'medium',
    personas: ['priya'],
    title: 'An image has no text for those who do not see it.',
    explanation: 'Screen readers then say the file’s name, or nothing. WCAG 1.1.1.',
    advice: 'say in `alt` what the image tells; `alt=""` when it only decorates',
    examples: {
      yes: [
        inFile('src/a.tsx', '+<img src={logo} width={20} />'),
        inFile('a.html', '+<img\n+  src="x.png"\n+>'),
      ],
      no: [
        inFile('src/a.tsx', '+<img src={logo} alt="Quorum" />'),
        inFile('src/a.tsx', '+<img src={logo} alt="" />'),
        inFile('src/a.tsx', '+<img {...props} />'),
        inFile('a.html', '+<img src="x.png" aria-hidden="true">'),
        inFile('src/a.ts', "+const text = '<img src=x>';"),
        inFile('src/a.tsx', '+<img\n+  src={pick((x) => x > 1)}\n+  alt={name}\n+/>'),
      ],
    },
    find: elements(
      (element) =>
        element.name === 'img' &&
        attribute(element, 'alt') === undefined &&
        !isHidden(element) &&
        !hasName(element),
    ),
  },
  {
    id: 'click-without-keyboard',
    area: 'accessibility',
    severity: 'medium',
    personas: ['priya'],
    title: 'Something can be clicked and not reached with the keyboard.',
    explanation:
      'People without a mouse cannot do this at all, and screen readers do not announce it. WCAG 2.1.1.',
    advice: 'use a `<button>`, or add `role`, `tabIndex` and a key handler',
    examples: {
      yes: [
        inFile('src/a.tsx', '+<div className="x" onClick={open}>Open</div>'),
        inFile('a.vue', '+<span @click="open">Open</span>'),
      ],
      no: [
        inFile('src/a.tsx', '+<button onClick={open}>Open</button>'),
        inFile(
          'src/a.tsx',
          '+<div role="button" tabIndex={0} onClick={open} onKeyDown={key}>Open</div>',
        ),
        inFile('src/a.tsx', '+<Card onClick={open}>Open</Card>'),
        inFile('src/a.tsx', '+<div onClick={(event) => event.stopPropagation()}>x</div>'),
      ],
    },
    find: elements(
      (element) =>
        STATIC.test(element.name) &&
        CLICK.test(element.attributes) &&
        !KEY.test(element.attributes) &&
        attribute(element, 'role') === undefined &&
        !isHidden(element) &&
        !/stopPropagation|@click\.stop(?:\.\w+)*(?:\s|$)|preventDefault\(\)\}/.test(
          element.attributes,
        ),
    ),
  },
  {
    id: 'control-without-name',
    area: 'accessibility',
    severity: 'medium',
    personas: ['priya'],
    title: 'A button or link has no name.',
    explanation: 'Screen readers say “button” and nothing else. WCAG 4.1.2.',
    advice: 'put text into it, or add `aria-label`',
    examples: {
      yes: [
        inFile('src/a.tsx', '+<button onClick={close}><svg path="x" /></button>'),
        inFile('a.html', '+<a href="/home"></a>'),
      ],
      no: [
        inFile('src/a.tsx', '+<button aria-label="Close" onClick={close}><svg /></button>'),
        inFile('src/a.tsx', '+<button onClick={close}>{label}</button>'),
        inFile('src/a.tsx', '+<button onClick={close}><Icon /></button>'),
        inFile('a.html', '+<a id="top" name="top"></a>'),
      ],
    },
    find: elements(
      (element) =>
        (element.name === 'button' ||
          (element.name === 'a' && attribute(element, 'href') !== undefined)) &&
        element.content !== undefined &&
        !hasName(element) &&
        !isHidden(element) &&
        isSilent(element.content),
    ),
  },
  {
    id: 'positive-tab-order',
    area: 'accessibility',
    severity: 'low',
    personas: ['priya'],
    title: 'A fixed place in the tab order is given.',
    explanation:
      'It comes before everything else on the page, so the order no longer follows what one sees. WCAG 2.4.3.',
    advice: 'use 0, and put the elements into the order they should have',
    examples: {
      yes: [
        inFile('src/a.tsx', '+<input tabIndex={3} />'),
        inFile('a.html', '+<a href="/" tabindex="1">Home</a>'),
      ],
      no: [
        inFile('src/a.tsx', '+<div tabIndex={0}>x</div>'),
        inFile('src/a.tsx', '+<div tabIndex={-1}>x</div>'),
      ],
    },
    find: elements(
      (element) => /^\s*[1-9]\d*\s*$/.test(String(attribute(element, 'tabindex'))),
      (text) =>
        text.replace(
          /\b(tabindex\s*=\s*)(\{\s*|["']?)\d+/i,
          (_match, name: string, open: string) => `${name}${open}0`,
        ),
    ),
  },
  {
    id: 'page-without-language',
    area: 'accessibility',
    severity: 'low',
    personas: ['priya'],
    title: 'The page does not say its language.',
    explanation:
      'Screen readers read it with the wrong voice, and browsers offer to translate it. WCAG 3.1.1.',
    advice: 'add `lang="en"`, or whichever it is',
    examples: {
      yes: [inFile('a.html', '+<html>\n+<body></body>\n+</html>')],
      no: [inFile('a.html', '+<html lang="en">')],
    },
    find: elements(
      (element) =>
        element.name === 'html' &&
        attribute(element, 'lang') === undefined &&
        !attributeIsTemplate(element),
    ),
  },
  {
    id: 'zoom-blocked',
    area: 'accessibility',
    severity: 'medium',
    personas: ['priya'],
    title: 'The page cannot be made larger.',
    explanation: 'People who need larger text cannot read it on a phone. WCAG 1.4.4.',
    advice: 'leave `user-scalable` and `maximum-scale` out',
    examples: {
      yes: [
        inFile('a.html', '+<meta name="viewport" content="width=device-width, user-scalable=no">'),
      ],
      no: [
        inFile('a.html', '+<meta name="viewport" content="width=device-width, initial-scale=1">'),
      ],
    },
    find: elements(
      (element) =>
        element.name === 'meta' &&
        /user-scalable\s*=\s*(?:no|0)\b|maximum-scale\s*=\s*1(?:\.0)?\b/.test(
          String(attribute(element, 'content')),
        ),
      (text) =>
        text.replaceAll(
          /,?\s*(?:user-scalable\s*=\s*(?:no|0)|maximum-scale\s*=\s*1(?:\.0)?)\b/g,
          '',
        ),
    ),
  },
  {
    id: 'media-plays-by-itself',
    area: 'accessibility',
    severity: 'low',
    personas: ['priya'],
    title: 'Sound starts without being asked for.',
    explanation:
      'It talks over the screen reader, and users who are surprised by it leave. WCAG 1.4.2.',
    advice: 'add `muted` and `controls`, or start it on a click',
    examples: {
      yes: [inFile('a.html', '+<video src="x.mp4" autoplay></video>')],
      no: [
        inFile('a.html', '+<video src="x.mp4" autoplay muted loop></video>'),
        inFile('a.html', '+<video src="x.mp4" controls></video>'),
      ],
    },
    find: elements(
      (element) =>
        /^(?:video|audio)$/.test(element.name) &&
        attribute(element, 'autoplay') !== undefined &&
        attribute(element, 'muted') === undefined,
    ),
  },
  {
    id: 'focus-outline-removed',
    area: 'accessibility',
    severity: 'medium',
    personas: ['priya'],
    title: 'The mark of what has the focus is taken away.',
    explanation: 'Keyboard users no longer see where they are. WCAG 2.4.7.',
    advice: 'give `:focus-visible` another mark that can be seen',
    examples: {
      yes: [inFile('a.css', '+button:focus {\n+  outline: none;\n+}')],
      no: [
        inFile('a.css', '+button:focus {\n+  outline: none;\n+  box-shadow: 0 0 0 2px blue;\n+}'),
        inFile('a.css', '+button:focus:not(:focus-visible) {\n+  outline: none;\n+}'),
        inFile('a.css', '+dialog {\n+  outline: none;\n+}'),
      ],
    },
    find: lines({
      in: ['style', 'markup'],
      pattern: /\boutline\s*:\s*(?:none|0)\b/,
      confirm: ({ line }, file) => {
        const rule = styleRuleAround(file.lines, line);
        return (
          /:focus(?!-visible|-within)/.test(rule) &&
          !/:focus-visible|box-shadow|border(?!-radius)|background|text-decoration/.test(rule)
        );
      },
    }),
  },
];

/** Whether the attributes come from a template engine. */
function attributeIsTemplate({ attributes }: MarkupElement): boolean {
  return /\{[{%]|<%|\$\{/.test(attributes);
}
