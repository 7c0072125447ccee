/** Where a setting is in a configuration as it is kept: models are written flat and kept in a table of their own. */
export function pathOf(key: string): string[] {
  return key.replace(/^models\./, 'models.aliases.').split('.');
}
