/** The pages of the setup as HTML: registering the App, naming its addresses first, taking over one that exists. */
import { WEBHOOK_PATH } from './app-manifest.ts';
import type { SetupChoices } from './hook-address.ts';

/** Below `/probot`; the pages need nothing from elsewhere. */
export const SETUP_FILES: Readonly<Record<string, { type: string; text: string }>> = {
  '/probot/setup.css': {
    type: 'text/css; charset=utf-8',
    text: `:root { color-scheme: light dark; --line: #8886; --accent: #1f6feb; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; }
form, .box { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin: 1.25rem 0; }
label { display: block; font-weight: 600; margin: .75rem 0 .25rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .6rem; }
button { font: inherit; font-weight: 600; margin: 1rem 0 .25rem; padding: .5rem 1rem; border: 0; border-radius: .4rem; background: var(--accent); color: #fff; cursor: pointer; }
code { overflow-wrap: anywhere; }
li { margin: .4rem 0; }
`,
  },
  '/probot/import.js': {
    type: 'text/javascript; charset=utf-8',
    text: `const form = document.querySelector('form');
const answer = document.querySelector('[role=status]');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  answer.textContent = 'One moment.';
  try {
    const body = JSON.stringify({
      appId: form.appId.value.trim(),
      webhook_secret: form.secret.value,
      pem: await form.pem.files[0].text(),
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/probot/import', { method: 'POST', headers, body });
    if (response.ok) {
      // With its credentials the server has no setup page any more: this one says so itself.
      document.getElementById('ask').hidden = true;
      document.getElementById('done').hidden = false;
    } else answer.textContent = (await response.json()).title;
  } catch (error) {
    answer.textContent = String(error);
  }
});
`,
  },
};

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Quorum setup</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/probot/setup.css">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}

export interface Registration {
  choices: SetupChoices;
  /** Where GitHub shows the form of the new App. */
  action: string;
  hookUrl: string;
  /** JSON, safe between single quotes. */
  manifest: string;
}

export function renderRegistration({ choices, action, hookUrl, manifest }: Registration): string {
  return page(
    'Register Quorum on GitHub',
    `<p>${describeOwner(choices)}</p>
<ol>
<li>Press the button. GitHub shows the permissions and asks for a name. Nothing is created before you confirm there.</li>
<li>GitHub sends you back here. The credentials are kept in <code>.env</code> on this machine.</li>
<li>Install the App on the repositories that it is to work in.</li>
</ol>
<form action="${escapeHtml(action)}" method="post" target="_blank">
<p>GitHub will deliver webhooks to <code>${escapeHtml(hookUrl)}</code>.</p>
<button name="manifest" value='${manifest}'>Register GitHub App</button>
</form>
<p>You have an App already? <a href="/probot/import">Use its credentials</a>.</p>`,
  );
}

/** Asks for the addresses; `refused` is one that GitHub would not accept. */
export function renderAddressForm({ organisation }: SetupChoices, refused?: string): string {
  const why =
    refused === undefined
      ? 'GitHub needs a public address to deliver webhooks to; it refuses localhost.'
      : `GitHub cannot deliver to <code>${escapeHtml(refused)}</code>: it refuses localhost and private networks.`;
  return page(
    'Where does GitHub deliver?',
    `<p>${why} Enter the public address of this server, or of a proxy in front of it, ending in <code>${WEBHOOK_PATH}</code>. To keep it, set <code>WEBHOOK_PROXY_URL</code> and start again.</p>
<p>To try Quorum from a laptop, open <a href="https://smee.io/new" rel="noreferrer">smee.io/new</a>, set <code>QUORUM_SMEE_URL</code> to the address that it shows, and start again.</p>
<form action="/probot" method="get">
<label for="hook">Webhook address</label>
<input id="hook" type="url" name="hook" required placeholder="https://quorum.example${WEBHOOK_PATH}">
<label for="organisation">Organisation (<code>GH_ORG</code>)</label>
<input id="organisation" name="organisation" value="${escapeHtml(organisation ?? '')}">
<p>The App is private: it can be installed only on the account that owns it. Without an organisation that is your own account.</p>
<button>Continue</button>
</form>
<p>You have an App already? <a href="/probot/import">Use its credentials</a>.</p>`,
  );
}

export function renderImport({ hookUrl, github }: { hookUrl: string; github: string }): string {
  return page(
    'Use an App that exists',
    `<div id="ask">
<ol>
<li>In <a href="${escapeHtml(github)}/settings/apps" target="_blank" rel="noreferrer">the App's settings</a>, set the webhook URL to <code>${escapeHtml(hookUrl)}</code>, with the content type <code>application/json</code> and a secret.</li>
<li>Give it the permissions and events of <code>app.yml</code>, and make a private key.</li>
<li>Enter its credentials here. They are kept in <code>.env</code> on this machine.</li>
</ol>
<form>
<label for="appId">App ID</label>
<input id="appId" name="appId" required inputmode="numeric">
<label for="secret">Webhook secret</label>
<input id="secret" name="secret" type="password" autocomplete="off" required>
<label for="pem">Private key (.pem)</label>
<input id="pem" name="pem" type="file" accept=".pem" required>
<button>Use this App</button>
<p role="status"></p>
</form>
</div>
<div id="done" hidden>
<h2>Quorum is set up</h2>
<p>The credentials are in <code>.env</code>. Install the App on a repository, then label an issue <code>deliberate</code>.</p>
</div>
<script src="/probot/import.js"></script>`,
  );
}

/** Who will own the App. */
function describeOwner({ organisation }: SetupChoices): string {
  return organisation === undefined
    ? 'The App will belong to your own account and can be installed only there. To register it for an organisation, set <code>GH_ORG</code> and start again.'
    : `The App will belong to the organisation <b>${escapeHtml(organisation)}</b> and can be installed only there.`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
