/**
 * The scripted policy of every MiniGrid world: plans an episode with full knowledge of the map (planner.ts) according to its end
 * rule, then follows the plan; where the world is not where the plan left it, it plans anew. Among walking obstacles it looks one
 * step ahead: it never walks at a cell that is not free, so it never collides. It stands still (done) where it finds no plan.
 */
import type { LevelSolution } from '#contract/files/levels.ts';
import { createBuffers } from '../../api/buffers.ts';
import type { Environment, ScriptedPolicy } from '../../api/types.ts';
import { DOOR, EMPTY, GOAL, OPEN, objectOf, originOf, stateOf } from './cells.ts';
import { compileInstruction, type Description, type Instruction, matches, usesLocations } from './instructions.ts';
import { findWalk, Model } from './model.ts';
import { DONE, LEFT, TOGGLE } from './moment.ts';
import { writePlaces } from './places.ts';
import { Planner } from './planner.ts';
import type { RuleType } from './rules.ts';
import { decodeSentence } from './sentence-code.ts';
import { PROGRESS, RULE_A, RULE_B, SENTENCE, START_DIR, START_X, START_Y } from './state.ts';

export interface Task {
  readonly width: number;
  readonly height: number;
  readonly rule: RuleType;
  readonly instruction: Instruction | null;
  /** The state says the instruction. */
  readonly told: boolean;
  readonly pickupToggles: boolean;
  readonly obstacles: boolean;
}

interface Followed {
  readonly model: Model; // where the plan is
  actions: readonly number[];
  next: number;
}

export function createExpert(task: Task): ScriptedPolicy {
  const rows: Followed[] = [];
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const words = new Uint32Array(env.save(row).slice(8).buffer);
        let followed = rows[row];
        if (followed === undefined) {
          followed = { model: new Model(task.width, task.height, task.pickupToggles), actions: [], next: 0 };
          rows[row] = followed;
        }
        const { model } = followed;
        if (task.obstacles) {
          model.read(words);
          out[row] = dodge(model);
          continue;
        }
        if (!model.agrees(words) || followed.next >= followed.actions.length) {
          model.read(words);
          followed.actions = planEpisode(task, words);
          followed.next = 0;
        }
        const action = followed.actions[followed.next++] ?? DONE;
        model.act(action);
        out[row] = action;
      }
    },
  };
}

/** The next step to the goal past the obstacles as they stand now. */
function dodge(m: Model): number {
  const walk = findWalk(
    m,
    (cell) => (objectOf(m.at(cell)) === EMPTY || objectOf(m.at(cell)) === GOAL ? 0 : Infinity),
    (cell) => (objectOf(m.at(cell)) === GOAL ? 0 : Infinity),
  );
  return walk?.actions[0] ?? LEFT;
}

/** The actions that fulfil the rule from this state on; fewer where a part of it cannot be had. */
export function planEpisode(task: Task, words: Uint32Array): readonly number[] {
  const model = new Model(task.width, task.height, task.pickupToggles);
  model.read(words);
  const cells = model.words.length;
  const number = (i: number) => words[cells + i]!;
  const a = number(RULE_A);
  const b = number(RULE_B);
  const { rule } = task;
  const instruction = task.told ? toldBy(words, cells) : task.instruction;
  const harmless = !isStrict(instruction) && rule !== 'fetch' && rule !== 'put-near' && rule !== 'done-next-to' && !task.pickupToggles;
  const planner = new Planner(model, {
    clear: harmless,
    open: rule !== 'done-next-to',
    never: rule === 'reach' ? b - 1 : -1,
  });
  planner.plan(() => {
    switch (rule) {
      case 'goal':
        return planner.walkTo((cell) => objectOf(model.at(cell)) === GOAL);
      case 'reach':
        return planner.walkTo((cell) => cell === a - 1);
      case 'open-door':
        return planner.openDoor([a]);
      case 'open-in-order':
        planner.openDoor([a]);
        return planner.openDoor([b]);
      case 'pickup':
        return planner.hold((word) => originOf(word) === a);
      case 'fetch':
        return planner.hold((word) => (word & 127) === a);
      case 'done-next-to':
        planner.walkTo((cell) => distance(model, cell, a) === 1);
        return planner.do(DONE);
      case 'put-near': {
        const target = b & 0xffff;
        return planner.dropWhere(
          (word) => (word & 127) === a,
          (cell) => apart(model, cell, target) <= 1,
        );
      }
      case 'babyai': {
        if (instruction === null) return;
        const places = new Uint8Array(cells);
        if (usesLocations(instruction))
          writePlaces(words, 0, task.width, task.height, number(START_X), number(START_Y), number(START_DIR), places, 0);
        return fulfil(planner, instruction, number(PROGRESS), places);
      }
      case 'none':
        return;
    }
  });
  return planner.actions;
}

function isStrict(node: Instruction | null): boolean {
  if (node === null || node.kind === 'put-next') return false;
  return 'first' in node ? isStrict(node.first) || isStrict(node.second) : node.strict;
}

function toldBy(words: Uint32Array, cells: number): Instruction | null {
  const sentence = decodeSentence(words, cells + SENTENCE);
  return sentence === null ? null : compileInstruction(sentence);
}

function fulfil(planner: Planner, node: Instruction, done: number, places: Uint8Array): void {
  if ((done & node.bit) !== 0) return;
  const { model } = planner;
  const fits = (d: Description) => (word: number) => matches(word, d, places, 0);
  switch (node.kind) {
    case 'go-to':
      if (planner.find(fits(node.what)).length === 0) planner.putDown(new Set()); // it is in hand
      planner.face(planner.find(fits(node.what)));
      break;
    case 'open':
      planner.openDoor(planner.find(fits(node.what)));
      break;
    case 'pickup':
      if (fits(node.what)(model.held)) planner.putDown(new Set()); // it has to be picked up anew
      planner.hold(fits(node.what));
      break;
    case 'put-next':
      planner.dropWhere(fits(node.move), (cell) => planner.find(fits(node.fixed)).some((at) => distance(model, cell, at) === 1));
      break;
    default:
      fulfil(planner, node.first, done, places);
      fulfil(planner, node.second, done, places);
  }
}

function distance(m: Model, p: number, q: number): number {
  return Math.abs((p % m.width) - (q % m.width)) + Math.abs(Math.floor(p / m.width) - Math.floor(q / m.width));
}

function apart(m: Model, p: number, q: number): number {
  return Math.max(Math.abs((p % m.width) - (q % m.width)), Math.abs(Math.floor(p / m.width) - Math.floor(q / m.width)));
}

/**
 * How hard a level is for who knows all of it: the plan, tried in the world. Of a way to a goal without doors it is a shortest one. `create`: a world of
 * one row to try plans in, made at the first level that is asked for. null: there is no plan.
 */
export function levelSolver(task: Task, create: () => Environment): (level: Uint8Array) => LevelSolution | null {
  let world: Environment | null = null;
  return (level) => {
    world ??= create();
    const out = createBuffers(world.meta, 1);
    world.load(0, level, out);
    const words = new Uint32Array(level.slice(8).buffer);
    const model = new Model(task.width, task.height, task.pickupToggles);
    model.read(words);
    let doors = 0;
    let steps = 0;
    for (const action of planEpisode(task, words)) {
      const ahead = model.front < 0 ? 0 : model.at(model.front);
      model.act(action);
      world.step(Int32Array.of(action), out);
      steps++;
      if (action === TOGGLE && objectOf(ahead) === DOOR && stateOf(ahead) !== OPEN && stateOf(model.at(model.front)) === OPEN) doors++;
      if (out.terminated[0] === 1) return out.reward[0]! > 0 ? { steps, doors } : null;
      if (out.truncated[0] === 1) return null;
    }
    return null;
  };
}
