/** The `dsl-pid` controller of golden files: computes every drone's motor speeds towards targets that change at given steps. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { numberOf } from '../../api/checks.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { airframe } from '../../lib/drones/airframe.ts';
import { BODY, POS, QUAT, VEL } from '../../lib/drones/body.ts';
import type { FlightConfig } from '../../lib/drones/config.ts';
import { DslPid, PID_MEMORY, target } from '../../lib/drones/dsl-pid.ts';

const list = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? (value as readonly number[]) : []);

/** `config.actionType` must be motor-rpm. Throws for a controller of another type. */
export function goldenController(spec: JsonObject, c: FlightConfig): ScriptedPolicy {
  if (spec.type !== 'dsl-pid') throw new Error(`there is no controller ${JSON.stringify(spec.type)}`);
  const pid = new DslPid(airframe(c.model, c.gravity), 1 / c.controlHz);
  const targets = (Array.isArray(spec.targets) ? (spec.targets as readonly JsonObject[]) : []) as readonly JsonObject[];
  const memory = new Float64Array(PID_MEMORY * c.drones);
  const rpm = new Float64Array(4);
  const s = new Float64Array(BODY);
  const to = target();
  let t = 0;
  return {
    act(env, _buffers, out) {
      t++;
      let latest: JsonObject | undefined;
      for (const one of targets)
        if (numberOf(one, 'fromStep') <= t && (latest === undefined || numberOf(one, 'fromStep') >= numberOf(latest, 'fromStep')))
          latest = one;
      if (latest === undefined) throw new Error(`the controller has no target at step ${t}`);
      const [x = 0, y = 0, z = 0] = list(latest.pos);
      to.x = x;
      to.y = y;
      to.z = z;
      to.yaw = list(latest.rpy)[2] ?? 0;
      // the float64 state, as the reference's controller reads it: observations are float32
      const bodies = env.meta.state.toJSON(env.save(0)).drones as readonly (readonly number[])[];
      bodies.forEach((body, k) => {
        for (const [from, n] of [
          [POS, 3],
          [QUAT, 4],
          [VEL, 3],
        ] as const)
          for (let i = from; i < from + n; i++) s[i] = body[i]!;
        pid.control(s, 0, memory, k * PID_MEMORY, to, rpm, 0);
        for (let i = 0; i < 4; i++) out[4 * k + i] = rpm[i]!;
      });
    },
  };
}
