/** Parameters of networks without their optimisers: what a policy file holds. */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { sizeOf } from '../engine/shapes.ts';
import type { Engine, Param, ParamGroup } from '../engine/types.ts';
import { joinSaved, partOf } from './saved.ts';

/** The parameters of one group, by name. */
export async function readParams(engine: Engine, group: ParamGroup): Promise<Saved> {
  const arrays: Record<string, Float32Array> = {};
  for (const param of group.params) arrays[param.name] = await engine.read(param);
  return { meta: { group: group.name }, arrays };
}

/** Throws LabError('file-invalid') if a parameter is missing or has another size. */
export function writeParams(engine: Engine, group: ParamGroup, saved: Saved): void {
  for (const param of group.params) {
    const data = saved.arrays[param.name];
    const size = sizeOf(param.shape);
    if (!(data instanceof Float32Array) || data.length !== size) {
      throw fail(
        'file-invalid',
        `This policy does not fit its own settings: "${param.name}" is missing or has another size.`,
        'Save it again.',
      );
    }
    engine.write(param, data);
  }
}

/** Parameters one behind the other [n]. */
export async function readVector(engine: Engine, params: readonly Param[]): Promise<Float64Array> {
  const all = new Float64Array(params.reduce((sum, { shape }) => sum + sizeOf(shape), 0));
  let at = 0;
  for (const param of params) {
    const data = await engine.read(param);
    all.set(data, at);
    at += data.length;
  }
  return all;
}

/** The other way round; rounds to float32. */
export function writeVector(engine: Engine, params: readonly Param[], vector: Float64Array): void {
  let at = 0;
  for (const param of params) {
    const size = sizeOf(param.shape);
    engine.write(param, Float32Array.from(vector.subarray(at, at + size)));
    at += size;
  }
}

interface Groups {
  readonly [part: string]: ParamGroup;
}

/** Groups as parts of one snapshot, with what else the policy needs. */
export async function saveGroups(engine: Engine, groups: Groups, meta: JsonObject = {}, arrays: Saved['arrays'] = {}): Promise<Saved> {
  const parts: Record<string, Saved> = {};
  for (const [part, group] of Object.entries(groups)) parts[part] = await readParams(engine, group);
  return joinSaved(meta, parts, arrays);
}

/** The other way round. Throws LabError('file-invalid') if a parameter is missing or has another size. */
export function loadGroups(engine: Engine, groups: Groups, saved: Saved): void {
  for (const [part, group] of Object.entries(groups)) writeParams(engine, group, partOf(saved, part));
}

/** Parameters stay and optimisers begin anew: moments of a first stage of learning would make the next one's first steps too long. */
export async function freshOptimiser(engine: Engine): Promise<void> {
  const { arrays } = await engine.save();
  engine.load({ meta: {}, arrays });
}
