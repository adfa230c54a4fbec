/** The text of one dispatch: buffers, functions, a function per job, and a main that sends each workgroup to its job. */
import { BUFFERS } from './emit.ts';
import { functionsFor } from './functions.ts';
import { THREADS, TILE_FLOATS } from './jobs.ts';
import type { Written } from './optimise.ts';

export interface Shader {
  readonly code: string;
  /** Workgroups. */
  readonly groups: number;
}

const READ_ONLY: ReadonlySet<string> = new Set(['feed', 'fixed']);

export function shaderOf(jobs: readonly Written[], extra = ''): Shader {
  let groups = 0;
  const branches = jobs.map((job, i) => {
    const from = groups;
    groups += job.groups;
    return `${i === 0 ? '' : 'else '}if (g < ${groups}u) { job${i}(g - ${from}u, t); }`;
  });
  const bodies = jobs.map(({ body }, i) => `fn job${i}(wg: u32, t: u32) {\n${body}\n}`).join('\n');
  const own = `${extra}\n${bodies}`;
  const code = `${BUFFERS.map((name, i) => `@group(0) @binding(${i}) var<storage, ${READ_ONLY.has(name) ? 'read' : 'read_write'}> ${name}: array<f32>;`).join('\n')}
var<workgroup> tile: array<f32, ${TILE_FLOATS}>;
override first: u32 = 0u;
${functionsFor(own)}
${own}
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) t: u32) {
let g = first + id.y * count.x + id.x;
${branches.join('\n')}
}`;
  return { code, groups };
}
