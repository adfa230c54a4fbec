/**
 * Reads the episode on the stage token by token, once for each episode and policy: first how probable each token was, then what could still
 * be expected there, which takes a few hundred answers. An answer about an older episode is dropped.
 */

import type { JsonObject } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import type { AnswerGroup, AttentionMap, PromptAnswers, SampleRequest } from '#contract/run/tokens.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { envCard } from '#stores/catalog.ts';
import { Latest } from '#stores/latest.ts';
import { stageStore } from '#stores/stage.ts';
import { tokensGone, tokensRead, tokenValuesCame } from '#stores/tokens.ts';

export class TokenReader {
  private readonly watch: () => WatchApi;
  private readonly turns = new Latest();

  constructor(watch: () => WatchApi) {
    this.watch = watch;
    stageStore.subscribe((state, before) => {
      if (state.replay !== before.replay || state.policy !== before.policy) void this.read();
    });
  }

  /** Rejects with a LabError naming `prompt`. */
  answer(env: { readonly id: string; readonly config: JsonObject }, policy: string, prompt: string, seed: number): Promise<PromptAnswers> {
    return this.watch().answerPrompt(env, policy, prompt, seed);
  }

  /** Null: nothing was written at that frame, or the policy is no transformer. */
  attention(replay: Replay, t: number, policy: string): Promise<AttentionMap | null> {
    return this.watch().attentionMap(replay, t, policy);
  }

  /** Groups of answers, sampled now. Rejects with a LabError. */
  sample(request: SampleRequest): Promise<readonly AnswerGroup[]> {
    return this.watch().sampleAnswers(request);
  }

  private async read(): Promise<void> {
    const { replay, policy } = stageStore.getState();
    const still = this.turns.begin();
    if (replay === null || envCard(replay.env.id)?.tokens === undefined) {
      tokensGone();
      return;
    }
    try {
      const strip = await this.watch().tokenStrip(replay, policy?.key ?? null);
      if (!still()) return;
      tokensRead(replay, strip);
      if (policy === null) return;
      const values = await this.watch().stripValues(replay, policy.key);
      if (still() && values !== null) tokenValuesCame(values);
    } catch {
      // The policy has been let go meanwhile, or the replay cannot be re-simulated: the stage says so itself.
      if (still()) tokensGone();
    }
  }
}
