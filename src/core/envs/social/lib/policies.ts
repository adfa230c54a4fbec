/** Scripted members of the social dilemmas. They read the central state, walk shortest ways, and only punish where their rule says so. */
import type { ScriptedPolicy } from '../../api/types.ts';
import { FIRE, moveTowards, STAY, TURN_LEFT, TURN_RIGHT } from './ground.ts';
import { cleanAction, type Rules } from './rules.ts';
import { Walker } from './walker.ts';

/** Asks each agent that is in play for an action. */
function members(r: Rules, choose: (me: Walker, agent: number) => number): ScriptedPolicy {
  const me = new Walker(r);
  return {
    act(env, buffers, out) {
      for (let slot = 0; slot < env.batch * r.agents; slot++) {
        const agent = slot % r.agents;
        me.read(buffers, Math.floor(slot / r.agents), agent);
        out[slot] = me.inPlay ? choose(me, agent) : STAY;
      }
    },
  };
}

const goTo = (me: Walker, direction: number) => (direction < 0 ? STAY : moveTowards(me.heading, direction));

/** Takes the nearest apple that has at least `leave` others in the block of 3 x 3 around it. */
export function harvester(r: Rules, leave: number): ScriptedPolicy {
  const { width } = r.ground;
  return members(r, (me) => {
    const spare = (cell: number) => {
      if (!me.apple(cell)) return false;
      let others = 0;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const x = (cell % width) + dx;
          const other = cell + dy * width + dx;
          if ((dy !== 0 || dx !== 0) && x >= 0 && x < width && other >= 0 && other < r.ground.cells && me.apple(other)) others++;
        }
      return others >= leave;
    };
    return goTo(me, me.towards(spare));
  });
}

/**
 * With `fair` two in five clean, the nearest waste first, while more than a tenth of the waste that stops all growth lies in the
 * river; the others, and without `fair` all, only eat.
 */
export function cleaner(r: Rules, depletion: number, fair: boolean): ScriptedPolicy {
  const river = r.ground.of('H', 'R');
  const turn = (me: Walker, direction: number) => ((direction - me.heading + 4) % 4 === 3 ? TURN_LEFT : TURN_RIGHT);
  const busy = Math.max(1, Math.round(r.agents * 0.4));
  return members(r, (me, agent) => {
    let waste = 0;
    for (const cell of river) if (me.waste(cell)) waste++;
    if (fair && agent < busy && waste > 0.1 * depletion * river.length) {
      const direction = me.towards((cell) => me.waste(cell));
      const next = direction < 0 ? -1 : me.beside(me.cell, direction);
      if (next >= 0 && me.waste(next)) return me.heading === direction ? cleanAction(r) : turn(me, direction);
      if (direction >= 0) return goTo(me, direction);
    }
    return goTo(
      me,
      me.towards((cell) => me.apple(cell)),
    );
  });
}

/** Takes the nearest apple; a fighter fires at the agent in front of it, and turns towards one it could hit. */
export function gatherer(r: Rules, fights: boolean): ScriptedPolicy {
  const reach = r.fire?.length ?? 0;
  return members(r, (me) => {
    if (fights && r.fire) {
      if (me.inFront(me.heading, reach)) return FIRE;
      if (me.inFront((me.heading + 1) % 4, reach)) return TURN_RIGHT;
      if (me.inFront((me.heading + 3) % 4, reach)) return TURN_LEFT;
    }
    return goTo(
      me,
      me.towards((cell) => me.apple(cell)),
    );
  });
}
