/** What lies on a table: cards that turn, chips, levers, boards of payoffs, players at its edge. One unit = a card's width; x right, z towards the viewer. */
import { Box3, Group, Mesh, MeshLambertMaterial, type Ray, Vector3 } from 'three';
import { itemColumns, type TableItem, type TableLayout } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { Labels } from '../lib/labels.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette } from '../lib/theme.ts';
import { colour, disposeTree, type View } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { makeCard } from './cards.ts';
import { makePayoffBoard } from './payoff.ts';
import type { Thing } from './thing.ts';
import { makeChips, makeLever, makeNumber, makeSeat, makeSign, makeText } from './things.ts';

function make(item: TableItem, palette: Palette, labels: Labels): Thing {
  switch (item.kind) {
    case 'card':
      return makeCard(item.faces, palette, labels);
    case 'text':
      return makeText(item, palette, labels);
    case 'chips':
      return makeChips(item.team, palette);
    case 'number':
      return makeNumber(item.label, item.digits ?? 2, palette, labels);
    case 'seat':
      return makeSeat(item.name, item.team, palette, labels);
    case 'sign':
      return makeSign(item.text, palette, labels);
    case 'lever':
      return makeLever(item, palette, labels);
    case 'payoff':
      return makePayoffBoard(item, palette, labels);
  }
}

export class TableView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly items: readonly TableItem[];
  private readonly labels = new Labels();
  private readonly things: readonly { readonly thing: Thing; readonly from: number; readonly count: number }[];

  constructor(layout: TableLayout, palette: Palette) {
    const [minX, minY, maxX, maxY] = layout.bounds;
    const tall = layout.items.some((item) => item.kind === 'lever');
    this.framing = {
      bounds: new Box3(new Vector3(minX - 0.2, -0.25, -maxY - 0.2), new Vector3(maxX + 0.2, tall ? 2.3 : 0.35, -minY + 0.2)),
      azimuth: 0.08,
      elevation: tall ? 0.7 : 0.9,
    };
    const slab = (grow: number, top: number, height: number, tint: ReturnType<typeof colour>): Mesh => {
      const mesh = new Mesh(block(maxX - minX + grow, height, maxY - minY + grow, 0.06), new MeshLambertMaterial({ color: tint }));
      mesh.position.set((minX + maxX) / 2, top - height, -(minY + maxY) / 2);
      mesh.receiveShadow = true;
      return mesh;
    };
    const cloth = mix(palette.tile, palette.accent, palette.dark ? 0.14 : 0.09);
    this.root.add(slab(0.3, -0.02, 0.24, colour(palette.base)), slab(-0.06, 0, 0.1, colour(cloth)));
    this.items = layout.items;
    let from = 0;
    this.things = layout.items.map((item) => {
      const thing = make(item, palette, this.labels);
      thing.root.position.set(item.x, 0, -item.y);
      this.root.add(thing.root);
      const count = itemColumns(item);
      from += count;
      return { thing, from: from - count, count };
    });
  }

  act(next: number | undefined, before: number | undefined): void {
    const action = next ?? before; // after the last step what it pulled stays lit
    let lever = 0;
    this.items.forEach((item, i) => {
      if (item.kind === 'lever') this.things[i]?.thing.act?.(lever++ === action);
    });
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    for (const { thing, from, count } of this.things)
      thing.update([...a.subarray(from, from + count)], [...b.subarray(from, from + count)], alpha);
  }

  overlay({ payouts }: SceneOverlay): void {
    // A sign beside levers says what their bars are.
    const levers = this.items.some((item) => item.kind === 'lever');
    this.items.forEach((item, i) => {
      const { thing } = this.things[i]!;
      thing.reveal?.(payouts);
      if (levers && item.kind === 'sign') thing.root.visible = payouts;
    });
  }

  focus(out: Vector3): void {
    this.framing.bounds.getCenter(out);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  dispose(): void {
    disposeTree(this.root);
    this.labels.dispose();
  }
}
