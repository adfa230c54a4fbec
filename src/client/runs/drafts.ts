/**
 * Keeps the draft checked after each change: unknown settings and ranges here, from the schemas of the catalogue; missing fields, rules
 * between fields, the fit of algorithm and environment and the environment's card by the watch worker, which is not asked about a draft
 * that is refused here. One check is under way at a time; the newest draft wins.
 */

import type { EnvCard } from '#contract/catalog/catalog.ts';
import { checkField } from '#contract/catalog/field-check.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { type Failure, toFailure } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { algoCard, envCard, rememberReferences } from '#stores/catalog.ts';
import { acceptDraft, describeDraft, draftStore, fillDraft, isOpen, refuseDraft } from '#stores/draft.ts';

/** A check that takes longer than this may wait behind a computation that nothing can stop, ms. */
const PATIENCE_MS = 2000;

export class Drafts {
  private readonly watch: () => WatchApi;
  private readonly onSettled: () => void;
  /** The draft that was under way when a worker was lost, and was checked again. */
  private again: RunConfig | null = null;
  private running: Promise<void> | null = null;
  private described = '';

  constructor(watch: () => WatchApi, onSettled: () => void) {
    this.watch = watch;
    this.onSettled = onSettled;
  }

  follow(): void {
    draftStore.subscribe((state, before) => {
      if (state.config !== before.config) void this.check();
    });
    if (isOpen(draftStore.getState())) void this.check(); // a lesson's, opened before this
  }

  /** Checks the draft as it is now; resolves when its problems and its environment's card are up to date. */
  check(): Promise<void> {
    this.running ??= this.settle().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** A worker was lost: what it was to check is checked by the new one, once. */
  async checkAgain(): Promise<void> {
    const { config } = draftStore.getState();
    await this.running;
    if (this.again === config) return;
    this.again = config;
    await this.check();
  }

  private async settle(): Promise<void> {
    for (;;) {
      // Whether the worker still answers shows in its answer to this; one that does not is replaced.
      const patience = setTimeout(
        () =>
          void this.watch()
            .stopPlaying()
            .catch(() => {}),
        PATIENCE_MS,
      );
      const checked = await this.checkOnce().finally(() => clearTimeout(patience));
      if (draftStore.getState().config === checked) break;
    }
    this.onSettled();
  }

  /** Asks for the environment's card; null: the page has it. */
  private describe(config: RunConfig): { readonly env: string; readonly card: Promise<EnvCard> } | null {
    const ref = envOf(config);
    const env = JSON.stringify(ref);
    if (draftStore.getState().env !== null && this.described === env) return null;
    const card = this.watch().describe(ref);
    card.catch(() => {}); // its caller gets the failure; a draft that is refused is not waited for
    return { env, card };
  }

  /** Answers the config that was checked, with its missing fields filled. */
  private async checkOnce(): Promise<RunConfig> {
    let config = draftStore.getState().config;
    const still = (): boolean => draftStore.getState().config === config;
    const refused = refusals(config);
    if (refused.length > 0) {
      refuseDraft(refused);
      return config;
    }
    // Asked together: while a slider of the world is dragged both are waited for.
    const asked = this.describe(config);
    try {
      const complete = await this.watch().complete(config as unknown as Json);
      if (!still()) return config;
      // A field that was missing got its default: the same draft, only written out.
      if (!sameJson(complete, config)) {
        config = complete;
        fillDraft(complete);
      }
      acceptDraft();
    } catch (error) {
      if (still()) refuseDraft([toFailure(error)]);
    }
    try {
      const same = asked !== null && asked.env === JSON.stringify(envOf(config));
      const answer = same ? asked : this.describe(config);
      if (answer === null) return config;
      const card = await answer.card;
      if (!still()) return config;
      this.described = answer.env;
      describeDraft(card);
      rememberReferences(envOf(config), card.references);
    } catch {
      // The environment's own config is wrong: the problem above names the field, the card waits until it is right.
    }
    return config;
  }
}

const envOf = ({ env }: RunConfig) => ({ id: env.id, config: env.config as JsonObject });

/** What the schemas forbid: the first refusal of the environment's config and of the algorithm's. */
function refusals({ env, algo }: RunConfig): readonly Failure[] {
  const rooms = [
    ['env', env, envCard(env.id)],
    ['algo', algo, algoCard(algo.id)],
  ] as const;
  return rooms.flatMap(([room, { version, config }, card]) => {
    if (card === null || card.version !== version) return []; // the worker reads other versions
    const refused = checkField(card.schema, config as JsonObject, room);
    return refused === null ? [] : [refused.failure];
  });
}
