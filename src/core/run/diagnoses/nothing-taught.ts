/**
 * Updates that weigh nothing: every answer, or step, that is learned from has an advantage of 0, so that no reward moves the parameters. It
 * happens where whole groups earn the same, or are dropped from the averages.
 */
import { getAt } from '#contract/run/paths.ts';
import { fieldName, type Rule, type RunSettings } from './types.ts';

/** Of the budget: at first a policy from nothing earns the same everywhere until it meets its first reward. */
const EARLY = 0.1;

export const nothingTaught: Rule = {
  id: 'nothing-taught',
  title: 'The updates teach nothing',
  over: 'Updates teach again.',
  look(s) {
    if (s.share < EARLY || !s.returnDropped || s.median('taught') !== 0 || s.median('successes') > 0) return null;
    const dropped = getAt(s.algo, ['dropUniform', 'by']);
    return {
      evidence: [
        'In most of the last updates no advantage was other than 0, so that no reward moved the parameters.',
        dropped === 'verifier'
          ? 'Groups count only where some answers are right and some are wrong, and hardly any are.'
          : 'All that is compared with each other earned the same.',
        s.harm(),
      ],
      sure: 'certain',
      ways: [
        ...(dropped === 'verifier'
          ? [{ text: `${fieldName(s, 'dropUniform.by')} reward`, path: 'algo.dropUniform.by', value: 'reward', begin: 'state' } as const]
          : []),
        ...cloned(s),
      ],
    };
  },
};

/** A start that copies demonstrations, where the method has one that is not used. */
function cloned(s: RunSettings) {
  const begin = 'start' as const;
  if (getAt(s.algo, ['cloning', 'kind']) === 'off')
    return [{ text: `${fieldName(s, 'cloning')} on`, path: 'algo.cloning.kind', value: 'on', begin }];
  if (getAt(s.algo, ['cloneSteps']) === 0)
    return [{ text: `${fieldName(s, 'cloneSteps')} 180`, path: 'algo.cloneSteps', value: 180, begin }];
  return [];
}
