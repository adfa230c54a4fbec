/**
 * Standardised recordings in which some observations hardly vary: dividing by their deviation stretches the least difference in play to
 * many units, where the networks have never been.
 */
import { fieldName, type Rule, say, setting } from './types.ts';

export const steadyData: Rule = {
  id: 'steady-data',
  title: 'Observations of the recording hardly vary and are stretched',
  over: 'Observations are stretched no longer.',
  look(s) {
    const count = s.median('steadyObs');
    const floor = setting(s, 'normaliseObs.floor');
    if (!(count > 0) || floor === undefined) return null;
    return {
      evidence: [
        `${say(count)} numbers of the observation vary by less than ${say(10 * floor)} in the recording; each is divided by its deviation.`,
        'A small difference in play becomes a large one to the networks.',
      ],
      sure: 'possible',
      ways: [
        { text: `${fieldName(s, 'normaliseObs')} off`, path: 'algo.normaliseObs.kind', value: 'off', begin: 'start' },
        { text: `${fieldName(s, 'normaliseObs.floor')} 1`, path: 'algo.normaliseObs.floor', value: 1, begin: 'start' },
      ],
      fault: 'algo.normaliseObs',
    };
  },
};
