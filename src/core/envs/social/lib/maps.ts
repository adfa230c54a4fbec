/**
 * Grounds of the social dilemmas as rows of letters: # wall, . free, P start, A apple; in Cleanup H waste, R river, S stream and B
 * where apples grow. Free water and waste can be walked on.
 */
export const HARVEST = {
  /** 16 x 38, `sequential_social_dilemma_games` at 0207821. */
  harvest: [
    '######################################',
    '#.P...P......A....P.AAAAA....P..A.P..#',
    '#..P.....A.P.AA....P....AAA....A..A..#',
    '#.....A.AAA..AAA....A....A.AA.AAAA...#',
    '#.A..AAA.A....A..A.AAA..A..A...A.A...#',
    '#AAA..A.A....A..AAA.A..AAA........A.P#',
    '#.A.A..AAA..AAA..A.A....A.AA...AA.AA.#',
    '#..A.A..AAA....A.A..AAA....AAA..A....#',
    '#...AAA..A......AAA..A....AAAA.......#',
    '#.P..A.......A..A.AAA....A..A......P.#',
    '#A..AAA..A..A..AAA.A....AAAA.....P...#',
    '#....A.A...AAA..A.A......A.AA...A..P.#',
    '#.....AAA...A.A..AAA......AA...AAA.P.#',
    '#.A....A.....AAA..A..P..........A....#',
    '#.......P.....A.........P..P.P.....P.#',
    '######################################',
  ],
  /** 18 x 24, commons_harvest__open of Melting Pot at 81ee2e7; its two inner starts are starts like the others. */
  open: [
    '########################',
    '#AAA....A......A....AAA#',
    '#AA....AAA....AAA....AA#',
    '#A....AAAAA..AAAAA....A#',
    '#......AAA....AAA......#',
    '#.......A......A.......#',
    '#..A................A..#',
    '#.AAA..P........P..AAA.#',
    '#AAAAA............AAAAA#',
    '#.AAA..............AAA.#',
    '#..A................A..#',
    '#......................#',
    '#......................#',
    '#......................#',
    '#..PPPPPPPPPPPPPPPPPP..#',
    '#.PPPPPPPPPPPPPPPPPPPP.#',
    '#PPPPPPPPPPPPPPPPPPPPPP#',
    '########################',
  ],
  /** Four patches of five apples, for two or three. */
  small: [
    '#############',
    '#P.........P#',
    '#...A...A...#',
    '#..AAA.AAA..#',
    '#...A...A...#',
    '#...........#',
    '#...A...A...#',
    '#..AAA.AAA..#',
    '#...A...A...#',
    '#P.........P#',
    '#############',
  ],
} as const;

export const CLEANUP = {
  /** 25 x 18, `sequential_social_dilemma_games` at 0207821. */
  cleanup: [
    '##################',
    '#RRRRRR.....BBBBB#',
    '#HHHHHH......BBBB#',
    '#RRRRRR.....BBBBB#',
    '#RRRRR..P....BBBB#',
    '#RRRRR....P.BBBBB#',
    '#HHHHH.......BBBB#',
    '#RRRRR......BBBBB#',
    '#HHHHHHSSSSSSBBBB#',
    '#HHHHHHSSSSSSBBBB#',
    '#RRRRR...P.P.BBBB#',
    '#HHHHH...P..BBBBB#',
    '#RRRRRR....P.BBBB#',
    '#HHHHHH.P...BBBBB#',
    '#RRRRR.......BBBB#',
    '#HHHH....P..BBBBB#',
    '#RRRRR.......BBBB#',
    '#HHHHH..P.P.BBBBB#',
    '#RRRRR.......BBBB#',
    '#HHHH.......BBBBB#',
    '#RRRRR.......BBBB#',
    '#HHHHH......BBBBB#',
    '#RRRRR.......BBBB#',
    '#HHHH.......BBBBB#',
    '##################',
  ],
  /** A short river and 21 cells of orchard, for two or three. */
  small: [
    '#############',
    '#HHR.P...BBB#',
    '#RHR.....BBB#',
    '#HHRSSSSSBBB#',
    '#RHR.....BBB#',
    '#HRR..P..BBB#',
    '#RHR.....BBB#',
    '#HRR.P...BBB#',
    '#############',
  ],
} as const;

export const GATHERING = {
  /** 31 x 11 inside its walls: a heap of 13 apples in the middle, as drawn in the paper. */
  gathering: [
    '#################################',
    '#...............................#',
    '#.....P...................P.....#',
    '#...............................#',
    '#...............A...............#',
    '#..............AAA..............#',
    '#.....P.......AAAAA.......P.....#',
    '#..............AAA..............#',
    '#...............A...............#',
    '#...............................#',
    '#.....P...................P.....#',
    '#...............................#',
    '#################################',
  ],
  /** Five apples. */
  small: [
    '###############',
    '#.............#',
    '#.P...........#',
    '#......A......#',
    '#.P...AAA...P.#',
    '#......A......#',
    '#...........P.#',
    '#.............#',
    '###############',
  ],
} as const;
