/** `@actions/workflow-parser` imports its schemas as JSON without saying so, which Node refuses. */
import { registerHooks } from 'node:module';

/** Has to be called before the package is imported. */
export function allowJsonImports(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (!found.url.endsWith('.json')) return found;
      return { ...found, importAttributes: { ...found.importAttributes, type: 'json' } };
    },
  });
}
