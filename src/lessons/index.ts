/** The lessons, in the order of a course. A new one: its file and its line here. */
import { bandit } from './bandit.ts';
import { cartpole } from './cartpole.ts';
import { cliff } from './cliff.ts';
import { copyMe } from './copy-me.ts';
import type { Lesson } from './define.ts';
import { dilemma } from './dilemma.ts';
import { eight } from './eight.ts';
import { faults } from './faults.ts';
import { forgets } from './forgets.ts';
import { group } from './group.ts';
import { limits } from './limits.ts';
import { prefer } from './prefer.ts';
import { reward } from './reward.ts';
import { shapley } from './shapley.ts';
import { unseen } from './unseen.ts';
import { writeReward } from './write-reward.ts';

export const lessons: readonly Lesson[] = [
  bandit,
  cliff,
  cartpole,
  faults,
  reward,
  group,
  writeReward,
  limits,
  dilemma,
  shapley,
  copyMe,
  prefer,
  unseen,
  forgets,
  eight,
];
