/** The pages on which people see what was posted: plain HTML that loads and runs nothing. */
import type { ChatAnswer } from './serve.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function toHtmlText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem; }
h1 { font-size: 1.2rem; } a { color: #1264a3; }
article { display: grid; grid-template-columns: 2.5rem 1fr; gap: .25rem .75rem; padding: .6rem 0; }
article.below { margin-left: 3.25rem; border-left: 3px solid #8884; padding-left: .75rem; }
.face { width: 2.25rem; height: 2.25rem; border-radius: .5rem; background: #611f69; color: #fff; display: grid; place-items: center; font-weight: 700; }
.who { font-weight: 700; } .when { color: #767676; font-size: .85em; margin-left: .5rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { background: #8881; padding: .6rem; border-radius: .4rem; overflow-x: auto; white-space: pre; }
.card, .file { border: 1px solid #8886; border-radius: .5rem; padding: .5rem .75rem; margin-top: .4rem; }
.card img { display: block; max-width: 100%; border-radius: .35rem; }
.mark { border: 1px solid #8886; border-radius: 1rem; padding: 0 .5rem; font-size: .85em; }
@media (prefers-color-scheme: dark) { a { color: #6cb8f0; } }
`;

/** `body` is markup that is safe already. */
export function page(title: string, body: string): ChatAnswer {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${toHtmlText(title)}</title><style>${STYLE}</style>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    body: `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>${toHtmlText(title)}</h1>${body}</main></body></html>`,
  };
}

/** One message. `html` and `more` are markup. */
export interface Shown {
  who: string;
  when: string;
  html: string;
  more: string;
  isBelow: boolean;
}

export function article({ who, when, html, more, isBelow }: Shown): string {
  const face = toHtmlText(Array.from(who.replace(/^@/, ''))[0]?.toUpperCase() ?? '?');
  const head = `<span class="who">${toHtmlText(who)}</span><time class="when">${toHtmlText(when)}</time>`;
  return `<article${isBelow ? ' class="below"' : ''}><div class="face" aria-hidden="true">${face}</div><div>${head}<div class="text" dir="auto">${html}</div>${more}</div></article>`;
}
