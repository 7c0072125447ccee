/** Where people see what the REST API tells: GitHub names its addresses after the host of its pages. */

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Base of pages and git, without a trailing slash: `https://api.github.com` serves `https://github.com`,
 * `https://api.SUBDOMAIN.ghe.com` serves `https://SUBDOMAIN.ghe.com`, and an Enterprise Server has its API below itself.
 */
export function webUrl(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname.startsWith('api.')) url.hostname = url.hostname.slice('api.'.length);
  const path = url.pathname.replace(/\/api\/v3\/?$/, '').replace(/\/$/, '');
  return `${url.origin}${path}`;
}

/** Host in accounts' noreply addresses. On loopback is the embedded GitHub, which plays github.com. */
export function accountHost(apiUrl: string): string {
  const { hostname } = new URL(webUrl(apiUrl));
  return LOOPBACK.test(hostname) ? 'github.com' : hostname;
}
