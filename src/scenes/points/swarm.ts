/**
 * Any number of oriented wedges in one draw call. The columns of two frames go to the graphics card as they are, six numbers per point,
 * and it does the rest: between the frames, round the edges, turned, tinted. The page's own work is one copy per frame.
 */
import {
  type BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  RGBADepthPacking,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';

const COLUMNS = 6;

const PLACE = `
  attribute vec4 placeA; attribute vec4 placeB; attribute vec2 look;
  uniform float alpha; uniform float farthest; uniform vec3 tints[8];
  varying vec3 vTint;
  vec3 placed(vec3 p) {
    vec2 way = abs(placeB.xy - placeA.xy);
    float s = max(way.x, way.y) > farthest ? step(1.0, alpha) : alpha;
    float turn = placeB.w - placeA.w;
    turn = atan(sin(turn), cos(turn));
    float h = placeA.w + turn * s;
    vec3 at = mix(placeA.xyz, placeB.xyz, s);
    float c = cos(h); float n = sin(h);
    p *= look.x;
    return vec3(at.x + c * p.x + n * p.z, at.z + p.y, -at.y - n * p.x + c * p.z);
  }`;

export class Swarm {
  readonly mesh: Mesh<BufferGeometry, Material>;
  private readonly from: number;
  private readonly count: number;
  private readonly a: InstancedInterleavedBuffer;
  private readonly b: InstancedInterleavedBuffer;
  private readonly alpha = { value: 0 };

  /** Points `from` to `from + count` of a frame. `farthest`: a longer way in one step is a jump. */
  constructor(shape: BufferGeometry, from: number, count: number, farthest: number, shadows: boolean, palette: Palette) {
    this.from = from;
    this.count = count;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', shape.getAttribute('position'));
    geometry.setAttribute('normal', shape.getAttribute('normal'));
    geometry.instanceCount = count;
    const buffer = (): InstancedInterleavedBuffer => {
      const made = new InstancedInterleavedBuffer(new Float32Array(count * COLUMNS), COLUMNS);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    this.a = buffer();
    this.b = buffer();
    geometry.setAttribute('placeA', new InterleavedBufferAttribute(this.a, 4, 0));
    geometry.setAttribute('placeB', new InterleavedBufferAttribute(this.b, 4, 0));
    geometry.setAttribute('look', new InterleavedBufferAttribute(this.a, 2, 4));
    const uniforms = { alpha: this.alpha, farthest: { value: farthest }, tints: { value: palette.series.slice(0, 8).map(colour) } };
    const place = (shader: WebGLProgramParametersWithUniforms): void => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${PLACE}`)
        .replace('#include <begin_vertex>', 'vec3 transformed = placed(position); vTint = tints[int(mod(look.y + 0.5, 8.0))];');
    };
    const material = new MeshLambertMaterial({ flatShading: true });
    material.onBeforeCompile = (shader) => {
      place(shader);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nvarying vec3 vTint;')
        .replace('#include <color_fragment>', 'diffuseColor.rgb *= vTint;');
    };
    this.mesh = new Mesh<BufferGeometry, Material>(geometry, material);
    this.mesh.frustumCulled = false;
    if (shadows) {
      const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
      depth.onBeforeCompile = place;
      this.mesh.customDepthMaterial = depth;
      this.mesh.castShadow = true;
      this.mesh.receiveShadow = true;
    }
  }

  update(a: Float32Array, b: Float32Array, alpha: number, fresh: boolean): void {
    this.alpha.value = alpha;
    if (!fresh) return;
    const [from, to] = [this.from * COLUMNS, (this.from + this.count) * COLUMNS];
    this.a.array.set(a.subarray(from, to));
    this.b.array.set(b.subarray(from, to));
    this.a.needsUpdate = true;
    this.b.needsUpdate = true;
  }
}
