/** Parameters of networks without their optimisers: what a policy file holds. */
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Engine, ParamGroup } from '../engine/types.ts';
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
    const size = param.shape.reduce((a, b) => a * b, 1);
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
