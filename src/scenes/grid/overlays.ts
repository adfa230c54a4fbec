/** The thin layers over a grid: value heat, policy signs, visit discs, field of view, the marked cell. Heights in cells above the tiles. */
import {
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  Plane,
  PlaneGeometry,
  SRGBColorSpace,
  Vector3,
} from 'three';
import type { GridLayout } from '#contract/game/frames.ts';
import { scaleColour } from '../lib/colours.ts';
import { Pool } from '../lib/pool.ts';
import { arrow, disc, ring, turnArrow } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';

const HEAT_Y = 0.008;
const VIEW_Y = 0.012;
const VISIT_Y = 0.016;
const SIGN_Y = 0.024;

export class GridOverlays {
  readonly root = new Group();
  private readonly layout: GridLayout;
  private readonly heat: Pool;
  private readonly visits: Pool;
  private readonly rims: Pool;
  private readonly arrows: Pool;
  private readonly outlines: Pool;
  private readonly turns: Pool;
  private readonly dots: Pool;
  private readonly view = new Group();
  private readonly marker: LineLoop;
  private readonly ink: Color;
  private readonly paper: Color;
  private readonly tint = new Color();
  private viewOn = false;

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    const seen = (opacity: number): MeshBasicMaterial => new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
    this.heat = new Pool(new PlaneGeometry(0.94, 0.94).rotateX(-Math.PI / 2), seen(0.86), { order: 1 });
    this.visits = new Pool(disc(0.42), seen(0.2), { order: 2 });
    this.rims = new Pool(ring(0.38, 0.42), seen(0.9), { order: 2 });
    this.outlines = new Pool(arrow(), seen(0.85), { order: 3 });
    this.arrows = new Pool(arrow(), seen(1), { order: 4 });
    this.turns = new Pool(turnArrow(), doubleSided(seen(1)), { order: 4 });
    this.dots = new Pool(ring(0.1, 0.17), seen(1), { order: 4 });
    this.ink = colour(palette.ink);
    this.paper = colour(palette.paper);
    for (const pool of this.pools()) this.root.add(pool.root);

    const { width: w, height: h } = layout;
    // The view square is drawn whole and cut at the edge of the board.
    const clippingPlanes = [
      new Plane(new Vector3(1, 0, 0), w / 2),
      new Plane(new Vector3(-1, 0, 0), w / 2),
      new Plane(new Vector3(0, 0, 1), h / 2),
      new Plane(new Vector3(0, 0, -1), h / 2),
    ];
    const side = 2 * layout.view + 1;
    const tint = colour(palette.accent);
    const area = new Mesh(
      new PlaneGeometry(side, side).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ color: tint, transparent: true, opacity: palette.dark ? 0.2 : 0.13, depthWrite: false, clippingPlanes }),
    );
    const r = side / 2 - 0.02;
    const edge = new LineLoop(squareOutline(r), new LineBasicMaterial({ color: tint, transparent: true, opacity: 0.8, clippingPlanes }));
    const ahead = layout.headings && layout.centred !== true ? layout.view : 0;
    area.position.set(ahead, VIEW_Y, 0);
    edge.position.set(ahead, VIEW_Y + 0.004, 0);
    area.renderOrder = 1;
    edge.renderOrder = 1;
    this.view.add(area, edge);
    this.view.visible = false;
    this.marker = new LineLoop(squareOutline(0.47), new LineBasicMaterial({ color: this.ink }));
    this.marker.position.y = 0.03;
    this.marker.visible = false;
    this.root.add(this.view, this.marker);
  }

  /** Keeps the field of view in front of the first agent. */
  follow(x: number, z: number, angle: number): void {
    this.view.visible = this.viewOn && this.layout.view > 0;
    this.view.position.set(x, 0, z);
    this.view.rotation.y = this.layout.headings ? -angle : 0;
  }

  set(overlay: SceneOverlay): void {
    const { width: w, height: h } = this.layout;
    const at = (cell: number): [number, number] => [(cell % w) - (w - 1) / 2, Math.floor(cell / w) - (h - 1) / 2];
    for (const pool of this.pools()) pool.begin();
    this.viewOn = overlay.view;
    const cells = w * h;
    if (overlay.values !== null) {
      const [low, high] = overlay.range;
      for (let cell = 0; cell < cells; cell++) {
        const value = overlay.values[cell];
        if (value === undefined || !Number.isFinite(value)) continue;
        const [x, z] = at(cell);
        const [r, g, b] = scaleColour('viridis', (value - low) / (high - low));
        this.heat.put(x, HEAT_Y, z, this.tint.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace));
      }
    }
    if (overlay.visits !== null) this.putVisits(overlay.visits, at);
    for (const sign of overlay.signs) {
      const [x, z] = at(sign.cell);
      const turn = (sign.dir * Math.PI) / 2;
      const size = 0.25 + 0.75 * sign.weight;
      if (sign.kind === 'move') {
        const length = (sign.main ? 0.44 : 0.32) * size;
        const reach = sign.main ? 0.24 : 0.3;
        const px = x + Math.cos(turn) * reach;
        const pz = z + Math.sin(turn) * reach;
        this.outlines.put(px, SIGN_Y, pz, this.paper, turn, length + 0.08, 1, length + 0.1);
        this.arrows.put(px, SIGN_Y + 0.006, pz, this.ink, turn, length, 1, length);
      } else if (sign.kind === 'stay' || sign.kind === 'act') {
        this.dots.put(x, SIGN_Y, z, this.ink, 0, size);
      } else {
        this.turns.put(x, SIGN_Y, z, this.ink, turn, 0.62 * size, 1, (sign.kind === 'turn-left' ? -0.62 : 0.62) * size);
      }
    }
    for (const pool of this.pools()) pool.end();
    this.marker.visible = overlay.marked >= 0 && overlay.marked < cells;
    if (this.marker.visible) {
      const [x, z] = at(overlay.marked);
      this.marker.position.x = x;
      this.marker.position.z = z;
    }
  }

  private putVisits(visits: ArrayLike<number>, at: (cell: number) => [number, number]): void {
    let most = 0;
    for (let i = 0; i < visits.length; i++) most = Math.max(most, visits[i]!);
    if (most === 0) return;
    for (let cell = 0; cell < visits.length; cell++) {
      const share = visits[cell]! / most;
      if (share <= 0) continue;
      const [x, z] = at(cell);
      const size = Math.max(0.1, Math.sqrt(share));
      this.visits.put(x, VISIT_Y, z, this.ink, 0, size);
      this.rims.put(x, VISIT_Y + 0.004, z, this.ink, 0, size);
    }
  }

  private pools(): readonly Pool[] {
    return [this.heat, this.visits, this.rims, this.outlines, this.arrows, this.turns, this.dots];
  }
}

function squareOutline(r: number): BufferGeometry {
  return new BufferGeometry().setFromPoints([new Vector3(-r, 0, -r), new Vector3(r, 0, -r), new Vector3(r, 0, r), new Vector3(-r, 0, r)]);
}

/** Left turns are mirrored right turns, which turns their faces round. */
function doubleSided(material: MeshBasicMaterial): MeshBasicMaterial {
  material.side = DoubleSide;
  return material;
}
