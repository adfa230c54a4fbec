/** Where the usual moment is not the one to show: by environment, or by environment/preset. Fields as in tools/pictures.mjs, USUAL. */
export const MOMENTS = {
  cartpole: { steps: 9, policy: 'random', seed: 5 },
};
