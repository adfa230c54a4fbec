/** What tests do by night only, as `npm run test:night` asks (test.mjs), or more of by night. */

export const NIGHT = process.env.RL_NIGHT === '1';

/** Draws of one test of chances: by day enough that a probability which is wrong by some per cent shows, by night five times as many. */
export const DRAWS = NIGHT ? 100_000 : 20_000;
