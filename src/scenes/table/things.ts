/** Small things on a table: stacks of chips, numbers, players, levers of a bandit. */
import { CylinderGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, TorusGeometry } from 'three';
import { ease } from '../lib/frames.ts';
import { Badge, FloorLabel, type Labels } from '../lib/labels.ts';
import { Pool } from '../lib/pool.ts';
import { agentBody, agentEyes, agentFoot, agentVisor, block, merge, ring } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import type { Thing } from './thing.ts';

const CHIP = { radius: 0.26, height: 0.075, stack: 8 };

/** Column: how many. */
export function makeChips(team: number, palette: Palette): Thing {
  const root = new Group();
  const pool = new Pool(
    merge([
      new CylinderGeometry(CHIP.radius, CHIP.radius, CHIP.height * 0.86, 24).translate(0, CHIP.height / 2, 0),
      new CylinderGeometry(CHIP.radius * 0.72, CHIP.radius * 0.72, CHIP.height, 24).translate(0, CHIP.height / 2, 0),
    ]),
    new MeshLambertMaterial(),
    { cast: true, receive: true },
  );
  root.add(pool.root);
  const own = colour(palette.series[team % 8]!);
  const pale = colour(mix(palette.series[team % 8]!, [255, 255, 255], 0.45));
  return {
    root,
    update([from = 0], [to = 0], alpha) {
      const shown = from + (to - from) * ease(alpha);
      pool.begin();
      const whole = Math.min(96, Math.ceil(shown - 1e-6));
      for (let i = 0; i < whole; i++) {
        const stack = Math.floor(i / CHIP.stack);
        const level = i % CHIP.stack;
        const drop = i === whole - 1 ? (1 - (shown - Math.floor(shown - 1e-6))) * 0.6 : 0;
        pool.put(stack * CHIP.radius * 2.15, level * CHIP.height + Math.max(0, drop), 0, i % 2 === 0 ? own : pale);
      }
      pool.end();
    },
  };
}

/** Column: a number, shown after its label. */
export function makeNumber(text: string, digits: number, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const label = new FloorLabel(labels, { ink: palette.text, weight: 500 }, 0.36);
  label.mesh.position.y = 0.015;
  root.add(label.mesh);
  return {
    root,
    update(a, b, alpha) {
      const value = (alpha >= 0.5 ? b : a)[0] ?? Number.NaN;
      label.set(Number.isFinite(value) ? `${text} ${Number(value.toFixed(digits)).toString().replace('-', '−')}` : text);
    },
  };
}

/** Columns: to move 0/1; -1 lost, 0, 1 won. */
export function makeSeat(name: string, team: number, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const rgb = palette.series[team % 8]!;
  const figure = new Group();
  const parts: readonly (readonly [ReturnType<typeof agentBody>, Rgb])[] = [
    [agentFoot(), mix(rgb, [0, 0, 0], 0.38)],
    [agentBody(), rgb],
    [agentVisor(), [24, 28, 38]],
    [agentEyes(), [255, 255, 255]],
  ];
  for (const [geometry, tint] of parts) {
    const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: colour(tint) }));
    mesh.castShadow = true;
    figure.add(mesh);
  }
  figure.rotation.y = -Math.PI / 2; // towards the viewer
  const turn = new Mesh(
    ring(0.46, 0.54),
    new MeshLambertMaterial({ color: colour(palette.accent), emissive: colour(palette.accent), emissiveIntensity: 0.4 }),
  );
  turn.position.y = 0.02;
  const crown = new Mesh(
    new TorusGeometry(0.16, 0.035, 8, 24).rotateX(Math.PI / 2),
    new MeshLambertMaterial({ color: colour(palette.named.yellow ?? palette.accent) }),
  );
  crown.position.y = 0.78;
  const label = new FloorLabel(labels, { ink: palette.text, weight: 600 }, 0.34).set(name);
  label.mesh.position.set(0, 0.015, 0.68);
  root.add(figure, turn, crown, label.mesh);
  return {
    root,
    update([moveA = 0, wonA = 0], [moveB = 0, wonB = 0], alpha) {
      const s = ease(alpha);
      const move = moveA + (moveB - moveA) * s;
      const won = wonA + (wonB - wonA) * s;
      turn.visible = move > 0.02;
      turn.scale.setScalar(0.7 + 0.3 * move);
      crown.visible = won > 0.05;
      figure.position.y = Math.max(0, won) * 0.18;
      figure.scale.set(1, won < 0 ? 1 + 0.35 * won : 1, 1);
    },
  };
}

/** Columns: pulled 0/1; payout shown, NaN none. A bar behind shows the mean where the layout gives it. */
export function makeLever(name: string, worth: number | undefined, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const body = new Mesh(
    block(0.78, 0.95, 0.7, 0.08),
    new MeshLambertMaterial({ color: colour(mix(palette.structure, palette.tile, 0.35)) }),
  );
  const screen = new Mesh(block(0.56, 0.34, 0.04, 0.012), new MeshLambertMaterial({ color: colour([26, 31, 42]) }));
  screen.position.set(0, 0.46, 0.34);
  const arm = new Group();
  const stick = new Mesh(
    new CylinderGeometry(0.035, 0.035, 0.6, 10).translate(0, 0.3, 0),
    new MeshLambertMaterial({ color: colour(palette.metal) }),
  );
  const knob = new Mesh(new SphereGeometry(0.1, 14, 10).translate(0, 0.64, 0), new MeshLambertMaterial({ color: colour(palette.hazard) }));
  arm.add(stick, knob);
  arm.position.set(0.46, 0.42, 0.06);
  for (const mesh of [body, stick, knob]) mesh.castShadow = true;
  body.receiveShadow = true;
  root.add(body, screen, arm);
  const label = new FloorLabel(labels, { ink: palette.muted, weight: 600 }, 0.3).set(name);
  label.mesh.position.set(0, 0.015, 0.68);
  root.add(label.mesh);
  if (worth !== undefined) {
    const bar = new Mesh(block(0.5, Math.max(0.02, 1.3 * worth), 0.3, 0.03), new MeshLambertMaterial({ color: colour(palette.goal) }));
    bar.position.set(0, 0.95, -0.1);
    bar.castShadow = true;
    root.add(bar);
  }
  const payout = new Badge(labels, { ink: [255, 255, 255], weight: 650 }, 0.3, false);
  payout.sprite.position.set(0, 0.63, 0.42);
  root.add(payout.sprite);
  return {
    root,
    update([pulledA = 0], [pulledB = 0, paid = Number.NaN], alpha) {
      const down = pulledB > 0 ? Math.sin(Math.PI * Math.min(1, alpha === 0 ? 1 : alpha)) : pulledA > 0 ? 0 : 0;
      arm.rotation.x = 0.25 + 1.15 * down;
      const shown = pulledB > 0 && Number.isFinite(paid);
      payout.set(shown ? Number(paid.toFixed(2)).toString().replace('-', '−') : '');
      body.material.emissive.copy(knob.material.color).multiplyScalar(shown ? 0.16 : 0);
    },
  };
}
