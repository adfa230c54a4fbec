/**
 * How far one agent's action moves what others do next, in one way: for a victim i
 *   I_i = KL( p_i(. | a) || 1/|L| sum_b p_i(. | b) ),   b over L, the legal actions of the agent,
 * p_i(. | b) being the victim's chances in the state that follows when the agent does b and the others keep their actions. Its mean
 * over a drawn uniformly is their mutual information; the uniform mean in place of the agent's own policy leaves out how victims
 * influence the agent (Li et al. 2025). Following states come from copies of the world, stepped once with the same draws.
 */
import type { Engine } from '#core/engine/types.ts';
import type { Actions } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { exp, log } from '#math/functions.ts';
import { actingStep, stepInputs, type TeamNetwork } from '../../lib/messages/networks.ts';

/** I of one victim, nats: ln p [variants, n], variants `stride` apart from `at` on; `legal` [variants] marks those that count. */
export function oneWayInfluence(
  logProbs: Float32Array,
  at: number,
  stride: number,
  n: number,
  legal: ArrayLike<number>,
  chosen: number,
): number {
  let influence = 0;
  for (let a = 0; a < n; a++) {
    const p = exp(logProbs[at + chosen * stride + a]!);
    let sum = 0;
    let count = 0;
    for (let v = 0; v < legal.length; v++) {
      if (legal[v] === 0) continue;
      sum += exp(logProbs[at + v * stride + a]!);
      count++;
    }
    if (p > 0) influence += p * (logProbs[at + chosen * stride + a]! - log(sum / count));
  }
  return Math.max(0, influence);
}

/**
 * Asks, before a step of `env`, what each action of `agent` would lead to: mean influence on the others of what it is about to do, per
 * copy [B]; 0 where the episode would end. `worlds` has a copy for each of its N actions beside each copy of `env`. Discrete actions.
 */
export function createForesight(
  engine: Engine,
  net: TeamNetwork,
  env: VectorEnv,
  worlds: VectorEnv,
  agent: number,
): (actions: Actions) => Promise<Float32Array> {
  const { agentCount: A, actionCount: N } = env.meta;
  const { networks, agentToNetwork } = net.sharing;
  const B = env.batch;
  const own = networks[agentToNetwork[agent]!]!.choices; // fewer than N where others have more
  const guess = engine.compile(stepInputs(net, env.meta, B * N, true), (x, g) => actingStep(x, g, net, env.meta, true), {
    name: 'foresight',
  });
  const imagined = new Int32Array(B * N * A);
  const legal = new Uint8Array(N);
  const out = new Float32Array(B);
  return async (actions) => {
    const { mask } = env.buffers;
    const allowed = (b: number, v: number): boolean => v < own && (mask === undefined || mask[(b * A + agent) * N + v] !== 0);
    for (let b = 0; b < B; b++) {
      const now = env.env.save(b);
      for (let v = 0; v < N; v++) {
        const world = b * N + v;
        worlds.env.load(world, now, worlds.buffers);
        for (let i = 0; i < A; i++) imagined[world * A + i] = actions[b * A + i]!;
        if (allowed(b, v)) imagined[world * A + agent] = v;
      }
    }
    worlds.env.step(imagined, worlds.buffers);
    const { obs, mask: then, alive, terminated, truncated } = worlds.buffers;
    guess.in.obs.set(obs);
    if (then !== undefined) guess.in.mask?.set(then);
    const pending = guess.run();
    if (pending) await pending;
    const { out: found } = guess;
    if (!('logProbs' in found)) throw new Error('Influence is measured over discrete actions.');
    for (let b = 0; b < B; b++) {
      const chosen = actions[b * A + agent]!;
      const here = b * N + chosen;
      out[b] = 0;
      if (terminated[here] !== 0 || truncated[here] !== 0) continue;
      for (let v = 0; v < N; v++) legal[v] = Number(allowed(b, v) && terminated[b * N + v] === 0 && truncated[b * N + v] === 0);
      for (let i = 0; i < A; i++) {
        if (i === agent || alive?.[here * A + i] === 0) continue;
        out[b]! += oneWayInfluence(found.logProbs, (b * N * A + i) * N, A * N, N, legal, chosen) / (A - 1);
      }
    }
    return out;
  };
}
