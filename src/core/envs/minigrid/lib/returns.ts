/**
 * Mean returns by preset: uniform actions over 1,000 episodes, and the scripted policy "expert" (expert.ts), with full knowledge of the
 * map. Where a single walk does the task its plan is the shortest there is; where keys and things are moved it may be a few steps longer.
 */
export interface Returns {
  readonly random: number;
  readonly expert: number;
  readonly episodes: number; // of the expert
  /** RL Baselines3 Zoo at 100,000 (DoorKey, Empty, Unlock) to 10,000,000 steps. */
  readonly published?: number;
}

export const RETURNS: { readonly [env: string]: { readonly [preset: string]: Returns } } = {
  babyai: {
    'go-to-local': { random: 0.1832, expert: 0.9297, episodes: 500 },
    'go-to-red-ball-grey': { random: 0.134, expert: 0.9231, episodes: 500 },
    'go-to-red-ball': { random: 0.1803, expert: 0.9313, episodes: 500 },
    'go-to-red-blue-ball': { random: 0.1409, expert: 0.9239, episodes: 500 },
    'go-to-obj': { random: 0.1094, expert: 0.9355, episodes: 500 },
    'go-to-obj-s4': { random: 0.1548, expert: 0.8581, episodes: 500 },
    'go-to-local-s5n2': { random: 0.1734, expert: 0.8966, episodes: 500 },
    'go-to-door': { random: 0.459, expert: 0.9899, episodes: 500 },
    'go-to': { random: 0.1178, expert: 0.966, episodes: 500 },
    'open-red-door': { random: 0.0765, expert: 0.9153, episodes: 500 },
    'open-door': { random: 0.248, expert: 0.9892, episodes: 500 },
    'open-doors-order-n2': { random: 0.2027, expert: 0.9874, episodes: 500 },
    'pickup-loc': { random: 0.0937, expert: 0.9203, episodes: 500 },
    'pickup-dist': { random: 0.0968, expert: 0.9105, episodes: 500 },
    'put-next-local': { random: 0.006, expert: 0.9168, episodes: 500 },
    'put-next-s5n2-carrying': { random: 0.1725, expert: 0.9824, episodes: 500 },
    'unlock-local': { random: 0.0105, expert: 0.9798, episodes: 500 },
    'key-in-box': { random: 0.0072, expert: 0.9782, episodes: 500 },
    unlock: { random: 0.037, expert: 0.9414, episodes: 500 },
    'unblock-pickup': { random: 0.0841, expert: 0.965, episodes: 500 },
    synth: { random: 0.1128, expert: 0.9692, episodes: 500 },
    'mini-boss': { random: 0.0834, expert: 0.914, episodes: 500 },
    boss: { random: 0.061, expert: 0.9702, episodes: 500 },
  },
  'minigrid-blocked-unlock-pickup': {
    standard: { random: 0.0015, expert: 0.9595, episodes: 500 },
  },
  'minigrid-custom': {
    'nine-rooms': { random: 0.0002, expert: 0.9667, episodes: 500 },
    'two-keys': { random: 0, expert: 0.8938, episodes: 500 },
  },
  'minigrid-dist-shift': {
    '1': { random: 0.0061, expert: 0.9536, episodes: 500 },
    '2': { random: 0.0097, expert: 0.9607, episodes: 500 },
  },
  'minigrid-doorkey': {
    '8x8': { random: 0.0117, expert: 0.9764, episodes: 500 },
    '5x5': { random: 0.0352, expert: 0.9643, episodes: 500, published: 0.964 },
    '6x6': { random: 0.0172, expert: 0.9692, episodes: 500 },
    '16x16': { random: 0.0027, expert: 0.988, episodes: 500 },
  },
  'minigrid-dynamic-obstacles': {
    '8x8': { random: -1, expert: 0.9293, episodes: 500 },
    '5x5': { random: -0.9904, expert: 0.8828, episodes: 500 },
    'random-5x5': { random: -0.8006, expert: 0.9369, episodes: 500 },
    '6x6': { random: -0.9965, expert: 0.8898, episodes: 500 },
    'random-6x6': { random: -0.8512, expert: 0.9402, episodes: 500 },
    '16x16': { random: -1, expert: 0.9677, episodes: 500 },
  },
  'minigrid-empty': {
    '8x8': { random: 0.07, expert: 0.9613, episodes: 500 },
    '5x5': { random: 0.1881, expert: 0.955, episodes: 500 },
    '6x6': { random: 0.1218, expert: 0.9563, episodes: 500 },
    '16x16': { random: 0.0363, expert: 0.9763, episodes: 500 },
    'random-5x5': { random: 0.3045, expert: 0.968, episodes: 500, published: 0.968 },
    'random-6x6': { random: 0.2768, expert: 0.9714, episodes: 500 },
  },
  'minigrid-fetch': {
    '8x8-n3': { random: 0.2371, expert: 0.9843, episodes: 500 },
    '6x6-n2': { random: 0.302, expert: 0.9803, episodes: 500 },
    '5x5-n2': { random: 0.334, expert: 0.9762, episodes: 500 },
  },
  'minigrid-four-rooms': {
    standard: { random: 0.0138, expert: 0.8557, episodes: 500, published: 0.573 },
  },
  'minigrid-go-to-door': {
    '5x5': { random: 0.0552, expert: 0.9659, episodes: 500, published: 0.525 },
    '6x6': { random: 0.0373, expert: 0.9734, episodes: 500 },
    '8x8': { random: 0.0189, expert: 0.9816, episodes: 500 },
  },
  'minigrid-go-to-object': {
    '8x8-n2': { random: 0.0544, expert: 0.9854, episodes: 500 },
    '6x6-n2': { random: 0.1042, expert: 0.9821, episodes: 500 },
  },
  'minigrid-key-corridor': {
    s3r1: { random: 0.0211, expert: 0.9511, episodes: 500, published: 0.949 },
    s3r2: { random: 0.0029, expert: 0.9319, episodes: 500 },
    s3r3: { random: 0.0006, expert: 0.9232, episodes: 500 },
    s4r3: { random: 0, expert: 0.9392, episodes: 500 },
    s5r3: { random: 0, expert: 0.9539, episodes: 500 },
    s6r3: { random: 0, expert: 0.9636, episodes: 500 },
  },
  'minigrid-lava-crossing': {
    s9n1: { random: 0.003, expert: 0.9606, episodes: 500 },
    s9n2: { random: 0.0005, expert: 0.9563, episodes: 500 },
    s9n3: { random: 0, expert: 0.9544, episodes: 500 },
    s11n5: { random: 0, expert: 0.9594, episodes: 500 },
  },
  'minigrid-lava-gap': {
    s7: { random: 0.009, expert: 0.9523, episodes: 500 },
    s6: { random: 0.017, expert: 0.9482, episodes: 500 },
    s5: { random: 0.0376, expert: 0.946, episodes: 500 },
  },
  'minigrid-locked-room': {
    standard: { random: 0, expert: 0.8138, episodes: 500, published: 0 },
    '13x13': { random: 0, expert: 0.793, episodes: 500 },
  },
  'minigrid-maze': {
    'walls-25': { random: 0.1135, expert: 0.9542, episodes: 500 },
    'walls-60': { random: 0.0929, expert: 0.8051, episodes: 500 },
    named: { random: 0, expert: 0.7433, episodes: 500 },
    'sixteen-rooms': { random: 0.0007, expert: 0.9064, episodes: 500 },
    labyrinth: { random: 0, expert: 0.5932, episodes: 500 },
  },
  'minigrid-memory': {
    s7: { random: 0.1671, expert: 0.9833, episodes: 500 },
    s9: { random: 0.1616, expert: 0.9877, episodes: 500 },
    s11: { random: 0.1848, expert: 0.9904, episodes: 500 },
    s13: { random: 0.1864, expert: 0.9925, episodes: 500 },
    's13-random': { random: 0.2338, expert: 0.9936, episodes: 500 },
    's17-random': { random: 0.2682, expert: 0.9957, episodes: 500 },
  },
  'minigrid-multi-room': {
    'n4-s5': { random: 0, expert: 0.7712, episodes: 500, published: 0 },
    'n2-s4': { random: 0.0093, expert: 0.8428, episodes: 500 },
    n6: { random: 0, expert: 0.6554, episodes: 500 },
  },
  'minigrid-obstructed-maze': {
    '1dl': { random: 0.0003, expert: 0.9416, episodes: 500 },
    '1dlh': { random: 0.0002, expert: 0.9376, episodes: 500 },
    '1dlhb': { random: 0, expert: 0.9148, episodes: 500 },
    '2dl': { random: 0.0058, expert: 0.9697, episodes: 500 },
    '2dlh': { random: 0.0037, expert: 0.9677, episodes: 500 },
    '2dlhb': { random: 0.0015, expert: 0.9564, episodes: 500 },
    '1q': { random: 0.0001, expert: 0.9543, episodes: 500 },
    '2q': { random: 0.0099, expert: 0.984, episodes: 500 },
    full: { random: 0.0134, expert: 0.9913, episodes: 500 },
  },
  'minigrid-playground': {
    standard: { random: 0, expert: 0, episodes: 500 },
  },
  'minigrid-put-near': {
    '6x6-n2': { random: 0.004, expert: 0.7987, episodes: 500, published: 0.612 },
    '8x8-n3': { random: 0.0027, expert: 0.7883, episodes: 500 },
  },
  'minigrid-red-blue-doors': {
    '8x8': { random: 0.0465, expert: 0.9879, episodes: 500 },
    '6x6': { random: 0.0637, expert: 0.984, episodes: 500, published: 0.86 },
  },
  'minigrid-simple-crossing': {
    s9n1: { random: 0.0191, expert: 0.9606, episodes: 500 },
    s9n2: { random: 0.0088, expert: 0.9563, episodes: 500 },
    s9n3: { random: 0.0084, expert: 0.9544, episodes: 500 },
    s11n5: { random: 0.0063, expert: 0.9594, episodes: 500 },
  },
  'minigrid-unlock': {
    standard: { random: 0.0251, expert: 0.9704, episodes: 500, published: 0.963 },
  },
  'minigrid-unlock-pickup': {
    standard: { random: 0.0019, expert: 0.9417, episodes: 500 },
  },
};
