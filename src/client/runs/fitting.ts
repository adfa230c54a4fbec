/** Asks which methods fit the draft's environment, once for each of its settings. */
import { sameJson } from '#contract/kit/canonical.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { fittingKnown } from '#stores/fitting.ts';
import { Latest } from '#stores/latest.ts';

let asked: RunConfig['env'] | null = null;
const questions = new Latest();

export async function askFitting(api: Pick<WatchApi, 'fitting'>, env: RunConfig['env']): Promise<void> {
  if (asked !== null && sameJson(asked, env)) return;
  asked = env;
  const newest = questions.begin();
  try {
    const fitting = await api.fitting({ id: env.id, config: env.config as JsonObject });
    if (newest()) fittingKnown(env.id, fitting);
  } catch {
    // The check of the draft says what is wrong with it; until then every method is offered.
    if (newest()) fittingKnown(env.id, null);
  }
}
