/** Words in a scene: text drawn on small canvases, kept by what they say, shown lying on the ground, standing, or always facing the camera. */
import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, Sprite, SpriteMaterial, SRGBColorSpace, type Texture } from 'three';
import type { Rgb } from './theme.ts';

export interface LabelStyle {
  readonly ink: Rgb;
  /** Behind the text: a disc, a rounded plate, a speech bubble with its tip below, or nothing. */
  readonly plate?: 'disc' | 'plate' | 'bubble';
  readonly paper?: Rgb;
  readonly weight?: number;
  readonly outline?: Rgb;
}

const HEIGHT = 64; // pixels of a line
const MOST = 256; // textures kept

export class Labels {
  private readonly kept = new Map<string, { texture: Texture; aspect: number }>();

  get(text: string, style: LabelStyle): { texture: Texture; aspect: number } {
    const key = `${text}|${style.ink.join()}|${style.plate ?? ''}|${style.paper?.join() ?? ''}|${style.outline?.join() ?? ''}`;
    const found = this.kept.get(key);
    if (found !== undefined) return found;
    const made = draw(text, style);
    if (this.kept.size >= MOST) {
      for (const [oldest, { texture }] of this.kept) {
        texture.dispose();
        this.kept.delete(oldest);
        break;
      }
    }
    this.kept.set(key, made);
    return made;
  }

  dispose(): void {
    for (const { texture } of this.kept.values()) texture.dispose();
    this.kept.clear();
  }
}

function css(rgb: Rgb): string {
  return `rgb(${rgb.map(Math.round).join(' ')})`;
}

function draw(text: string, style: LabelStyle): { texture: Texture; aspect: number } {
  const canvas = document.createElement('canvas');
  const g = canvas.getContext('2d');
  const font = `${style.weight ?? 600} ${style.plate === 'disc' && text.length > 1 ? 32 : 40}px system-ui, sans-serif`;
  let width = HEIGHT;
  if (g !== null) {
    g.font = font;
    const pad = style.plate === undefined ? 8 : 36;
    width = style.plate === 'disc' ? HEIGHT : Math.max(HEIGHT, Math.ceil(g.measureText(text).width) + pad);
  }
  canvas.width = width;
  canvas.height = style.plate === 'bubble' ? HEIGHT + 16 : HEIGHT;
  if (g !== null) {
    g.font = font;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    if (style.paper !== undefined && style.plate !== undefined) {
      g.fillStyle = css(style.paper);
      g.beginPath();
      if (style.plate === 'disc') g.arc(32, 32, 29, 0, Math.PI * 2);
      else g.roundRect(2, 4, width - 4, HEIGHT - 8, 18);
      if (style.plate === 'bubble') {
        g.moveTo(width / 2 - 10, HEIGHT - 5);
        g.lineTo(width / 2, HEIGHT + 12);
        g.lineTo(width / 2 + 10, HEIGHT - 5);
      }
      g.fill();
    }
    if (style.outline !== undefined) {
      g.strokeStyle = css(style.outline);
      g.lineWidth = 7;
      g.lineJoin = 'round';
      g.strokeText(text, width / 2, HEIGHT / 2 + 2);
    }
    g.fillStyle = css(style.ink);
    g.fillText(text, width / 2, HEIGHT / 2 + 2);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return { texture, aspect: canvas.width / canvas.height };
}

/** A label whose words may change. The texture belongs to `labels`, not to the mesh. */
export class FloorLabel {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly labels: Labels;
  private readonly style: LabelStyle;
  private readonly height: number;
  private readonly upright: boolean;
  private readonly most: number;
  private text = '';

  /** `most`: as wide as it may be; longer words are written smaller. */
  constructor(labels: Labels, style: LabelStyle, height: number, upright = false, most = Number.POSITIVE_INFINITY) {
    this.labels = labels;
    this.style = style;
    this.height = height;
    this.most = most;
    const plane = new PlaneGeometry(1, 1);
    if (!upright) plane.rotateX(-Math.PI / 2);
    this.upright = upright;
    this.mesh = new Mesh(plane, new MeshBasicMaterial({ transparent: true, depthWrite: false }));
    this.mesh.visible = false;
    this.mesh.renderOrder = 3;
  }

  set(text: string): this {
    if (text === this.text) return this;
    this.text = text;
    this.mesh.visible = text !== '';
    if (text === '') return this;
    const { texture, aspect } = this.labels.get(text, this.style);
    this.mesh.material.map = texture;
    this.mesh.material.needsUpdate = true;
    const height = Math.min(this.height, this.most / aspect);
    this.mesh.scale.set(height * aspect, this.upright ? height : 1, this.upright ? 1 : height);
    return this;
  }
}

/** A label that always faces the camera. */
export class Badge {
  readonly sprite: Sprite;
  private readonly labels: Labels;
  private readonly style: LabelStyle;
  private height: number;
  private aspect = 1;
  private text = '';

  constructor(labels: Labels, style: LabelStyle, height: number, above = true) {
    this.labels = labels;
    this.style = style;
    this.height = height;
    this.sprite = new Sprite(new SpriteMaterial({ depthTest: !above, transparent: true, depthWrite: false }));
    // A bubble's tip is its lower end.
    if (style.plate === 'bubble') this.sprite.center.set(0.5, 0);
    this.sprite.renderOrder = 10;
    this.sprite.visible = false;
  }

  set(text: string): this {
    if (text === this.text) return this;
    this.text = text;
    this.sprite.visible = text !== '';
    if (text === '') return this;
    const { texture, aspect } = this.labels.get(text, this.style);
    this.sprite.material.map = texture;
    this.sprite.material.needsUpdate = true;
    this.aspect = aspect;
    return this.resize(this.height);
  }

  /** Scene units from its lower to its upper edge. */
  resize(height: number): this {
    this.height = height;
    this.sprite.scale.set(height * this.aspect, height, 1);
    return this;
  }
}
