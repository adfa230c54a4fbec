/**
 * Where claims of experiments went that a paper has taken in: experiment id -> paper and arm. Links, bookmarks and results carry these ids for
 * ever. The experiment stays openable under its id; its question is answered by the paper.
 */
export interface Alias {
  readonly paper: string;
  readonly arm: string;
}

export const aliases: { readonly [experiment: string]: Alias } = {
  'mansa-coin': { paper: 'P033', arm: 'learned' },
  'mansa-coin-always': { paper: 'P033', arm: 'always' },
  'mansa-coin-never': { paper: 'P033', arm: 'never' },
  'mansa-coin-random': { paper: 'P033', arm: 'random' },
  'hammer-messages': { paper: 'P078', arm: 'listener' },
  'hammer-random': { paper: 'P078', arm: 'listener-random' },
  'follow-plain': { paper: 'P042', arm: 'plain' },
  'ppo-drone-hover': { paper: 'P015', arm: 'ppo' },
  'sac-drone-hover': { paper: 'P015', arm: 'sac' },
};
