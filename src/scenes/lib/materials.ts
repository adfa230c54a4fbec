/** Materials of the grid that are more than one colour: lava, the striped bottom of a cliff, a goal's light column, edge numerals. */
import { CanvasTexture, DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, ShaderMaterial, SRGBColorSpace } from 'three';
import type { Palette } from './theme.ts';
import { colour } from './view.ts';

const WORLD = `
  varying vec3 vWorld;
  void main() {
    vec4 w = modelMatrix * instanceMatrix * vec4(position, 1.0);
    vWorld = w.xyz;
    gl_Position = projectionMatrix * viewMatrix * w;
  }`;

/** Dark plates between glowing cracks. `phase` moves it slowly: the pattern, not the colour, says "hot" in a grey-scale print. */
export function lavaMaterial(palette: Palette): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { phase: { value: 0 }, hot: { value: colour(palette.hazard) }, crust: { value: colour(palette.lavaCrust) } },
    vertexShader: WORLD,
    fragmentShader: `
      uniform float phase; uniform vec3 hot; uniform vec3 crust; varying vec3 vWorld;
      void main() {
        vec2 p = vWorld.xz * 4.2;
        p += 0.55 * vec2(sin(p.y * 0.9 + phase), cos(p.x * 1.1 - phase * 0.8));
        float v = abs(sin(p.x + 0.6 * sin(p.y * 1.3)) * sin(p.y + 0.6 * sin(p.x * 0.9 + phase * 0.5)));
        float crack = 1.0 - smoothstep(0.04, 0.42, v);
        vec3 c = mix(crust, hot, 0.25 + 0.75 * crack);
        c = mix(c, vec3(1.0, 0.78, 0.32), smoothstep(0.7, 1.0, crack) * 0.75);
        gl_FragColor = vec4(c, 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

/** Diagonal stripes on the bottom of a cliff: a hazard told by pattern as well as colour. */
export function stripeMaterial(palette: Palette): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { one: { value: colour(palette.pit) }, two: { value: colour(palette.hazard) } },
    vertexShader: WORLD,
    fragmentShader: `
      uniform vec3 one; uniform vec3 two; varying vec3 vWorld;
      void main() {
        float s = abs(fract((vWorld.x + vWorld.z) * 2.0) - 0.5);
        float w = fwidth((vWorld.x + vWorld.z) * 2.0);
        gl_FragColor = vec4(mix(one, two, smoothstep(0.26 - w, 0.26 + w, s) * 0.62), 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

/** A column of light that fades upwards; for instances. */
export function glowMaterial(palette: Palette): ShaderMaterial {
  return glow(palette, 'instanceMatrix *');
}

/** The same for a single mesh. */
export function glowPlain(palette: Palette): ShaderMaterial {
  return glow(palette, '');
}

function glow(palette: Palette, instance: string): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: { tint: { value: colour(palette.goal) }, strength: { value: palette.dark ? 0.5 : 0.42 } },
    vertexShader: `
      varying float vUp;
      void main() {
        vUp = position.y;
        gl_Position = projectionMatrix * viewMatrix * modelMatrix * ${instance} vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 tint; uniform float strength; varying float vUp;
      void main() {
        float a = 1.0 - clamp(vUp, 0.0, 1.0);
        gl_FragColor = vec4(tint, strength * a * a);
        #include <colorspace_fragment>
      }`,
  });
}

/** Column and row numbers along two edges of the board: the grid's units. */
export function numerals(width: number, height: number, palette: Palette): Mesh[] {
  const strip = (count: number, along: 'x' | 'z'): Mesh => {
    const every = count > 16 ? 5 : count > 10 ? 2 : 1;
    const canvas = document.createElement('canvas');
    const cell = Math.min(64, Math.floor(2048 / count));
    canvas.width = along === 'x' ? count * cell : cell;
    canvas.height = along === 'x' ? cell : count * cell;
    const g = canvas.getContext('2d');
    if (g !== null) {
      g.fillStyle = `rgb(${palette.muted.join(' ')})`;
      g.font = `500 ${Math.round(cell * Math.min(0.5, Math.max(0.27, count * 0.03)))}px system-ui, sans-serif`;
      g.textAlign = 'center';
      g.textBaseline = 'middle';
      for (let i = 0; i < count; i += every) {
        if (along === 'x') g.fillText(String(i), (i + 0.5) * cell, cell * 0.5);
        else g.fillText(String(i), cell * 0.5, (i + 0.5) * cell);
      }
    }
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    map.anisotropy = 4;
    const plane = along === 'x' ? new PlaneGeometry(count, 1) : new PlaneGeometry(1, count);
    const mesh = new Mesh(plane.rotateX(-Math.PI / 2), new MeshBasicMaterial({ map, transparent: true, depthWrite: false }));
    if (along === 'x') mesh.position.set(0, -0.3, height / 2 + 0.42);
    else mesh.position.set(-width / 2 - 0.38, -0.3, 0);
    return mesh;
  };
  return [strip(width, 'x'), strip(height, 'z')];
}
