/** Rewards to begin with: mistakes that are often made, and the same thought as a potential, which leaves the best policy as it is. */

export const speedReward = `// A mistake: paying for what leads to the goal pays best if the goal is never reached.
// The car on the hill is paid for its speed. Compare the return under the old reward.
defineReward({
  title: 'Paid for speed',
  about: 'The car is paid for being fast, and the flag ends the pay.',
  env: 'mountain-car',
  settings: { weight: { default: 100, min: 0, max: 1000 } },
  reward: ({ next }, { weight }) => weight * Math.abs(next.velocity),
});
`;

export const potentialReward = `// The same thought done right: height and speed as a potential. What a step gains it loses
// on the way back, so the best policy stays the best. Whether it is found sooner: try weights.
defineReward({
  title: 'Energy as a potential',
  about: 'Reach the flag; shaping by energy leaves the best policy as it is.',
  env: 'mountain-car',
  settings: { weight: { default: 50, min: 0, max: 1000 } },
  potential: (seen, { weight }) => weight * (0.0025 * Math.sin(3 * seen.position) + 0.5 * seen.velocity * seen.velocity) * 100,
});
`;

export const livingReward = `// A mistake: a bonus for every step makes an agent that does not want to finish.
defineReward({
  title: 'Paid for being there',
  about: 'Every step away from the cliff pays, so the goal is avoided.',
  env: 'cliff-walking',
  reward: ({ reward }) => (reward < -1 ? reward : 1),
});
`;

export const progressReward = `// A mistake: paying for steps forwards and charging nothing for steps back pays for going to and fro.
defineReward({
  title: 'Paid for progress only',
  about: 'Each bit of the way to the flag pays, however often it is gone.',
  env: 'mountain-car',
  settings: { weight: { default: 10, min: 0, max: 100 } },
  reward: ({ seen, next }, { weight }) => weight * Math.max(0, next.position - seen.position),
});
`;

export const costReward = `// A mistake: where an episode ends by failing, a cost for every step makes failing quickly the best there is.
defineReward({
  title: 'Every step costs',
  about: 'The pole should be kept up, but only its fall ends the costs.',
  env: 'cartpole',
  settings: { cost: { default: 1, min: 0.1, max: 10 } },
  reward: (step, { cost }) => -cost,
});
`;

export const partsReward = `// A reward of parts: each is shown for itself, and their sum is paid.
defineReward({
  title: 'Upright, in the middle, calm',
  env: 'cartpole',
  settings: { middle: { default: 0.2, min: 0, max: 2 }, calm: { default: 0.05, min: 0, max: 1 } },
  parts: ['upright', 'middle', 'calm'],
  reward: ({ next }, settings) => ({
    upright: 1,
    middle: -settings.middle * Math.abs(next.x),
    calm: -settings.calm * next.angularSpeed * next.angularSpeed,
  }),
});
`;

export const ownPlayer = `// A player in one line: push towards the side to which the pole falls.
definePlayer({
  title: 'By hand',
  env: 'cartpole',
  settings: { lead: { default: 0.5, min: 0, max: 2, about: 'How much the speed of the pole counts beside its angle.' } },
  act: (seen, { lead }) => (seen.angle + lead * seen.angularSpeed > 0 ? 1 : 0),
});
`;
