/** Holds what the App may do, and what owners have accepted, against app.yml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { MANIFEST_FILE } from '../../package-files.ts';
import type { Finding } from './doctor-finding.ts';

const Grant = z.object({
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
});
export const AppGrant = Grant.extend({
  slug: z.string(),
  installations_count: z.number().optional(),
});
export const InstallationGrant = Grant.extend({
  id: z.number(),
  account: z.object({ login: z.string() }).nullish(),
});
export const Installations = z.array(InstallationGrant);
const Manifest = z.object({
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])),
  default_events: z.array(z.string()),
});

const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };

/** Names of permissions with their level, and of events, that app.yml asks for and the grant lacks. */
function lacking({ permissions, events }: z.infer<typeof Grant>) {
  const wanted = Manifest.parse(parse(readFileSync(MANIFEST_FILE, 'utf8')));
  return {
    short: Object.entries(wanted.default_permissions)
      .filter(([name, level]) => (RANK[permissions[name] ?? ''] ?? 0) < (RANK[level] ?? 0))
      .map(([name, level]) => `${name}: ${level} (has ${permissions[name] ?? 'none'})`),
    deaf: wanted.default_events.filter((event) => !events.includes(event)),
  };
}

function describe({ short, deaf }: ReturnType<typeof lacking>): string {
  const parts = [
    short.length === 0 ? '' : `missing permissions ${short.join(', ')}`,
    deaf.length === 0 ? '' : `not subscribed to ${deaf.join(', ')}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

export function compareGrant(grant: z.infer<typeof Grant>): Finding {
  const missing = lacking(grant);
  const says = describe(missing);
  const about = 'permissions';
  if (says === '') return { level: 'ok', about, says: 'everything in app.yml is granted' };
  const fix =
    "Add them in the App's settings under Permissions & events; each installation is then asked to accept.";
  return { level: missing.short.length === 0 ? 'warn' : 'fail', about, says, fix };
}

/** A permission that was added to the App later holds in an installation once its owner has accepted it. */
export function compareInstallations(installations: z.infer<typeof Installations>): Finding[] {
  return installations.flatMap((installation): Finding[] => {
    const says = describe(lacking(installation));
    if (says === '') return [];
    const about = `installation ${installation.account?.login ?? installation.id}`;
    const fix = "An owner has to accept the App's new permissions on the installation's page.";
    return [{ level: 'warn', about, says, fix }];
  });
}
