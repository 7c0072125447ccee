/** What a request asks of its provider beyond an answer: a sandbox without network has no window in the provider's house. */
import { isRecord } from '../../../domain/config/yaml.ts';

/** What carries its own bytes; anything else is fetched, by the provider, from an address in the request. */
const INLINE: ReadonlySet<unknown> = new Set(['base64', 'text', 'content']);

/**
 * What in a Messages request would make the provider itself reach out; undefined if nothing would. These are its own
 * tools (search, fetch, code), MCP servers, containers, and images or documents by address.
 */
export function outreachOf(request: Record<string, unknown>): string | undefined {
  if (isThere(request['mcp_servers'])) return 'MCP servers';
  if (isThere(request['container'])) return 'a container';
  const tool = items(request['tools']).find((one) => !isOwnTool(one));
  if (tool !== undefined) return `the provider’s own tool ${JSON.stringify(tool['type'])}`;
  return contentBlocks(request).some(isFetched)
    ? 'a source that the provider would fetch'
    : undefined;
}

/** All content blocks of a request, those within results and documents too. */
export function contentBlocks(request: Record<string, unknown>): Record<string, unknown>[] {
  return [{ content: request['system'] }, ...items(request['messages'])].flatMap(blocksOf);
}

function isThere(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** A tool that the CLI itself carries out has no type, or says so. */
function isOwnTool({ type }: Record<string, unknown>): boolean {
  return type === undefined || type === null || type === 'custom';
}

/** Content blocks, those within results and documents too; what a tool was called with is only words. */
function blocksOf(holder: Record<string, unknown>): Record<string, unknown>[] {
  const source = isRecord(holder['source']) ? blocksOf(holder['source']) : [];
  return [...items(holder['content']).flatMap((block) => [block, ...blocksOf(block)]), ...source];
}

function isFetched({ type, source }: Record<string, unknown>): boolean {
  if (type === 'container_upload') return true;
  return isRecord(source) && !INLINE.has(source['type']);
}

function items(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
