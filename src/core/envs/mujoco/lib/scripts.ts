/**
 * What bodies do before anything is learned: they hold a stance, or move every motor's joint along a sine wave about it. Torques follow
 * the wave by a spring and a damper, in units of the strongest action:
 *   wave(t) = mean + amplitude sin(2 pi (f t + phase)),  action = clip(stiffness (wave - q) - damping v, -1, 1) strength
 * The time is that of the episode, so a policy remembers nothing.
 */
import { sin } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { type Body, jointsOf } from './mjcf.ts';

export interface Gait {
  /** Waves per second. */
  readonly frequency: number;
  readonly stiffness: number;
  readonly damping: number;
  /** Of each motor's joint, in the order of the motors: rad, rad, and the part of a wave by which it is late. */
  readonly joints: readonly (readonly [mean: number, amplitude: number, phase: number])[];
}

/** All motors hold their joints where the model has them at its start. */
const stance = (body: Body, stiffness: number, damping: number): Gait => ({
  frequency: 0,
  stiffness,
  damping,
  joints: body.motors.map(() => [0, 0, 0]),
});

/** The policy `stance` of a body whose joints are held so; the gait needs no clock. */
export const holds = (body: Body, stiffness: number, damping: number) => ({
  stance: (): ScriptedPolicy => follow(body, stance(body, stiffness, damping), 0),
});

/** `dt`: seconds of a step of the environment. */
export function follow(body: Body, gait: Gait, dt: number): ScriptedPolicy {
  let [q, v] = [0, 0];
  const places = new Map(
    jointsOf(body).map(({ name, type }) => {
      const place = [name, { q, v }] as const;
      q += type === 'free' ? 7 : 1;
      v += type === 'free' ? 6 : 1;
      return place;
    }),
  );
  const motors = body.motors.map(({ joint }) => places.get(joint) ?? { q: 0, v: 0 });
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const state = env.meta.state.toJSON(env.save(row)) as { readonly qpos: number[]; readonly qvel: number[]; readonly steps: number };
        const t = state.steps * dt;
        motors.forEach((at, i) => {
          const [mean = 0, amplitude = 0, phase = 0] = gait.joints[i] ?? [];
          const wave = mean + amplitude * sin(2 * Math.PI * (gait.frequency * t + phase));
          const torque = gait.stiffness * (wave - state.qpos[at.q]!) - gait.damping * state.qvel[at.v]!;
          out[row * motors.length + i] = body.strength * Math.min(1, Math.max(-1, torque));
        });
      }
    },
  };
}

/** Forces in proportion to what is observed: action = clip(gains · obs, -1, 1) strength. `most`: as in the box of actions. */
export const feedback = (gains: readonly number[], most: number): ScriptedPolicy => ({
  act(env, { obs }, out) {
    const { obsSize } = env.meta;
    for (let row = 0; row < env.batch; row++) {
      const force = gains.reduce((sum, gain, i) => sum + gain * obs[row * obsSize + i]!, 0);
      out[row] = Math.min(most, Math.max(-most, force));
    }
  },
});
