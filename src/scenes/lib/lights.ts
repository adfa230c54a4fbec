/** Sky, sun and the ground that catches shadows; all follow the size of what is shown. */
import { type Box3, DirectionalLight, HemisphereLight, Mesh, type Object3D, PlaneGeometry, ShadowMaterial, Vector3 } from 'three';
import type { Palette } from './theme.ts';
import type { Base } from './view.ts';

/** Where the sun stands, seen from what it shines on. */
const USUAL = new Vector3(-0.55, 1.25, 0.62);
const HIGH = new Vector3(-0.16, 1.6, 0.22);

export class Lights {
  private readonly sky = new HemisphereLight();
  private readonly sun = new DirectionalLight();
  private readonly ground = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), new ShadowMaterial({ color: 0x000000 }));

  /** What is shown has a ground of its own for all shadows. */
  private own = false;

  constructor(shadowSize: number) {
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(shadowSize);
    sun.shadow.radius = 3.5;
    sun.shadow.bias = -0.0006;
    this.ground.receiveShadow = true;
  }

  get objects(): readonly Object3D[] {
    return [this.sky, this.sun, this.sun.target, this.ground];
  }

  /** Shadows on or off: programs are compiled anew for the other. */
  cast(shadows: boolean): void {
    this.sun.castShadow = shadows;
    this.ground.visible = shadows && !this.own;
  }

  /**
   * `base`: what the picture stands on, if it has a base of its own. On a slab the sun stands high, so that shadows fall on it, and where they miss
   * it there is nothing that could catch them.
   */
  follow(bounds: Box3, palette: Palette, base: Base | undefined): void {
    const { sky, sun, ground } = this;
    const size = bounds.getSize(new Vector3());
    const centre = bounds.getCenter(new Vector3());
    const reach = size.length() * 0.56;
    sky.color.set(palette.dark ? 0xc9d6f2 : 0xffffff);
    sky.groundColor.set(palette.dark ? 0x4a4f5c : 0xc3c8d2);
    sky.intensity = palette.dark ? 2.1 : 1.75;
    sun.color.set(palette.dark ? 0xfff1dd : 0xfff8ee);
    sun.intensity = palette.dark ? 2.7 : 1.7;
    this.own = base === 'slab';
    ground.visible = sun.castShadow && !this.own;
    sun.position.copy(centre).add(
      (this.own ? HIGH : USUAL)
        .clone()
        .normalize()
        .multiplyScalar(reach * 2),
    );
    sun.target.position.copy(centre);
    const camera = sun.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = reach * 0.4;
    camera.far = reach * 4;
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = reach / 500;
    ground.material.opacity = palette.dark ? 0.5 : 0.16;
    ground.position.set(centre.x, bounds.min.y - size.length() * 0.012 - (base === 'board' ? 0.14 : 0), centre.z);
    // As far as the shadow reaches and no farther: every pixel of it asks the shadow map.
    ground.scale.set(size.x * 1.5 + size.y * 3, 1, size.z * 1.5 + size.y * 3);
  }
}
