/**
 * What a run may be expected to reach: where it is the one that the page offers first for its environment, and that has been measured
 * (bench/results/learn.json), the band of its metric.
 */
import { useEffect, useState } from 'react';
import type { Strength } from '#contract/catalog/catalog.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { envCard } from '#stores/catalog.ts';
import { recommended } from '#stores/draft.ts';
import type { RunGroup } from '#stores/types.ts';
import { handle } from '#ui/kit/late.tsx';
import { STRENGTH } from './data.ts';
import type { Expected } from './model.ts';

/** Whether a run is the recommended one, but for its seeds and its executor. */
function isOffered({ config }: Pick<RunGroup, 'config'>): boolean {
  const { env, algo, run } = config;
  const world = envCard(env.id);
  if (world === null) return false;
  const offer = recommended(world, config);
  return (
    algo.id === offer.algo?.id &&
    run.steps === offer.run?.steps &&
    sameJson(env.config, { ...world.defaults, ...world.recommended.env }) &&
    sameJson(algo.config, offer.algo.config)
  );
}

/** Which band a metric is held to; null: none. `judged`: what the measured recommendation was judged by, `strength`: what the line of tests shows. */
export function bandFor(metric: string, judged: string, strength: Strength | null): 'reached' | 'training' | null {
  if (metric === STRENGTH) return judged === strength ? 'reached' : null;
  if (judged !== 'return') return null;
  return metric === 'evalReturn' ? 'reached' : metric === 'episodicReturn' ? 'training' : null;
}

export function useExpected(group: RunGroup | undefined, metric = '', strength: Strength | null = null): Expected | null {
  const [found, setFound] = useState<Expected | null>(null);
  const env = group !== undefined && isOffered(group) ? group.config.env.id : null;
  useEffect(() => {
    setFound(null);
    if (env === null) return;
    let live = true;
    // The facts of all environments are large and come late.
    import('virtual:env-facts').then(
      ({ default: facts }) => {
        const learned = facts[env]?.learned;
        const which = learned == null ? null : bandFor(metric, learned.judged, strength);
        const band = which === null ? null : learned?.bands[which];
        if (live && band) setFound({ low: band[0], high: band[1] });
      },
      handle, // not on this device: the curve is drawn without the band
    );
    return () => {
      live = false;
    };
  }, [env, metric, strength]);
  return found;
}
