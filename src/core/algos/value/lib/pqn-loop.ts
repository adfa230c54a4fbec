/**
 * Parallelised Q-network (Gallici et al. 2024): no replay memory and no target network. T steps of B copies, targets by Q(lambda)
 * backwards through them, some epochs of shuffled minibatches, RAdam; normalised layers keep it stable.
 *   G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) max_b Q(s_{t+1}, b)) (1 - terminated)
 * A team has one stream of rewards and values, their sums over agents (VDN); else every agent has its own. Throws LabError('nan-loss').
 */

import { mean, mul, pick, reshape, square, stopGradient, sub } from '#core/engine/ops.ts';
import { radam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { lambdaReturns } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed, linear } from '#math/schedules.ts';
import { liveConfig } from '../../api/define.ts';
import { checkFinite } from '../../api/guards.ts';
import { episodeRow } from '../../api/metrics.ts';
import type { AlgoDef, Policy } from '../../api/types.ts';
import { shareNetworks, teamPolicy } from '../../lib/sharing.ts';
import { highest } from '../../lib/targets.ts';
import { chooseActions, teamReward } from './acting.ts';
import { checkSplit, checkTeamOfValues } from './fits.ts';
import { sumOfValues } from './mixing.ts';
import type { PqnConfig } from './pqn-config.ts';
import { maskActions, type TeamQ, teamQ } from './team-q.ts';

interface Networks {
  readonly group: ReturnType<Engine['group']>;
  readonly sharing: ReturnType<typeof shareNetworks>;
  readonly q: TeamQ;
}

function networks(engine: Engine, meta: EnvMeta, c: PqnConfig, rng: Rng): Networks {
  const sharing = shareNetworks(meta, c.sharing, c.agentId);
  const group = engine.group('q');
  return { group, sharing, q: teamQ(group, rng, meta, sharing, { hidden: c.hidden, layerNorm: c.layerNorm }) };
}

/** q [B, A, N], and value [B, K]: what each stream thinks of this state. */
function compileActor(engine: Engine, nets: Networks, meta: EnvMeta, rows: number, team: boolean): Program {
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const { q } = nets.q.step(g.input('obs', [rows, meta.agentCount, meta.obsSize]), null);
    const legal = maskActions(q, meta);
    const best = highest(legal);
    return { q: legal, value: team ? sumOfValues(best) : best };
  };
  return engine.compile(build, { name: 'pqn act' });
}

function compileLearner(engine: Engine, nets: Networks, meta: EnvMeta, c: PqnConfig, rows: number, team: boolean): Program {
  const { agentCount: A, obsSize: O } = meta;
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const { q } = nets.q.step(g.input('obs', [rows, A, O]), null);
    const chosen = pick(q, g.input('action', [rows, A]));
    const value = team ? reshape(sumOfValues(chosen), [rows, 1]) : chosen;
    const error = sub(value, stopGradient(g.input('target', [rows, team ? 1 : A])));
    return { loss: mul(mean(square(error)), 0.5), qMean: mean(value) };
  };
  const options = { minimise: 'loss', group: nets.group, with: radam(), maxGradNorm: c.maxGradNorm, name: 'pqn learn' };
  return engine.compile(build, options);
}
const AVERAGED = ['loss', 'qMean', 'gradNorm'] as const;

/** Everything of an algorithm but its spec. `team`: one value for all (VDN). */
export function pqnDef(title: string, team: boolean): Omit<AlgoDef<PqnConfig>, 'spec'> {
  return {
    fits(meta, c) {
      checkTeamOfValues(meta, title);
      checkSplit(c.envs * c.rolloutSteps, c.minibatches);
    },

    async *train(run, resume) {
      const c = liveConfig(run); // fields marked live may change between iterations
      const { meta } = run;
      const engine = await run.makeEngine();
      const env = run.makeEnv(c.envs);
      const { buffers } = env;
      const { agentCount: A, obsSize: O } = meta;
      const [B, T] = [c.envs, c.rolloutSteps];
      const K = team ? 1 : A; // streams of rewards and values
      const total = T * B;
      const size = total / c.minibatches;
      const nets = networks(engine, meta, c, run.rng.split('init'));
      const act = compileActor(engine, nets, meta, B, team);
      const learn = compileLearner(engine, nets, meta, c, size, team);
      const exploring = run.rng.split('exploration');
      const shuffling = run.rng.split('shuffling');

      const obs = new Float32Array(total * A * O); // [T, B, A, O]
      const actions = new Float32Array(total * A);
      const rewards = new Float32Array(total * K);
      const nextValues = new Float32Array(total * K);
      const terminated = new Uint8Array(total * K);
      const truncated = new Uint8Array(total * K);
      const targets = new Float32Array(total * K);
      const order = Int32Array.from({ length: total }, (_, i) => i);
      const chosen = new Int32Array(B * A);
      let step = 0;
      const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

      if (resume === undefined) env.reset();
      else {
        env.load(partOf(resume, 'env'));
        engine.load(partOf(resume, 'engine'));
        order.set(resume.arrays.order as Int32Array);
        restoreRng(exploring, resume.arrays.exploring);
        restoreRng(shuffling, resume.arrays.shuffling);
        step = resume.meta.step as number;
      }
      let shared: Policy | undefined;

      /** Asks the network about these observations; what it says stands in act.out. */
      const look = async (seen: Float32Array): Promise<void> => {
        act.in.obs!.set(seen);
        if (meta.masked) act.in.mask!.set(buffers.mask!);
        const acted = act.run();
        if (acted) await acted;
      };

      while (step < run.steps) {
        // 1. Collect T steps of every copy, at random with probability epsilon.
        const eps = epsilon();
        for (let t = 0; t < T; t++) {
          const at = t * B;
          await look(buffers.obs);
          // What a state is worth is what the step before wanted to know, unless an episode ended between them.
          if (t > 0) setWhereGoingOn(act.out.value!, at - B, nextValues, terminated, truncated, B * K, K);
          obs.set(buffers.obs, at * A * O);
          chooseActions({ q: act.out.q!, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: nets.sharing, meta }, chosen);
          actions.set(chosen, at * A);
          env.step(chosen);
          let clockEnded = false;
          for (let b = 0; b < B; b++) {
            const over = buffers.terminated[b]!;
            const late = over === 0 ? buffers.truncated[b]! : 0;
            if (late !== 0) clockEnded = true;
            for (let k = 0; k < K; k++) {
              const i = (at + b) * K + k;
              terminated[i] = over !== 0 || (late !== 0 && !c.bootstrapAtTruncation) ? 1 : 0;
              truncated[i] = late !== 0 && c.bootstrapAtTruncation ? 1 : 0;
              rewards[i] = c.rewardScale * (team ? teamReward(buffers.reward, b * A, A) : buffers.reward[b * A + k]!);
            }
          }
          if (clockEnded && c.bootstrapAtTruncation) {
            await look(buffers.finalObs); // what the episode would still have been worth
            nextValues.set(act.out.value!, at * K);
          }
        }
        await look(buffers.obs);
        setWhereGoingOn(act.out.value!, total - B, nextValues, terminated, truncated, B * K, K);

        // 2. Targets.
        lambdaReturns({ rewards, nextValues, terminated, truncated, rows: B * K, gamma: c.gamma, lambda: c.lambda }, targets);

        // 3. Epochs of shuffled minibatches.
        const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
        const feed = learn.in;
        const said = learn.out;
        feed.lr![0] = lr;
        const sums = { loss: 0, qMean: 0, gradNorm: 0 }; // of the last epoch
        for (let epoch = 0; epoch < c.epochs; epoch++) {
          shuffling.shuffle(order);
          const read = epoch === c.epochs - 1; // a round trip on a GPU
          for (let from = 0; from < total; from += size) {
            gatherRows(order, from, size, obs, A * O, feed.obs!);
            gatherRows(order, from, size, actions, A, feed.action!);
            gatherRows(order, from, size, targets, K, feed.target!);
            const learned = learn.run({ read });
            if (learned) await learned;
            if (read) for (const name of AVERAGED) sums[name] += said[name]![0]! / c.minibatches;
          }
        }
        step += total;
        checkFinite(step, sums);

        yield {
          step,
          metrics: { ...episodeRow(env), ...sums, epsilon: epsilon(), learningRate: lr },
          snapshot: async () => joinSaved({ epsilon: epsilon() }, { net: await readParams(engine, nets.group) }),
          save: async () =>
            joinSaved(
              { step },
              { env: env.save(), engine: await engine.save() },
              { order: order.slice(), exploring: exploring.state.slice(), shuffling: shuffling.state.slice() },
            ),
          policy: () => (shared ??= policyOf(engine, nets, meta, epsilon)),
          hash: () => engine.hash(),
        };
      }
    },

    async policy({ config, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, config, Rng.from(0));
      writeParams(engine, nets.group, partOf(saved, 'net'));
      const epsilon = saved.meta.epsilon as number;
      return policyOf(engine, nets, meta, () => epsilon, true);
    },

    benchmark({ config, meta, engine }) {
      const nets = networks(engine, meta, config, Rng.from(0));
      const learn = compileLearner(engine, nets, meta, config, (config.envs * config.rolloutSteps) / config.minibatches, team);
      return { run: () => learn.run() };
    },
  };
}

function policyOf(engine: Engine, { q, sharing }: Networks, meta: EnvMeta, epsilon: () => number, owned = false): Policy {
  return teamPolicy({
    meta,
    sharing,
    epsilon,
    compile: (k, rows) => engine.compile((g) => q.outputs(g, k, rows), { name: 'pqn policy' }),
    ...(owned && { dispose: () => engine.dispose() }),
  });
}

/** values [B, K] into nextValues from row `at` on, except where the episode ended. */
function setWhereGoingOn(
  values: Float32Array,
  at: number,
  nextValues: Float32Array,
  terminated: Uint8Array,
  truncated: Uint8Array,
  count: number,
  K: number,
): void {
  for (let j = 0; j < count; j++) {
    const i = at * K + j;
    if (terminated[i] === 0 && truncated[i] === 0) nextValues[i] = values[j]!;
  }
}
