/** Advantages of tokens by a critic: the one place for PPO on tokens and for what is shown of it. */
import { present } from '#contract/kit/errors.ts';
import type { Sampled, Weighed } from '#core/algos/api/types.ts';
import { rowAdvantages } from '#math/credit.ts';
import { mean } from '#math/stats.ts';
import type { TokenStep } from './rollouts.ts';

interface Discounts {
  readonly gamma: number;
  readonly lambda: number;
}

/** GAE over the steps of episodes, and their returns, both by episode and step. `critic`: the value before the token at a place; a step has that of its first. */
export function stepAdvantages(
  episodes: readonly (readonly TokenStep[])[],
  critic: (episode: number, place: number) => number,
  { gamma, lambda }: Discounts,
): ReturnType<typeof rowAdvantages> {
  return rowAdvantages(
    {
      rewards: episodes.map((steps) => steps.map(({ reward }) => reward)),
      values: episodes.map((steps, episode) => steps.map(({ at }) => critic(episode, at[0]!))),
    },
    gamma,
    lambda,
  );
}

/**
 * The same for answers that are only looked at: in units of reward, not whitened, for which the tokens of a whole update would be needed, and without
 * a price for leaving the start, which no snapshot holds. An answer has the mean over its tokens.
 */
export function weighTokens(c: Discounts & { readonly critic: 'token' | 'turn' }, sampled: Sampled): Weighed {
  const paid = present(sampled.paid, 'rewards of tokens');
  const values = present(sampled.values, 'values before tokens');
  const episodes = paid.map((own, answer) =>
    c.critic === 'turn'
      ? turnSteps(present(sampled.turns?.[answer], 'turns of an answer'))
      : own.map((reward, place) => ({ at: [place], reward })),
  );
  const { advantages } = stepAdvantages(episodes, (answer, place) => values[answer]![place]!, c);
  const tokens = episodes.map((steps, answer) => steps.flatMap(({ at }, k) => at.map(() => advantages[answer]![k]!)));
  return {
    kind: 'tokens',
    advantages: tokens.map((own) => (own.length === 0 ? 0 : mean(own))),
    counts: new Uint8Array(tokens.length).fill(1),
    tokens,
  };
}

function turnSteps(turns: NonNullable<Sampled['turns']>[number]): readonly TokenStep[] {
  let from = 0;
  return turns.map(({ reward, tokens }) => {
    const first = from;
    from += tokens;
    return { at: Array.from({ length: tokens }, (_, i) => first + i), reward };
  });
}
