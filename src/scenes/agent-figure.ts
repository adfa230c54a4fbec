/** One agent: a bell with a visor and two eyes on a drop-shaped foot that points ahead, a number if there are several, and what it carries. */
import { CanvasTexture, type Color, Group, Mesh, MeshLambertMaterial, Sprite, SpriteMaterial, SRGBColorSpace } from 'three';
import type { GridLook } from '#contract/frames.ts';
import type { GridAgent } from './frames.ts';
import { agentBody, agentEyes, agentFoot, agentVisor, ball, crate, key } from './shapes.ts';
import { mix, type Palette, type Rgb } from './theme.ts';
import { colour } from './view.ts';

const CARRIED: { readonly [look in GridLook]?: () => ReturnType<typeof key> } = { key, ball, box: crate, food: ball };

export class AgentFigure {
  readonly root = new Group();
  private readonly body = new Group();
  private readonly materials: MeshLambertMaterial[] = [];
  private readonly colours: Color[] = [];
  private readonly faded: Color;
  private readonly hand = new Mesh(undefined, new MeshLambertMaterial());
  private carried = '';

  constructor(palette: Palette, rgb: Rgb, label: string | null) {
    this.faded = colour(mix(palette.muted, palette.tile, 0.35));
    const add = (geometry: ReturnType<typeof key>, tint: Rgb): void => {
      const material = new MeshLambertMaterial({ color: colour(tint) });
      this.materials.push(material);
      this.colours.push(material.color.clone());
      const mesh = new Mesh(geometry, material);
      mesh.castShadow = true;
      this.body.add(mesh);
    };
    add(agentFoot(), mix(rgb, [0, 0, 0], 0.38));
    add(agentBody(), rgb);
    add(agentVisor(), [24, 28, 38]);
    add(agentEyes(), [255, 255, 255]);
    this.hand.castShadow = true;
    this.hand.visible = false;
    this.root.add(this.body, this.hand);
    if (label !== null) {
      const sprite = badge(label, palette);
      sprite.position.set(0, 1.02, 0);
      this.root.add(sprite);
    }
  }

  /** `colours`: the layout's colour vocabulary, resolved. */
  show(agent: GridAgent, x: number, z: number, look: GridLook | undefined, carriedColour: Color): void {
    this.root.position.set(x, 0, z);
    this.body.rotation.y = -agent.angle;
    const life = Math.min(1, Math.max(0, agent.alive));
    this.body.scale.set(0.7 + 0.3 * life, 0.3 + 0.7 * life, 0.7 + 0.3 * life);
    this.materials.forEach((m, i) => {
      m.color.copy(this.faded).lerp(this.colours[i]!, life);
    });
    const make = agent.carried > 0 && look !== undefined ? CARRIED[look] : undefined;
    this.hand.visible = make !== undefined;
    if (make === undefined || look === undefined) return;
    if (this.carried !== look) {
      this.hand.geometry.dispose();
      this.hand.geometry = make();
      this.carried = look;
    }
    this.hand.position.set(0, 0.76, 0);
    this.hand.scale.setScalar(0.55);
    this.hand.rotation.y = 0;
    (this.hand.material as MeshLambertMaterial).color.copy(carriedColour);
  }
}

/** A number on a disc that always faces the camera. */
function badge(text: string, palette: Palette): Sprite {
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 64;
  const g = canvas.getContext('2d');
  if (g !== null) {
    g.beginPath();
    g.arc(32, 32, 29, 0, Math.PI * 2);
    g.fillStyle = `rgb(${palette.paper.join(' ')})`;
    g.fill();
    g.fillStyle = `rgb(${palette.ink.join(' ')})`;
    g.font = `600 ${text.length > 1 ? 32 : 40}px system-ui, sans-serif`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(text, 32, 34);
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({ map, depthTest: false }));
  sprite.scale.setScalar(0.36);
  sprite.renderOrder = 10;
  return sprite;
}
