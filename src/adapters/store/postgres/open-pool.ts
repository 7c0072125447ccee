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
  return pool.on('error', options.onError ?? (() => undefined));
}
