/** What a process remembers of an installation to spare calls: tokens, answers, settings. */
export interface InstallationCaches {
  /** Drops all of it; what is still needed is asked for again. */
  forget(installationId: number): void;
  onForget(drop: (installationId: number) => void): void;
}

export function createInstallationCaches(): InstallationCaches {
  const all: ((installationId: number) => void)[] = [];
  return {
    forget: (installationId) => {
      for (const drop of all) drop(installationId);
    },
    onForget: (drop) => void all.push(drop),
  };
}
