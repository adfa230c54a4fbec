/** Arrows at the picture's edge to agents and goals that are out of sight, with their distance where it has a unit. Drawn before the camera. */
import { type Camera, Group, MathUtils, Mesh, MeshBasicMaterial, type PerspectiveCamera, type Vector3 } from 'three';
import { Badge, Labels } from './labels.ts';
import { flat } from './shapes.ts';
import type { Lost } from './shot.ts';
import type { Palette } from './theme.ts';
import { colour } from './view.ts';

/** Distance from the edge, CSS pixels. */
const INSET = 22;
const SIZE = 13;
const WORDS = 20;
const MOST = 12;

/** Where an arrow stands, -1..1 each, and where it points (rad, counter-clockwise from the right); null: the point is in the picture. */
export function edgeOf(at: Vector3, camera: Camera, insetX: number, insetY: number): { x: number; y: number; turn: number } | null {
  const ahead = at.clone().applyMatrix4(camera.matrixWorldInverse);
  const inFront = ahead.z < 0;
  const { x, y } = ahead.applyMatrix4(camera.projectionMatrix);
  if (inFront && Math.abs(x) <= 1 && Math.abs(y) <= 1) return null;
  // What lies behind the camera projects mirrored.
  const [wx, wy] = inFront ? [x, y] : [-x, -y];
  const share = Math.min((1 - insetX) / Math.max(1e-9, Math.abs(wx)), (1 - insetY) / Math.max(1e-9, Math.abs(wy)));
  return { x: wx * share, y: wy * share, turn: Math.atan2(wy, wx) };
}

export class EdgeArrows {
  readonly root = new Group();
  private readonly labels = new Labels();
  private readonly arrows: { readonly mesh: Mesh; readonly material: MeshBasicMaterial; readonly words: Badge }[] = [];
  private palette: Palette;

  constructor(palette: Palette) {
    this.palette = palette;
  }

  /** Other colours: arrows are made anew. */
  refresh(palette: Palette): void {
    this.palette = palette;
    for (const { mesh, material, words } of this.arrows.splice(0)) {
      this.root.remove(mesh, words.sprite);
      mesh.geometry.dispose();
      material.dispose();
      words.sprite.material.dispose();
    }
  }

  /** `from`: what distances are told from. `unit`: theirs, undefined where there is none to tell. */
  show(lost: readonly Lost[], camera: PerspectiveCamera, width: number, height: number, from: Vector3, unit: string | undefined): void {
    let used = 0;
    const depth = camera.near * 2;
    const half = depth * Math.tan(MathUtils.degToRad(camera.fov / 2));
    const pixel = (2 * half) / Math.max(1, height);
    for (const { at, tint, name } of lost) {
      if (used >= MOST) break;
      const edge = edgeOf(at, camera, (2 * INSET) / Math.max(1, width), (2 * INSET) / Math.max(1, height));
      if (edge === null) continue;
      const { mesh, material, words } = this.arrow(used++);
      material.color.copy(colour(tint ?? this.palette.muted));
      mesh.visible = true;
      mesh.position.set(edge.x * half * camera.aspect, edge.y * half, -depth);
      mesh.rotation.set(0, 0, edge.turn);
      mesh.scale.setScalar(SIZE * pixel);
      words.set([name, unit === undefined ? '' : `${distance(at.distanceTo(from))} ${unit}`].join(' ').trim());
      words.resize(WORDS * pixel);
      words.sprite.position.copy(mesh.position);
      // The words stand on the inner side of their arrow.
      words.sprite.center.set(0.5 + 0.9 * Math.cos(edge.turn), 0.5 + 1.25 * Math.sin(edge.turn));
    }
    for (const { mesh, words } of this.arrows.slice(used)) {
      mesh.visible = false;
      words.set('');
    }
  }

  dispose(): void {
    this.refresh(this.palette);
    this.labels.dispose();
  }

  private arrow(index: number): (typeof this.arrows)[number] {
    const found = this.arrows[index];
    if (found !== undefined) return found;
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const shape = flat([
      [1, 0],
      [-0.8, -0.85],
      [-0.35, 0],
      [-0.8, 0.85],
    ]).rotateX(Math.PI / 2);
    const mesh = new Mesh(shape, material);
    mesh.renderOrder = 20;
    mesh.frustumCulled = false;
    const words = new Badge(this.labels, { ink: this.palette.ink, paper: this.palette.paper, plate: 'plate' }, 1);
    words.sprite.renderOrder = 21;
    this.root.add(mesh, words.sprite);
    const made = { mesh, material, words };
    this.arrows.push(made);
    return made;
  }
}

function distance(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
