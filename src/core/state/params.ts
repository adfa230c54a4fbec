/** Parameters of a network as saved arrays. */
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { Engine, ParamGroup } from '../engine/types.ts';

/** The parameters of one group by name: what a policy file holds. */
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
