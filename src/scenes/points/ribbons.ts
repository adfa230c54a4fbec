/** Fading ribbons on the floor behind things that move: all of them in one draw call. Widths and heights in scene units. */
import { BufferAttribute, BufferGeometry, type Color, DoubleSide, DynamicDrawUsage, Mesh, MeshBasicMaterial } from 'three';

export class Ribbons {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly tracks: number;
  private readonly length: number;
  private readonly points: Float32Array;
  private readonly counts: Uint16Array;

  constructor(tracks: number, length: number) {
    this.tracks = tracks;
    this.length = length;
    this.points = new Float32Array(tracks * length * 3);
    this.counts = new Uint16Array(tracks);
    const geometry = new BufferGeometry();
    const vertices = tracks * length * 2;
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(vertices * 3), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(vertices * 4), 4).setUsage(DynamicDrawUsage));
    geometry.setIndex(new BufferAttribute(new Uint32Array(tracks * (length - 1) * 6), 1).setUsage(DynamicDrawUsage));
    this.mesh = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  begin(): void {
    this.counts.fill(0);
  }

  /** Adds the next older place of a track. */
  add(track: number, x: number, y: number, z: number): void {
    const n = this.counts[track]!;
    if (n >= this.length) return;
    this.points.set([x, y, z], (track * this.length + n) * 3);
    this.counts[track] = n + 1;
  }

  end(width: (track: number) => number, tint: (track: number) => Color): void {
    const { geometry } = this.mesh;
    const position = geometry.getAttribute('position');
    const colours = geometry.getAttribute('color');
    const { index } = geometry;
    if (index === null) return;
    let at = 0;
    for (let track = 0; track < this.tracks; track++) {
      const n = this.counts[track]!;
      const c = tint(track);
      for (let i = 0; i < n; i++) {
        const o = (track * this.length + i) * 3;
        const before = (track * this.length + Math.max(0, i - 1)) * 3;
        const after = (track * this.length + Math.min(n - 1, i + 1)) * 3;
        const dx = this.points[after]! - this.points[before]!;
        const dz = this.points[after + 2]! - this.points[before + 2]!;
        const share = 1 - i / (this.length - 1);
        const half = (width(track) * (0.25 + 0.75 * share)) / 2 / (Math.hypot(dx, dz) || 1);
        const v = (track * this.length + i) * 2;
        for (const side of [0, 1]) {
          const sign = side === 0 ? half : -half;
          position.setXYZ(v + side, this.points[o]! - dz * sign, this.points[o + 1]!, this.points[o + 2]! + dx * sign);
          colours.setXYZW(v + side, c.r, c.g, c.b, 0.42 * share);
        }
        if (i + 1 < n) for (const k of [0, 1, 2, 2, 1, 3]) index.setX(at++, v + k);
      }
    }
    geometry.setDrawRange(0, at);
    position.needsUpdate = true;
    colours.needsUpdate = true;
    index.needsUpdate = true;
  }
}
