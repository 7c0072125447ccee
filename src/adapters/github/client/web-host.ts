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

/** The other way round: the REST base that belongs to the origin of pages. */
export function apiUrlOf(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  const isCloud = hostname === 'github.com' || hostname.endsWith('.ghe.com');
  return isCloud ? `${protocol}//api.${hostname}` : `${origin}/api/v3`;
}

/** Whether it is a server of one's own network; github.com and its subdomains of `ghe.com` run on the public Internet. */
export function isEnterpriseServer(apiUrl: string): boolean {
  return /\/api\/v3\/?$/.test(apiUrl);
}

/** Host in accounts' noreply addresses. On loopback is the embedded GitHub, which plays github.com. */
export function accountHost(apiUrl: string): string {
  const { hostname } = new URL(webUrl(apiUrl));
  return LOOPBACK.test(hostname) ? 'github.com' : hostname;
}
