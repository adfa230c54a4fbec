/** Environments that are made in many places and freed in one: those of a run, of an explanation, of an opened replay. */
import type { EnvEntry, Environment } from './types.ts';

export interface Lifetime {
  /** The same entry; what its `create` makes is freed by dispose(). */
  readonly entry: EnvEntry;
  /** Frees every environment made so far. */
  dispose(): void;
}

/** Entries without `dispose` cost nothing: their environments are not held. */
export function lifetimeOf(entry: EnvEntry): Lifetime {
  const made = new Set<Environment>();
  const create: EnvEntry['create'] = (config, batch, options) => {
    const env = entry.create(config, batch, options);
    const { dispose } = env;
    if (dispose === undefined) return env;
    made.add(env);
    env.dispose = () => {
      if (made.delete(env)) dispose.call(env);
    };
    return env;
  };
  return {
    // A proxy and no copy: reading every field would compute the schema.
    entry: new Proxy(entry, { get: (target, key) => (key === 'create' ? create : Reflect.get(target, key)) }),
    dispose() {
      for (const env of [...made]) env.dispose?.();
    },
  };
}
