/** Connections to PostgreSQL as both who writes and who only reads want them. */
import type { Pool } from 'pg';

interface PoolOptions {
  connections?: number | undefined;
  /** Told when a connection breaks that nobody uses: the next use opens another. */
  onError?: ((error: Error) => void) | undefined;
}

export async function openPool(url: string, options: PoolOptions): Promise<Pool> {
  const { Pool: PgPool } = (await import('pg')).default;
  const pool = new PgPool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    pipeline: true,
  });
  // Our statements last milliseconds. Before its first ANALYZE the server may take one for long, and compile it for hundreds.
  // Where that cannot be switched off, they run all the same.
  pool.on('connect', (client) => void client.query('SET jit = off').catch(() => undefined));
  return pool.on('error', options.onError ?? (() => undefined));
}
