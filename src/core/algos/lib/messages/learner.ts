/**
 * PPO over teams that talk (objective.ts): T steps of B copies, GAE per agent, epochs of shuffled minibatches of whole teams. Used by
 * CommNet, DIAL and HAMMER, which differ in their network only. Messages of the step before are part of what an agent carries
 * (`state`), so that gradients reach who sent them up to L - 1 steps earlier. Throws LabError('nan-loss').
 */

import type { Saved } from '#contract/events.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Program } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { readParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { exp } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import type { Rng } from '#math/rng.ts';
import { categorical, HALF_LOG_TWO_PI, normal } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { liveConfig } from '../../api/define.ts';
import { episodeRow } from '../../api/metrics.ts';
import type { Policy, Progress, Run } from '../../api/types.ts';
import { checkUpdate, minibatchEpochs, mixRewards } from '../ppo/common.ts';
import type { CommsConfig } from './config.ts';
import { changeOfMind } from './influence.ts';
import { actingStep, teamLoss, usedNumbers } from './objective.ts';
import type { TeamNetwork } from './parts.ts';
import { talkingPolicy } from './policy.ts';
import { createRollout, feedUnits } from './rollout.ts';

export type BuildTeam = (engine: Engine, rng: Rng) => TeamNetwork;

/** A learner that begins where another stopped, or teaches only some of a team. */
export interface Phase {
  /** Environment steps done before it begins. */
  readonly from: number;
  /** [A] who learns; the others act as they are. */
  readonly learns: readonly boolean[];
  /** What agents are paid [B, A], in place. */
  rewards(mixed: Float32Array): void;
  /** Makes what looks at the actions [B, A, D] of every step before it is taken. */
  foresee?(team: { readonly engine: Engine; readonly net: TeamNetwork; readonly env: VectorEnv }): (actions: Actions) => Promise<void>;
  /** What it tells of the last rollout. */
  metrics?(): Readonly<Record<string, number>>;
}

export function compileTeamLearner(engine: Engine, net: TeamNetwork, meta: EnvMeta, c: CommsConfig, teams: number, unit: number): Program {
  const { normaliseAdvantages, clipValue, channel } = c;
  return engine.compile((g) => teamLoss(g, net, meta, teams, unit, { normaliseAdvantages, clipValue, silent: channel === 'silent' }), {
    minimise: 'loss',
    group: net.group,
    with: adam({ eps: c.adamEps }),
    maxGradNorm: c.maxGradNorm,
    name: 'team learn',
  });
}

/** Draws actions of all rows into `actions` (as learned from) and `out` (as the environment wants them), and ln p of each. */
function drawActions(
  said: Program['out'],
  meta: EnvMeta,
  used: Float32Array,
  bounds: readonly (readonly [Float32Array, Float32Array])[],
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
  rows: number,
  out: { [i: number]: number },
): void {
  const { actionCount: N, actionSize: D, agentCount: A } = meta;
  for (let row = 0; row < rows; row++) {
    if (N > 0) {
      const a = categorical(said.logProbs!, row * N, N, rng.uniform());
      out[row] = a;
      actions[at + row] = a;
      logProbs[at + row] = said.logProbs![row * N + a]!;
      continue;
    }
    const agent = row % A;
    const [low, high] = bounds[agent]!;
    let logProb = 0;
    for (let d = 0; d < D; d++) {
      const i = row * D + d;
      if (used[agent * D + d] === 0) continue;
      const noise = normal(rng);
      const a = said.mean![i]! + exp(said.logStd![i]!) * noise;
      actions[at * D + i] = a; // learned from as drawn; only the environment gets it clipped
      out[i] = Math.min(high[d]!, Math.max(low[d]!, a));
      logProb -= 0.5 * noise * noise + said.logStd![i]! + HALF_LOG_TWO_PI;
    }
    logProbs[at + row] = logProb;
  }
}

/** Mean KL of everybody's choice with and without messages, in the situation that `act` has just answered. */
async function listening(act: Program, meta: EnvMeta): Promise<number> {
  const { logits, mean, logStd } = act.out;
  const before = {
    ...(logits && { logits: logits.slice() }),
    ...(mean && logStd && { mean: mean.slice(), logStd: logStd.slice() }),
  };
  act.in.gate!.fill(0);
  const muted = act.run();
  if (muted) await muted;
  act.in.gate!.fill(1);
  const rows = act.in.gate!.length;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += changeOfMind(before, act.out, row, meta.actionCount, meta.actionSize);
  return sum / rows;
}

export async function* trainTeam<C extends CommsConfig>(
  run: Run<C>,
  resume: Saved | undefined,
  build: BuildTeam,
  unit: number,
  phase?: Phase,
): AsyncGenerator<Progress, void, void> {
  const c = liveConfig(run); // fields marked live may change between iterations
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const A = meta.agentCount;
  const B = c.envs;
  const T = c.rolloutSteps;
  const rows = B * A;
  const net = build(engine, run.rng.split('init'));
  const { stateSize: S, noiseSize: Z } = net;
  const act = engine.compile((g) => actingStep(g, net, meta, B, true), { name: 'team act' });
  const units = (T / unit) * B;
  const teams = units / c.minibatches;
  const learn = compileTeamLearner(engine, net, meta, c, teams, unit);
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const size = { steps: T, copies: B, unit, state: S, noise: Z };
  const rollout = createRollout(meta, size);
  const order = Int32Array.from({ length: units }, (_, i) => i);
  const picked = new Int32Array(unit * teams);
  const envActions = createActions(meta, B);
  const mixed = new Float32Array(rows);
  const used = usedNumbers(meta, net);
  const bounds = meta.agents.flatMap(({ count, action }) => {
    const pair =
      action.kind === 'box' ? ([Float32Array.from(action.low), Float32Array.from(action.high)] as const) : ([used, used] as const);
    return Array.from({ length: count }, () => pair);
  });
  const state = new Float32Array(rows * S); // carried by each agent of each copy
  const starts = new Float32Array(B).fill(1);
  let step = phase?.from ?? 0;

  if (resume === undefined) env.reset();
  else {
    env.load(partOf(resume, 'env'));
    engine.load(partOf(resume, 'engine'));
    order.set(resume.arrays.order as Int32Array);
    state.set(resume.arrays.state as Float32Array);
    starts.set(resume.arrays.starts as Float32Array);
    restoreRng(sampling, resume.arrays.sampling);
    restoreRng(shuffling, resume.arrays.shuffling);
    step = resume.meta.step as number;
  }
  let shared: Policy | undefined;
  const foresee = phase?.foresee?.({ engine, net, env });

  const look = async (obs: Float32Array, { mask }: StepBuffers): Promise<void> => {
    act.in.obs!.set(obs);
    act.in.state?.set(state);
    if (act.in.mask !== undefined) act.in.mask.set(mask!);
    const pending = act.run();
    if (pending) await pending;
  };

  while (step < run.steps) {
    act.in.gate!.fill(c.channel === 'silent' ? 0 : 1);

    // 1. Collect T steps of every copy with the current policy.
    for (let t = 0; t < T; t++) {
      const at = t * rows;
      rollout.obs.set(buffers.obs, at * meta.obsSize);
      if (t % unit === 0) rollout.states.set(state, (t / unit) * rows * S);
      rollout.starts.set(starts, t * B);
      if (meta.masked) rollout.masks.set(buffers.mask!, at * meta.actionCount);
      if (buffers.alive) rollout.alive.set(buffers.alive, at);
      if (phase !== undefined) for (let i = 0; i < rows; i++) if (phase.learns[i % A] === false) rollout.alive[at + i] = 0;
      if (Z > 0) {
        for (let i = 0; i < rows * Z; i++) act.in.noise![i] = normal(sampling);
        rollout.noise.set(act.in.noise!, at * Z);
      }
      await look(buffers.obs, buffers);
      rollout.values.set(act.out.value!, at);
      if (act.out.state) state.set(act.out.state);
      drawActions(act.out, meta, used, bounds, sampling, rollout.actions, rollout.logProbs, at, rows, envActions);
      if (foresee !== undefined) await foresee(envActions);
      env.step(envActions);
      mixRewards(c, buffers.reward, A, mixed);
      phase?.rewards(mixed);
      rollout.rewards.set(mixed, at);
      let clockEnded = false;
      for (let b = 0; b < B; b++) {
        const over = buffers.terminated[b]!;
        const late = over === 0 ? buffers.truncated[b]! : 0;
        if (late !== 0) clockEnded = true;
        starts[b] = over | late;
        for (let i = b * A; i < (b + 1) * A; i++) {
          rollout.terminated[at + i] = over;
          rollout.truncated[at + i] = late;
        }
      }
      if (clockEnded && c.bootstrapAtTruncation) {
        // What the episode would still have been worth: the value of its own last observation.
        await look(buffers.finalObs, buffers);
        rollout.finalValues.set(act.out.value!, at);
      }
      for (let b = 0; b < B; b++) if (starts[b] !== 0) state.fill(0, b * A * S, (b + 1) * A * S);
    }
    await look(buffers.obs, buffers);
    rollout.lastValues.set(act.out.value!);
    const heard = c.channel === 'silent' || net.messageSize === 0 ? 0 : await listening(act, meta);

    // 2. Advantages and value targets.
    const { gamma, lambda, bootstrapAtTruncation } = c;
    gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation }, rollout.advantages, rollout.targets);

    // 3. Epochs of shuffled minibatches of whole teams.
    const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
    const report = await minibatchEpochs(
      learn,
      teams,
      { ...c, lr },
      () => shuffling.shuffle(order),
      (from) => feedUnits(rollout, meta, size, order, from, teams, picked, learn.in),
    );
    step += T * B;
    checkUpdate(step, report);

    yield {
      step,
      metrics: {
        ...episodeRow(env),
        ...report,
        ...phase?.metrics?.(),
        explainedVariance: explainedVariance(rollout.values, rollout.targets),
        learningRate: lr,
        listening: heard,
      },
      snapshot: async () =>
        joinSaved({}, { net: await readParams(engine, net.group), ...(net.frozen && { frozen: await readParams(engine, net.frozen) }) }),
      save: async () =>
        joinSaved(
          { step },
          { env: env.save(), engine: await engine.save() },
          {
            order: order.slice(),
            state: state.slice(),
            starts: starts.slice(),
            sampling: sampling.state.slice(),
            shuffling: shuffling.state.slice(),
          },
        ),
      policy: () => (shared ??= talkingPolicy({ engine, meta, net, silent: c.channel === 'silent' })),
      hash: () => engine.hash(),
    };
  }
}
