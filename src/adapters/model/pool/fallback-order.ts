/** Which member of a pool is asked next, and which one replaces a name that the pool does not have. */
import { ConfigError, QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import { ModelAlias } from '../../../domain/config/config-limits.ts';
import { isForText, OFFLINE } from '../../../domain/run/model-pool.ts';
import type { ModelRequest } from '../../../ports/model.ts';
import { isOffline } from './pool-health.ts';
import type { Member } from './members.ts';
import { comparablePrice } from './prices.ts';
import type { State } from './pool-state.ts';

/** Names come from repositories: no more of them are kept. */
const MAX_UNKNOWN = 1_000;

/** Goes on to the next model when this one is out now, or refuses this request. */
export function goesOn(
  { health }: State,
  { member, request }: { member: Member; request: ModelRequest },
  error: unknown,
): error is QuorumError {
  if (!(error instanceof QuorumError)) return false;
  const isRefused = error instanceof ConfigError || error instanceof RefusedError;
  return isRefused || health.refusalReason(member, request.installation) !== undefined;
}

/**
 * The wanted one; then cheaper ones, dearest first, which stay within the reservation. Then dearer ones, cheapest
 * first; then those of unknown price; last `offline`. Models that only make images, sound or vectors are left out.
 */
export function fallbackOrder(state: State, wanted: Member): Member[] {
  if (isOffline(wanted)) return [wanted];
  const price = comparablePrice(wanted.price);
  const others = [...state.members.values()].filter(
    (m) => m !== wanted && !isOffline(m) && writesText(state, m),
  );
  const byPrice = others.toSorted((a, b) => comparablePrice(a.price) - comparablePrice(b.price));
  const cheaper = byPrice.filter((m) => comparablePrice(m.price) <= price && m.price !== undefined);
  const rest = byPrice.filter((m) => !cheaper.includes(m));
  const offline = state.members.get(OFFLINE);
  const last = offline === undefined ? [] : [offline];
  return [wanted, ...cheaper.toReversed(), ...rest, ...last];
}

function writesText(state: State, member: Member): boolean {
  const aliases = ModelAlias.options.filter((alias) => state.aliases.get(alias) === member.name);
  return aliases.length === 0 || aliases.some(isForText);
}

export function findMember(state: State, name: string): Member | undefined {
  return state.members.get(state.aliases.get(name) ?? name);
}

/** A repository may name what this host does not have; that costs it its choice, and not its team nor its tier. */
export function standIn(
  state: State,
  { model: name, tier = 'standard' }: Pick<ModelRequest, 'model' | 'tier'>,
): Member | undefined {
  const found = findMember(state, name);
  if (found !== undefined) return found;
  if (!state.unknown.has(name) && state.unknown.size < MAX_UNKNOWN) {
    state.unknown.add(name);
    const message = `There is no model named ${JSON.stringify(name)} in the pool; \`${tier}\` answers.`;
    state.notify({ kind: 'unknown-name', name, code: 'model-name-unknown', message });
  }
  return findMember(state, tier) ?? findMember(state, 'standard');
}
