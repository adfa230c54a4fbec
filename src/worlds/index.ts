/** Starting points and examples for worlds of one's own, by the names that `rl new world` and the page use. */
import { bandit } from './bandit.ts';
import { cartpole } from './cartpole.ts';
import { chase } from './chase.ts';
import { economy } from './economy.ts';
import { empty } from './empty.ts';
import { beam } from './examples/beam.ts';
import { doors } from './examples/doors.ts';
import { ferry } from './examples/ferry.ts';
import { landing } from './examples/landing.ts';
import { shop } from './examples/shop.ts';
import { fog } from './fog.ts';
import { gridGame } from './grid-game.ts';
import { lift } from './lift.ts';
import { ownQLearning } from './q-learning.ts';
import { queue } from './queue.ts';
import { ownReinforce } from './reinforce.ts';
import { costReward, livingReward, ownPlayer, partsReward, potentialReward, progressReward, speedReward } from './rewards.ts';

export interface StartingPoint {
  readonly id: string;
  /** As a button shows it. */
  readonly title: string;
  /** One sentence. */
  readonly about: string;
  /** Steps after which the recommended method has learned it. */
  readonly steps: number;
  readonly code: string;
}

export const startingPoints: readonly StartingPoint[] = [
  { id: 'empty', title: 'Empty page', about: 'Every member of a world in the fewest lines.', steps: 20_000, code: empty },
  { id: 'grid-game', title: 'Grid game', about: 'Cells, coins, lava and a door.', steps: 200_000, code: gridGame },
  { id: 'bandit', title: 'Bandit', about: 'Which machine pays most, learned by trying.', steps: 5_000, code: bandit },
  { id: 'cartpole', title: 'Balancing', about: 'Physics in a few lines: the same as CartPole.', steps: 60_000, code: cartpole },
  { id: 'chase', title: 'Chase of two teams', about: 'Several agents: hunters and runners, both learn.', steps: 200_000, code: chase },
  { id: 'fog', title: 'Chase in fog', about: 'Something is seen only when it is near.', steps: 200_000, code: fog },
  { id: 'economy', title: 'Tiny economy', about: 'Now or later: sowing, prices, chance.', steps: 100_000, code: economy },
  { id: 'queue', title: 'Two queues', about: 'Which of two queues is served.', steps: 60_000, code: queue },
  { id: 'lift', title: 'Lift', about: 'People wait on several floors.', steps: 200_000, code: lift },
];

/** Worlds of 40 to 50 lines to read and to change; each learns within a minute and is a link (`#/write?from=ID`) in docs/own-worlds.md. */
export const exampleWorlds: readonly StartingPoint[] = [
  { id: 'doors', title: 'Three doors', about: 'Stay or change? A table finds out.', steps: 20_000, code: doors },
  { id: 'landing', title: 'Soft landing', about: 'An engine, little fuel, and the ground.', steps: 100_000, code: landing },
  { id: 'shop', title: 'Bread shop', about: 'How much to order when customers are chance.', steps: 60_000, code: shop },
  { id: 'beam', title: 'Ball on a beam', about: 'The action is a number: the tilt.', steps: 100_000, code: beam },
  { id: 'ferry', title: 'Ferry', about: 'Crossing a river that carries along.', steps: 100_000, code: ferry },
];

export interface OtherPoint extends StartingPoint {
  readonly kind: 'reward' | 'player' | 'method';
}

/** Rewards, players and methods to begin with, over environments of the catalogue. */
export const otherPoints: readonly OtherPoint[] = [
  { kind: 'reward', id: 'parts', title: 'Parts', about: 'A sum of named parts.', steps: 60_000, code: partsReward },
  {
    kind: 'reward',
    id: 'speed',
    title: 'Paid for speed',
    about: 'A mistake: the flag only ends the pay.',
    steps: 60_000,
    code: speedReward,
  },
  {
    kind: 'reward',
    id: 'living',
    title: 'Paid for being there',
    about: 'A mistake: the goal is avoided.',
    steps: 20_000,
    code: livingReward,
  },
  {
    kind: 'reward',
    id: 'progress',
    title: 'Paid for progress only',
    about: 'A mistake: going to and fro pays.',
    steps: 60_000,
    code: progressReward,
  },
  { kind: 'reward', id: 'cost', title: 'Every step costs', about: 'A mistake: failing quickly is best.', steps: 60_000, code: costReward },
  {
    kind: 'reward',
    id: 'potential',
    title: 'A potential',
    about: 'Shaping that changes no best policy.',
    steps: 60_000,
    code: potentialReward,
  },
  { kind: 'player', id: 'by-hand', title: 'By hand', about: 'A rule that balances the pole.', steps: 20_000, code: ownPlayer },
  { kind: 'method', id: 'q-learning', title: 'Q-learning', about: 'A table, learned step by step.', steps: 20_000, code: ownQLearning },
  {
    kind: 'method',
    id: 'reinforce',
    title: 'REINFORCE',
    about: 'A small network, learned by whole episodes.',
    steps: 60_000,
    code: ownReinforce,
  },
];

/** All that `#/write?from=ID` opens. */
export const allPoints: readonly StartingPoint[] = [...startingPoints, ...exampleWorlds, ...otherPoints];
