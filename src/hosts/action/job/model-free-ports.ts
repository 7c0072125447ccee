/** What acts work with in a job that has no model and a store that is thrown away. */
import type { ActPorts } from '../../../act/ports.ts';
import { createSettings, type ReadSettings } from '../../../act/settings/read-settings.ts';
import { readPackagePersonas } from '../../../adapters/files/load-personas.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import type { Scanner } from '../../../ports/scanner.ts';
import type { Basics } from '../../host-parts.ts';
import { openUnsigned } from './workflow-github.ts';
import type { WorkflowContext } from './workflow-context.ts';
import { NO_MODEL } from './no-model.ts';

export interface ModelFreePorts {
  ports: ActPorts;
  github: ReturnType<typeof openUnsigned>;
  readSettings: ReadSettings;
  close: () => Promise<void>;
}

export async function openModelFreePorts(
  basics: Basics,
  context: WorkflowContext,
): Promise<ModelFreePorts> {
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const github = openUnsigned(basics, context);
  const ports: ActPorts = {
    ...basics,
    github,
    store,
    markerSecret: '',
    model: NO_MODEL,
    estimateUsd: () => 0,
    personas: await readPackagePersonas(),
    scanner: SCAN_WHEN_ASKED,
    parseDelivery: async (delivery) => {
      const { parseDelivery } = await import('../../../events/parse-delivery.ts');
      return parseDelivery({ ...delivery, installationId: context.repository.installationId });
    },
  };
  return { ports, github, readSettings: createSettings(ports), close: () => store.close() };
}

/** Most jobs scan nothing, and the rules are half of the code. */
const SCAN_WHEN_ASKED: Scanner = {
  scan: async (kind, input) => {
    const { SCAN_HERE } = await import('../../scan/scan-here.ts');
    return SCAN_HERE.scan(kind, input);
  },
};
