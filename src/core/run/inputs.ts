/**
 * What the environments of a run give its learner, step by step: counted for the rules in diagnoses/, and stopped where it is not a finite
 * number. Without that a learner would answer "the loss is NaN", many steps later and of the wrong part.
 */
import { sameJson } from '#contract/kit/canonical.ts';
import { type Failure, fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Finding, Way } from '#contract/run/findings.ts';
import type { EnvMeta, StepBuffers } from '../envs/api/types.ts';
import type { VectorEnv } from '../envs/api/vector-env.ts';
import type { RunSettings, Tally } from './diagnoses/types.ts';
import { NO_TALLY } from './health.ts';

export interface Inputs {
  /** The same environment, watched. `first`: it is the one whose steps are the run's. */
  watch(env: VectorEnv): VectorEnv;
  /** What came in since the last call. `step`: environment steps by now. */
  take(step: number): Tally;
}

/** `step`: of the run when it begins here. */
export function watchInputs(step: number): Inputs {
  let tally = { ...NO_TALLY };
  let from = step;
  let since = 0; // steps of one copy since then
  let first: VectorEnv | null = null;
  return {
    watch(env) {
      first ??= env;
      const { buffers, meta, batch } = env;
      const own = env === first;
      const width = meta.agentCount * meta.obsSize;
      const real = meta.agents.some(({ obs }) => obs.kind === 'box'); // numbered states and codes are whole numbers by construction
      return {
        ...env,
        step(actions, playing) {
          env.step(actions, playing);
          if (own) since++;
          const { sum, ended } = count(tally, buffers, batch);
          if (!Number.isFinite(sum)) throw badReward(meta, buffers, batch, from + since * batch);
          if (!real) return;
          if (!finite(buffers.obs, 0, batch * width)) throw badObservation(meta, buffers.obs, batch, from + since * batch);
          if (!ended) return;
          // A copy that ended shows its next episode already; its last observation is learned from as well.
          for (let row = 0; row < batch; row++) {
            if ((buffers.terminated[row]! | buffers.truncated[row]!) === 0) continue;
            if (finite(buffers.finalObs, row * width, (row + 1) * width)) continue;
            throw badObservation(meta, buffers.finalObs, batch, from + since * batch, row);
          }
        },
      };
    },
    take(now) {
      const taken = tally;
      tally = { ...NO_TALLY };
      from = now;
      since = 0;
      return taken;
    },
  };
}

interface Counted {
  /** Of the rewards: not finite where one of them is not. */
  sum: number;
  ended: boolean;
}
const counted: Counted = { sum: 0, ended: false }; // one for all calls: steps are many

/** Adds a step. */
function count(
  tally: { -readonly [K in keyof Tally]: Tally[K] },
  { reward, terminated, truncated }: StepBuffers,
  batch: number,
): Readonly<Counted> {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < reward.length; i++) {
    const value = reward[i]!;
    const size = Math.abs(value);
    sum += value;
    squares += value * value;
    if (size > tally.largest) tally.largest = size;
  }
  tally.squares += squares;
  tally.rewards += reward.length;
  const before = tally.ended;
  for (let row = 0; row < batch; row++) {
    if (terminated[row] !== 0) tally.ended++;
    else if (truncated[row] !== 0) {
      tally.ended++;
      tally.truncated++;
    }
  }
  counted.sum = sum;
  counted.ended = tally.ended > before;
  return counted;
}

/** x - x is 0 for every finite number and NaN for all else. */
function finite(values: Float32Array, from: number, to: number): boolean {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]! - values[i]!;
  return sum === 0;
}

const agentsOf = (meta: EnvMeta) => meta.agents.flatMap((group) => group.names.map((name) => ({ name, obs: group.obs })));

/** "agent 2 (hunter)", or nothing where there is one. */
function whose(meta: EnvMeta, agent: number): string {
  return meta.agentCount === 1 ? '' : ` of agent ${agent + 1} ("${agentsOf(meta)[agent]?.name ?? ''}")`;
}

const where = (row: number, batch: number): string => (batch === 1 ? '' : `, in copy ${row + 1} of ${batch}`);

function badObservation(meta: EnvMeta, values: Float32Array, batch: number, step: number, of?: number): Error {
  const width = meta.agentCount * meta.obsSize;
  const begin = of === undefined ? 0 : of * width;
  const at = begin + values.subarray(begin).findIndex((value) => !Number.isFinite(value));
  const agent = Math.floor((at % width) / meta.obsSize);
  const component = at % meta.obsSize;
  const space = agentsOf(meta)[agent]?.obs;
  const label = space?.kind === 'box' ? space.labels?.[component] : undefined;
  const named = label === undefined ? '' : ` ("${label}")`;
  return broken(
    `number ${component + 1} of ${meta.obsSize}${named} of the observation${whose(meta, agent)} is ${values[at]}`,
    where(Math.floor(at / width), batch),
    meta,
    step,
  );
}

function badReward(meta: EnvMeta, { reward }: StepBuffers, batch: number, step: number): Error {
  const found = reward.findIndex((value) => !Number.isFinite(value));
  const kinds = meta.rewards.length;
  const width = meta.agentCount * kinds;
  const agent = Math.floor((found % width) / kinds);
  const which = kinds === 1 ? 'reward' : `reward "${meta.rewards[found % kinds]}"`;
  return broken(`the ${which}${whose(meta, agent)} is ${reward[found]}`, where(Math.floor(found / width), batch), meta, step);
}

function broken(what: string, place: string, meta: EnvMeta, step: number): Error {
  return fail(
    'nan-input',
    `The environment ${meta.id} broke at step ${step}: ${what}${place}.`,
    'The learner is not at fault: look at the dynamics or the settings of the environment. The last state from before is kept.',
  );
}

/** What is said of a run that such an input ended: settings of the environment that are not the usual ones come back first. */
export function inputFinding({ message }: Failure, step: number, { env, envDefaults }: RunSettings): Finding {
  const ways = Object.entries(env).flatMap(([key, value]): Way[] => {
    const usual: Json | undefined = envDefaults[key];
    if (usual === undefined || sameJson(usual, value) || (typeof usual === 'object' && usual !== null)) return [];
    return [{ text: `${key} back to ${String(usual)}`, path: `env.${key}`, value: usual, begin: 'state' }];
  });
  const title = message.includes('observation') ? 'An observation is not a number' : 'A reward is not a number';
  return { id: 'input', title, evidence: [message], sure: 'certain', since: step, ways };
}
