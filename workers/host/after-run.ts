/** What is measured of a policy once its run is over. Loaded with the first paper whose quantity needs it. */
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { AfterAsk, AfterRun } from '#contract/session/session.ts';
import { drawnEpisodes, exactScore, playedElsewhere } from '#core/after-run.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { loadEnv } from '#core/envs/index.ts';
import { measureExplanation } from '#core/explanation-measure.ts';
import { builtIn } from '#core/run/by-id.ts';

/** Throws LabError('incompatible') where the policy cannot act in a form of its environment. */
export async function afterRun(snapshot: PolicySnapshot, { episodes, drawn, exact, against, explain }: AfterAsk): Promise<AfterRun> {
  await Promise.all([loadEnv(snapshot.env.id), loadAlgo(snapshot.algo.id)]);
  const played = drawn ? await drawnEpisodes(snapshot, episodes) : null;
  const elsewhere = against === null ? null : await playedElsewhere(snapshot, against, { episodes });
  return {
    sampledReturn: played?.score ?? null,
    drawn: played?.measures ?? null,
    exactScore: exact ? await exactScore(snapshot) : null,
    againstReturn: elsewhere?.return ?? null,
    elsewhere,
    elsewhereDrawn: against === null || !drawn ? null : await playedElsewhere(snapshot, against, { episodes, greedy: false }),
    explained: explain === null ? null : (await measureExplanation(snapshot, explain, builtIn)).value,
  };
}
