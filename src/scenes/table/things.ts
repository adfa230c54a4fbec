/** Small things on a table: stacks of chips, numbers, players, levers of a bandit. */
import { CylinderGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, TorusGeometry } from 'three';
import type { TableItem } from '#contract/game/frames.ts';
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

/** Columns: which of the words stands at each place, -1 none. A place is drawn from its first word on. */
export function makeText({ words, places, line, gap }: Extract<TableItem, { kind: 'text' }>, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const made: (FloorLabel | undefined)[] = Array.from({ length: places });
  const put = (place: number): FloorLabel => {
    const label = new FloorLabel(labels, { ink: palette.text, weight: 500 }, 0.84);
    label.mesh.position.set(gap * ((place % line) - (line - 1) / 2), 0.015, Math.floor(place / line));
    root.add(label.mesh);
    return label;
  };
  return {
    root,
    update(a, b, alpha) {
      const shown = alpha >= 0.5 ? b : a;
      for (let place = 0; place < places; place++) {
        const word = shown[place] ?? -1;
        const label = made[place] ?? (word >= 0 ? (made[place] = put(place)) : undefined);
        if (label === undefined) continue;
        label.mesh.visible = word >= 0;
        if (word >= 0) label.set(words[word] ?? '');
      }
    },
  };
}

/** Words that lie on the table. */
export function makeSign(text: string, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const label = new FloorLabel(labels, { ink: palette.text, weight: 500 }, 0.42).set(text);
  label.mesh.position.y = 0.015;
  root.add(label.mesh);
  return { root, update: () => {} };
}

/**
 * A machine with its name on the front, an arm that goes down while it is pulled, and a window for what it paid. The bar on top is what it
 * pays on average, where the layout tells. Columns: pulled 0/1; payout shown, NaN none.
 */
export function makeLever({ name, worth, mean }: Extract<TableItem, { kind: 'lever' }>, palette: Palette, labels: Labels): Thing {
  const root = new Group();
  const body = new Mesh(
    block(1.06, 1.1, 0.7, 0.08),
    new MeshLambertMaterial({ color: colour(mix(palette.structure, palette.tile, palette.dark ? 0.2 : 0.35)) }),
  );
  const screen = new Mesh(block(0.82, 0.4, 0.04, 0.012), new MeshLambertMaterial({ color: colour([26, 31, 42]) }));
  screen.position.set(0, 0.6, 0.34);
  const arm = new Group();
  const stick = new Mesh(
    new CylinderGeometry(0.04, 0.04, 0.66, 10).translate(0, 0.33, 0),
    new MeshLambertMaterial({ color: colour(palette.metal) }),
  );
  const knob = new Mesh(new SphereGeometry(0.12, 14, 10).translate(0, 0.7, 0), new MeshLambertMaterial({ color: colour(palette.hazard) }));
  arm.add(stick, knob);
  arm.position.set(0.6, 0.46, 0.06);
  for (const mesh of [body, stick, knob]) mesh.castShadow = true;
  body.receiveShadow = true;
  const label = new FloorLabel(labels, { ink: [255, 255, 255], weight: 700 }, 0.46, true).set(name);
  label.mesh.position.set(0, 0.3, 0.365);
  // Seen from far off, too: what is pulled stands on a lit plate.
  const plinth = new Mesh(
    block(1.46, 0.07, 1.16, 0.03),
    new MeshLambertMaterial({ color: colour(palette.accent), emissive: colour(palette.accent), emissiveIntensity: 0.45 }),
  );
  root.add(body, screen, arm, label.mesh, plinth);
  const known = new Group();
  root.add(known);
  if (worth !== undefined) {
    const height = Math.max(0.03, 0.9 * worth);
    const bar = new Mesh(block(0.6, height, 0.34, 0.03), new MeshLambertMaterial({ color: colour(palette.goal) }));
    bar.position.set(0, 1.1, -0.1);
    bar.castShadow = true;
    known.add(bar);
    const figure = new Badge(labels, { ink: palette.ink, paper: palette.paper, plate: 'plate', weight: 600 }, 0.42).set(mean ?? '');
    figure.sprite.position.set(0, 1.1 + height + 0.3, -0.1);
    known.add(figure.sprite);
  }
  const payout = new FloorLabel(labels, { ink: [255, 255, 255], weight: 650 }, 0.44, true, 0.78);
  payout.mesh.position.set(0, 0.8, 0.385);
  root.add(payout.mesh);
  let chosen = false;
  return {
    root,
    act(own) {
      chosen = own;
    },
    reveal(on) {
      known.visible = on;
    },
    update([pulledA = 0], [pulledB = 0, paid = Number.NaN], alpha) {
      // Where no frame tells of the pull, the action does: the episode is over with it.
      const pulled = chosen || pulledA > 0 || pulledB > 0;
      arm.rotation.x = 0.25 + (pulled ? 1.15 * Math.sin(Math.PI * Math.min(1, alpha === 0 ? 0.5 : alpha)) : 0);
      const words = pulledB > 0 && Number.isFinite(paid) ? String(Number(paid.toFixed(2))) : chosen ? (mean ?? '') : '';
      payout.set((words.startsWith('-') || words === '' ? words : `+${words}`).replace('-', '−'));
      plinth.visible = pulled;
      body.material.emissive.copy(plinth.material.color).multiplyScalar(pulled ? 0.4 : 0);
    },
  };
}
