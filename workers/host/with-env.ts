/** The environment of one request: loaded, used, and freed when the request is answered. */
import { lifetimeOf } from '#core/envs/api/lifetime.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';

/** Environments that `work` makes of the entry are freed when it ends. Throws LabError('unknown-id') and what `work` throws. */
export async function withEnv<T>(id: string, work: (entry: EnvEntry) => T | Promise<T>): Promise<T> {
  const { entry, dispose } = lifetimeOf(await loadEnv(id));
  try {
    return await work(entry);
  } finally {
    dispose();
  }
}
