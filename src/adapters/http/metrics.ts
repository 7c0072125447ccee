/** What Prometheus may ask: webhooks counted here, queue and money read from the store at each scrape. */
import type * as PromClient from 'prom-client';
import type { Counter, Gauge, Registry } from 'prom-client';
import type { HostCaps, HostSpent } from '../../domain/config/host-caps.ts';
import type { CallCounts } from '../../domain/run/ledger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records, StoreCounts } from '../../ports/store.ts';
import { openMemoryGauges, type MemoryFigures } from './memory-metrics.ts';
import { openMoneyGauges, readDay } from './money-metrics.ts';

export interface MetricSources {
  records: Pick<Records, 'counts' | 'spent' | 'topSpenders'>;
  clock: Clock;
  /** What may be spent in a day; a scope without a cap has no gauge. */
  hostCaps: HostCaps;
  /** Calls made to GitHub by this process, by operation. */
  githubCalls: () => CallCounts;
  /** Failures to order what is remembered by its meaning, by code. */
  unranked?: (() => CallCounts) | undefined;
  /** Asked at each scrape; reads the store. */
  readMemory?: (() => Promise<MemoryFigures>) | undefined;
}

export interface Metrics {
  /** Counts one webhook request: its outcome, and how long the answer took. */
  observe(outcome: string, ms: number): void;
  /** The exposition text. Loads prom-client the first time: a process that nobody scrapes never pays for it. */
  render(): Promise<{ contentType: string; text: string }>;
}

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10] as const;

interface Latency {
  /** One for each bound, and one for what is slower; not cumulative. */
  counts: number[];
  sum: number;
}

interface Webhooks {
  outcomes: Map<string, number>;
  latency: Latency;
}

/** Starts counting. */
export function createMetrics(sources: MetricSources): Metrics {
  const latency = { counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 };
  const webhooks: Webhooks = { outcomes: new Map(), latency };
  let opening: Promise<Opened> | undefined;
  return {
    observe(outcome, ms) {
      webhooks.outcomes.set(outcome, (webhooks.outcomes.get(outcome) ?? 0) + 1);
      const seconds = ms / 1000;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      const index = bucket === -1 ? BOUNDS.length : bucket;
      latency.counts[index] = (latency.counts[index] ?? 0) + 1;
      latency.sum += seconds;
    },
    async render() {
      opening ??= openRegistry(sources, webhooks);
      const { registry, refresh } = await opening;
      await refresh();
      const text = (await registry.metrics()) + toHistogramText(latency);
      return { contentType: registry.contentType, text };
    },
  };
}

/** The registry, and how to bring its gauges up to date before it is read. */
interface Opened {
  registry: Registry;
  refresh: () => Promise<void>;
}

async function openRegistry(sources: MetricSources, webhooks: Webhooks): Promise<Opened> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  addCalls(client, registry, {
    name: 'quorum_webhooks_total',
    help: 'Webhook requests by outcome: queued, duplicate, ignored, or the code of the refusal',
    label: 'outcome',
    read: () => webhooks.outcomes,
  });
  addCalls(client, registry, {
    name: 'quorum_github_calls_total',
    help: 'Calls to the GitHub API by operation',
    label: 'operation',
    read: () => new Map(Object.entries(sources.githubCalls())),
  });
  addCalls(client, registry, {
    name: 'quorum_memory_unranked_total',
    help: 'Looks whose memory could not be ordered by meaning, by code; it was ordered by words',
    label: 'code',
    read: () => new Map(Object.entries(sources.unranked?.() ?? {})),
  });
  return { registry, refresh: addStore(client, registry, sources) };
}

type Client = typeof PromClient;

const STATUS_GAUGES = {
  quorum_events: 'Events in the store by status',
  quorum_effects: 'Effects in the store by status',
} as const;

const GAUGES = {
  quorum_store_up: 'Whether the store answered this scrape; 0 makes the figures below meaningless',
  quorum_queue_lag_seconds: 'Age of the oldest piece of work that is due and waits',
  quorum_model_calls: 'Model calls in the ledger',
  quorum_model_calls_unpriced: 'Model calls in the ledger whose cost is unknown',
  quorum_model_cost_usd: 'Known cost of the model calls in the ledger, in US dollars',
} as const;

/** Gauges of what the store holds; the answer reads it once for all of them. */
function addStore(client: Client, registry: Registry, sources: MetricSources): () => Promise<void> {
  const registers = [registry];
  const labelNames = ['status'];
  const open = (name: string, help: string, labels: string[] = []): Gauge =>
    new client.Gauge({ name, help, labelNames: labels, registers });
  const byStatus = Object.entries(STATUS_GAUGES).map(([name, help]) =>
    open(name, help, labelNames),
  );
  const plain = Object.entries(GAUGES).map(([name, help]) => open(name, help));
  const setMoney = openMoneyGauges(client, registry, sources.hostCaps);
  const setMemory = openMemoryGauges(client, registry);
  return async () => {
    const figures = await readStore(sources).catch(() => undefined);
    for (const gauge of [...byStatus, ...plain]) gauge.reset();
    setMoney(figures?.day);
    setMemory(figures?.memory);
    const totals = [figures?.counts.events, figures?.counts.effects];
    for (const [index, gauge] of byStatus.entries())
      for (const [status, count] of Object.entries(totals[index] ?? {}))
        gauge.set({ status }, count);
    const values = figures === undefined ? [0] : [1, ...figures.plain];
    for (const [index, value] of values.entries()) plain[index]?.set(value);
  };
}

interface Figures {
  counts: StoreCounts;
  /** In the order of {@link GAUGES}, after the first. */
  plain: number[];
  /** The largest sums of the last 24 hours. */
  day: HostSpent;
  memory: MemoryFigures | undefined;
}

async function readStore({ records, clock, readMemory }: MetricSources): Promise<Figures> {
  const [counts, spent, day, memory] = await Promise.all([
    records.counts(),
    records.spent({}),
    readDay(records, clock),
    readMemory?.(),
  ]);
  const plain = [counts.lagMs / 1000, spent.calls, spent.unknownCalls, spent.usd];
  return { counts, plain, day, memory };
}

interface CallTotals {
  name: string;
  help: string;
  label: string;
  read: () => ReadonlyMap<string, number>;
}

function addCalls(client: Client, registry: Registry, totals: CallTotals): void {
  const counter: Counter = new client.Counter({
    name: totals.name,
    help: totals.help,
    labelNames: [totals.label],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [value, count] of totals.read()) counter.inc({ [totals.label]: value }, count);
    },
  });
}

/** prom-client's own histogram would have to be loaded before the first webhook, so this one is written here. */
function toHistogramText({ counts, sum }: Latency): string {
  const name = 'quorum_webhook_duration_seconds';
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return `${name}_bucket{le="${BOUNDS[index] ?? '+Inf'}"} ${total}`;
  });
  return [
    `# HELP ${name} Time from the head of a webhook request to its answer`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_sum ${sum}`,
    `${name}_count ${total}`,
    '',
  ].join('\n');
}
