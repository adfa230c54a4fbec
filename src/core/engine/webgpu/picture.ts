/**
 * Draws what lies on the device where it lies: members [N, 4] of place x, y and a vector along which they look, as arrowheads coloured by
 * that direction, in one draw call. Nothing is read back. The square from `low` to `low + box` fits into the canvas; beyond it is paper.
 */
import type { Drawable, Param, Picture, PictureLook } from '../types.ts';
import type { GpuBuffer, GpuCanvasContext, GpuHandle } from './api.ts';
import type { Shared } from './program.ts';

/** What every browser can show without asking it. */
const FORMAT = 'bgra8unorm';
const VERTEX_STAGE = 1;
/** Numbers of a look as the shader reads them. */
const VIEW = 12;

const shader = (first: number): string => `@group(0) @binding(0) var<storage, read> members: array<f32>;
@group(0) @binding(1) var<storage, read> view: array<f32>;
struct Corner { @builtin(position) at: vec4f, @location(0) @interpolate(flat) ink: vec3f }
@vertex fn corner(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> Corner {
let m = ${first}u + 4u * i;
let along = vec2f(members[m + 2u], members[m + 3u]);
let far = length(along);
let ahead = select(vec2f(1f, 0f), along / max(far, 1e-30f), far > 0f);
var local = vec2f(1f, 0f);
if (v == 1u) { local = vec2f(-0.7f, 0.55f); }
if (v == 2u) { local = vec2f(-0.7f, -0.55f); }
let turned = vec2f(local.x * ahead.x - local.y * ahead.y, local.x * ahead.y + local.y * ahead.x);
let place = (vec2f(members[m], members[m + 1u]) - vec2f(view[0], view[1])) + view[2] * turned;
var out: Corner;
out.at = vec4f(place.x * view[3], place.y * view[4], 0f, 1f);
let hue = atan2(ahead.y, ahead.x) + vec3f(0f, -2.0944f, 2.0944f);
out.ink = vec3f(view[5]) + view[6] * cos(hue);
return out;
}
@fragment fn paint(@location(0) @interpolate(flat) ink: vec3f) -> @location(0) vec4f { return vec4f(ink, 1f); }`;

/** Throws Error where the canvas gives no WebGPU context. `first`: where the members begin, floats. */
export function createPicture({ device, params }: Shared, canvas: Drawable, members: Param, first: number): Picture {
  const { gpu } = device;
  const context = canvas.getContext('webgpu') as GpuCanvasContext | null;
  if (context === null) throw new Error('webgpu: this canvas cannot be drawn on');
  context.configure({ device: gpu, format: FORMAT, alphaMode: 'opaque' });
  const layout = gpu.createBindGroupLayout({
    entries: [0, 1].map((binding) => ({ binding, visibility: VERTEX_STAGE, buffer: { type: 'read-only-storage' } })),
  });
  const module = gpu.createShaderModule({ code: shader(first), label: 'picture' });
  const pipeline = gpu.createRenderPipeline({
    layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout] }),
    vertex: { module, entryPoint: 'corner' },
    fragment: { module, entryPoint: 'paint', targets: [{ format: FORMAT }] },
    primitive: { topology: 'triangle-list' },
  });
  const view: GpuBuffer = device.storage(VIEW * 4);
  const numbers = new Float32Array(VIEW);
  let bound: { readonly group: GpuHandle; readonly generation: number } | undefined;
  return {
    draw({ width, height, low, box, size, ink, paper }: PictureLook) {
      device.check();
      device.flush();
      canvas.width = width;
      canvas.height = height;
      // The square as large as it fits; arrowheads of at least about two pixels.
      const scale = Math.min(width, height) / box; // px per metre
      const half = low + box / 2;
      numbers.set([half, half, Math.max(size, 1.6 / scale), (2 * scale) / width, (2 * scale) / height, ink[0], ink[1]]);
      gpu.queue.writeBuffer(view, 0, numbers);
      if (bound?.generation !== params.generation) {
        const entries = [params.buffer, view].map((buffer, binding) => ({ binding, resource: { buffer } }));
        bound = { group: gpu.createBindGroup({ layout, entries }), generation: params.generation };
      }
      const encoder = gpu.createCommandEncoder();
      const [r, g, b] = paper;
      const pass = encoder.beginRenderPass({
        colorAttachments: [
          { view: context.getCurrentTexture().createView(), clearValue: { r, g, b, a: 1 }, loadOp: 'clear', storeOp: 'store' },
        ],
      });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bound.group);
      pass.draw(3, members.shape[0] ?? 0);
      pass.end();
      gpu.queue.submit([encoder.finish()]);
    },
  };
}
