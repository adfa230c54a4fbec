/**
 * Q-learning of a team from replayed episodes: IQL, VDN and QMIX differ only in how the agents' values become what is trained.
 * Copies act epsilon-greedily for some steps, then minibatches of whole episodes (single steps without a memory) are unrolled from
 * empty memories, online and target network alike, and padded steps do not count. With double Q the online network chooses the
 * next actions. `terminated` alone stops the bootstrap. Throws LabError('nan-loss').
 */
import type { Saved } from '#contract/events.ts';
import { adam, radam } from '../../engine/optimisers.ts';
import type { EnvMeta } from '../../envs/types.ts';
import { RunningMoments } from '../../math/normalise.ts';
import { EpisodeMemory, type EpisodeShape } from '../../math/replay-episodes.ts';
import { Rng } from '../../math/rng.ts';
import { annealed, linear } from '../../math/schedules.ts';
import { joinSaved, partOf, restoreRng } from '../../run/saved.ts';
import { liveConfig } from '../define.ts';
import { checkFinite } from '../guards.ts';
import { episodeRow } from '../metrics.ts';
import { readParams, writeParams } from '../network-policy.ts';
import { teamPolicy } from '../team-policy.ts';
import type { AlgoDef, Policy } from '../types.ts';
import { chooseActions, teamReward } from './acting.ts';
import { checkMemory, checkTeamOfValues } from './fits.ts';
import type { ReplayedConfig } from './replayed-config.ts';
import { compileActor, compileLearner, type Mixing, type Networks, networks, sequenceLength } from './replayed-nets.ts';

const STEPS_PER_ROW = 1000;
const UNCLIPPED = 1e30;

/** What the memory keeps: everybody's observations, and behind them the global state where the environment has one. */
function memoryShape(meta: EnvMeta, c: ReplayedConfig, team: boolean): EpisodeShape {
  const { agentCount: A, obsSize: O, actionCount: N, globalSize: S } = meta;
  return {
    capacity: c.bufferSize,
    rows: c.envs,
    length: sequenceLength(c),
    obsSize: A * O + S,
    actionSize: A,
    rewardSize: team ? 1 : A,
    maskSize: meta.masked ? A * N : 0,
  };
}

/** Everything of an algorithm but its spec. */
export function replayedDef<C extends ReplayedConfig>(title: string, mixing: Mixing<C>): Omit<AlgoDef<C>, 'spec'> {
  const team = mixing.joint !== null;
  return {
    fits(meta, c) {
      checkTeamOfValues(meta, title);
      checkMemory(memoryShape(meta, c, team));
    },

    async *train(run, resume) {
      const c = liveConfig(run); // fields marked live may change between iterations
      const { meta } = run;
      const engine = await run.makeEngine();
      const env = run.makeEnv(c.envs);
      const { buffers } = env;
      const { agentCount: A, obsSize: O, globalSize: G } = meta;
      const B = c.envs;
      const nets = networks(engine, meta, c, mixing, run.rng.split('init'));
      const S = nets.q.stateSize;
      const act = compileActor(engine, nets, meta, B);
      const learn = compileLearner(engine, nets, meta, c, c.optimiser === 'adam' ? adam() : radam());
      const copy = engine.polyak(nets.target, nets.online);
      const exploring = run.rng.split('exploration');
      const replaying = run.rng.split('replay');
      const shape = memoryShape(meta, c, team);
      const memory = new EpisodeMemory(shape);
      const moments = c.standardiseReward ? new RunningMoments(shape.rewardSize) : null;
      const seen = new Float32Array(B * shape.obsSize);
      const next = new Float32Array(B * shape.obsSize);
      const masks = buffers.mask === undefined ? undefined : buffers.mask.slice();
      const rewards = new Float32Array(B * shape.rewardSize);
      const actions = new Int32Array(B * A);
      const state = new Float32Array(B * A * S); // what every agent remembers
      let step = 0;
      let updates = 0;
      const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, step);

      if (resume === undefined) {
        env.reset();
        copy.in.tau![0] = 1;
        const copied = copy.run();
        if (copied) await copied;
      } else {
        env.load(partOf(resume, 'env'));
        engine.load(partOf(resume, 'engine'));
        memory.load(partOf(resume, 'memory'));
        moments?.unpack(resume.arrays.moments as Float64Array);
        state.set(resume.arrays.state as Float32Array);
        restoreRng(exploring, resume.arrays.exploring);
        restoreRng(replaying, resume.arrays.replaying);
        step = resume.meta.step as number;
        updates = resume.meta.updates as number;
      }
      let shared: Policy | undefined;

      while (step < run.steps) {
        const sums = { loss: 0, qMean: 0, tdError: 0, gradNorm: 0 };
        let reported = 0;
        let lr = c.lr;
        const until = Math.min(run.steps, step + STEPS_PER_ROW);
        while (step < until) {
          // 1. Act, and remember.
          const eps = epsilon();
          for (let t = 0; t < c.rolloutSteps; t++) {
            act.in.obs!.set(buffers.obs);
            if (S > 0) act.in.state!.set(state);
            if (masks !== undefined) {
              act.in.mask!.set(buffers.mask!);
              masks.set(buffers.mask!);
            }
            const acted = act.run();
            if (acted) await acted;
            if (S > 0) state.set(act.out.state!);
            chooseActions({ q: act.out.q!, mask: buffers.mask, epsilon: eps, rng: exploring, sharing: nets.sharing, meta }, actions);
            writeRows(seen, buffers.obs, buffers.state, B, A * O, G);
            env.step(actions);
            writeRows(next, buffers.obs, buffers.state, B, A * O, G);
            for (let b = 0; b < B; b++) {
              if (team) rewards[b] = teamReward(buffers.reward, b * A, A);
              else for (let a = 0; a < A; a++) rewards[b * A + a] = buffers.reward[b * A + a]!;
              if (buffers.terminated[b] === 0 && buffers.truncated[b] === 0) continue;
              writeRow(next, buffers.finalObs, buffers.finalState, b, A * O, G); // what was seen before the reset
              state.fill(0, b * A * S, (b + 1) * A * S);
            }
            moments?.update(rewards, B);
            const { terminated, truncated } = buffers;
            const after = { action: actions, reward: rewards, nextObs: next, terminated, truncated };
            memory.add({ obs: seen, ...after, mask: masks, nextMask: buffers.mask });
            step += B;
          }

          // 2. Learn from replayed episodes.
          if (step <= c.learningStarts || memory.size < c.batchSize) continue;
          lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
          const feed = learn.in;
          const said = learn.out;
          feed.lr![0] = lr;
          feed.gamma![0] = c.gamma;
          for (let k = 0; k < c.gradientSteps; k++) {
            for (let m = 0; m < c.batchSize; m++) memory.read(memory.draw(replaying), m, c.batchSize, feed as never);
            moments?.normalise(feed.reward!, feed.reward!, UNCLIPPED);
            const read = k === c.gradientSteps - 1; // a round trip on a GPU
            const learned = learn.run({ read });
            if (learned) await learned;
            updates++;
            if (updates % c.targetEvery === 0) {
              copy.in.tau![0] = c.tau;
              const copied = copy.run();
              if (copied) await copied;
            }
            if (!read) continue;
            sums.loss += said.loss![0]!;
            sums.qMean += said.qMean![0]!;
            sums.tdError += said.errorMean![0]!;
            sums.gradNorm += said.gradNorm![0]!;
            reported++;
          }
        }
        if (reported > 0) checkFinite(step, sums);
        const mean = (sum: number): number => (reported === 0 ? Number.NaN : sum / reported);

        yield {
          step,
          metrics: {
            ...episodeRow(env),
            loss: mean(sums.loss),
            qMean: mean(sums.qMean),
            tdError: mean(sums.tdError),
            gradNorm: mean(sums.gradNorm),
            epsilon: epsilon(),
            learningRate: lr,
          },
          snapshot: async () => joinSaved({ epsilon: epsilon() }, { net: await readParams(engine, nets.online) }),
          save: async (): Promise<Saved> =>
            joinSaved(
              { step, updates },
              { env: env.save(), engine: await engine.save(), memory: memory.save() },
              {
                exploring: exploring.state.slice(),
                replaying: replaying.state.slice(),
                state: state.slice(),
                ...(moments && { moments: moments.pack() }),
              },
            ),
          policy: () => (shared ??= policyOf(nets, meta, epsilon)),
          hash: () => engine.hash(),
        };
      }
    },

    async policy({ config, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const nets = networks(engine, meta, config, mixing, Rng.from(0));
      writeParams(engine, nets.online, partOf(saved, 'net'));
      const epsilon = saved.meta.epsilon as number;
      return policyOf(nets, meta, () => epsilon, true);
    },

    benchmark({ config, meta, engine }) {
      const nets = networks(engine, meta, config, mixing, Rng.from(0));
      const learn = compileLearner(engine, nets, meta, config, adam());
      return { run: () => learn.run() };
    },
  };
}

function policyOf({ engine, q, sharing }: Networks, meta: EnvMeta, epsilon: () => number, owned = false): Policy {
  return teamPolicy({
    meta,
    sharing,
    epsilon,
    stateSize: q.stateSize,
    compile: (k, rows) => engine.compile((g) => q.outputs(g, k, rows), { name: 'team policy' }),
    ...(owned && { dispose: () => engine.dispose() }),
  });
}

/** Observations of a team and the global state (if there is one) side by side, for copy b. */
function writeRow(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, b: number, width: number, G: number): void {
  const at = b * (width + G);
  for (let j = 0; j < width; j++) out[at + j] = obs[b * width + j]!;
  if (state !== undefined) for (let j = 0; j < G; j++) out[at + width + j] = state[b * G + j]!;
}

function writeRows(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, B: number, width: number, G: number): void {
  if (G === 0) out.set(obs);
  else for (let b = 0; b < B; b++) writeRow(out, obs, state, b, width, G);
}
