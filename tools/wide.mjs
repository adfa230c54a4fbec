/** A short run whose products are large enough to be divided among threads: SAC of 256 x 256 at batch 256. */
export const WIDE =
  '#env=pendulum&algo=sac&steps=800&algo.hidden=[256,256]&algo.criticHidden=[256,256]&algo.batchSize=256&algo.learningStarts=100&seeds=1&run.evalEpisodes=1';
