/**
 * What a run may be expected to reach: where it is the one that the page offers first for its environment, and that has been measured
 * (bench/results/learn.json), the band of its metric.
 */
import { useEffect, useState } from 'react';
import { sameJson } from '#contract/canonical.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import type { RunGroup } from '#stores/types.ts';
import type { Expected } from './model.ts';

/** Whether a run is the recommended one, but for its seeds and its executor. */
export function isOffered({ config: { env, algo, run } }: Pick<RunGroup, 'config'>): boolean {
  const world = envCard(env.id);
  const method = algoCard(algo.id);
  if (world === null || method === null || world.recommended.algo !== algo.id) return false;
  const { recommended } = world;
  return (
    run.steps === recommended.steps &&
    sameJson(env.config, world.defaults) &&
    sameJson(algo.config, { ...method.defaults, ...recommended.config })
  );
}

export function useExpected(group: RunGroup | undefined, metric: string | undefined): Expected | null {
  const [found, setFound] = useState<Expected | null>(null);
  const env = group !== undefined && isOffered(group) ? group.config.env.id : null;
  useEffect(() => {
    setFound(null);
    if (env === null) return;
    let live = true;
    // The facts of all environments are large and come late.
    void import('virtual:env-facts').then(({ default: facts }) => {
      const band = facts[env]?.learned?.bands[metric === 'evalReturn' ? 'greedy' : 'training'];
      if (live && band && (metric === 'evalReturn' || metric === 'episodicReturn')) setFound({ low: band[0], high: band[1] });
    });
    return () => {
      live = false;
    };
  }, [env, metric]);
  return found;
}
