/** What a link says, completed to a config that can be trained. Loaded with the first link that is opened. */
import { ruleChange } from '#client/runs/rules.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { fail } from '#contract/kit/errors.ts';
import { type Json, type JsonObject, mergeJson, objectOf } from '#contract/kit/json.ts';
import { decodeLink, type OpenedLink } from '#contract/link/link.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { catalogStore, envCard } from '#stores/catalog.ts';
import { isWorldAlone } from '#stores/route.ts';
import type { RuleChange } from '#stores/types.ts';
import { showView } from './view.ts';

export interface ReadLink {
  readonly config: RunConfig;
  /** The ready-made experiment that the set-up is, or changes; null: it stands alone. */
  readonly experiment: string | null;
  /** Which rules have changed since the link was made; null: none. */
  readonly change: RuleChange | null;
  /** Makes the page look as the link says. */
  readonly show: () => void;
}

/** `hash`: not empty. Rejects with the LabError of what is wrong with the link. */
export async function readLink(hash: string, watch: WatchApi): Promise<ReadLink> {
  const link = decodeLink(hash)!; // null is the answer to an empty hash alone
  const config = await configOf(link, watch);
  return {
    config,
    experiment: link.experiment ?? link.view.experiment ?? null,
    change: link.experiment === null ? ruleChange(link.config) : null,
    // Nothing was set up in the forms that the simple depth leaves out; that an environment runs in Python, and is not exact, stands in them.
    show: () => showView(link.view, config, isWorldAlone(hash) && !isGymEnv(config.env.id) ? 'teach' : 'lab'),
  };
}

async function configOf(link: OpenedLink, watch: WatchApi): Promise<RunConfig> {
  if (link.experiment === null) return watch.complete(await withRecommended(link.config, watch));
  const card = catalogStore.getState().catalog?.experiments.find(({ id }) => id === link.experiment);
  if (card === undefined) {
    throw fail('link-foreign', `There is no experiment "${link.experiment}".`, 'Choose one from the gallery.');
  }
  // what an experiment calls by flat names, the link must call so too to stand over it
  const flat = (room: 'env' | 'algo'): JsonObject => {
    const ref = objectOf(link.config[room]);
    const id = typeof ref.id === 'string' ? ref.id : String(objectOf(card.config[room]).id);
    return { ...ref, config: flatConfig(id, objectOf(ref.config)) };
  };
  const over = { ...link.config, env: flat('env'), algo: flat('algo') };
  return watch.complete(mergeJson(card.config, over) as Json);
}

/**
 * A link that names an environment alone takes what is recommended for it; what the link says besides goes over it. Where it sets anything of the world,
 * the world is as it says. The card of an own world comes
 * from its sandbox, which rejects where its code has to be asked about first.
 */
async function withRecommended(config: JsonObject, watch: WatchApi): Promise<JsonObject> {
  const { env, algo, run } = config as { readonly env: JsonObject; readonly algo: JsonObject; readonly run?: JsonObject };
  if (algo.id !== undefined) return config;
  const id = String(env.id);
  const code = objectOf(env.config)[CODE_SETTING];
  const card = envCard(id) ?? (typeof code === 'string' ? await watch.describe({ id, config: { [CODE_SETTING]: code } }) : null);
  if (card === null) return { ...config, algo: { ...algo, id: 'ppo' } }; // the unknown environment is what will be refused, by name
  const { algo: method, config: settings, steps, evalEvery, env: world } = card.recommended;
  return mergeJson(
    {
      ...(world !== undefined && Object.keys(objectOf(env.config)).length === 0 && { env: { config: world } }),
      algo: { id: method, config: settings },
      run: { steps, ...(evalEvery !== undefined && { evalEvery }) },
    },
    { env, algo, ...(run && { run }) },
  );
}
