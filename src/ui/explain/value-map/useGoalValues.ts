/** Values and shortest ways of the moment on the stage: of a game that goes on too, and of every policy that is shown while it learns. */
import { useEffect, useState } from 'react';
import { explain } from '#client/explain/service.ts';
import { game } from '#client/stage/service.ts';
import { GOAL_VALUES, type GoalPlane, type GoalValues } from '#contract/explain/goal-values.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { stageStore } from '#stores/stage.ts';

const LOOK_MS = 250;

interface Asked {
  readonly found: GoalValues | null;
  readonly failed: string;
}

/** `way`: steps along the shortest way after which a value must be higher. `withPlane`: also where the places lie by the values. */
export function useGoalValues(way: number, withPlane: boolean): Asked {
  const [asked, setAsked] = useState<Asked>({ found: null, failed: '' });
  useEffect(() => {
    let open = true;
    let busy = false;
    let answered: unknown[] = [];
    // it follows from policy and world alone, and costs sixteen maps: kept while the goal moves
    let plane: GoalPlane | null = null;
    let planeOf: unknown[] = [];
    const ask = async (): Promise<void> => {
      const { replay, t, length, policy, source } = stageStore.getState();
      const about = [replay ?? source, replay === null ? length : t, policy?.key];
      const under = [replay ?? source, policy?.key];
      const fresh = withPlane && (plane === null || under.some((one, i) => one !== planeOf[i]));
      if (busy || source === null || about.every((one, i) => one === answered[i])) return;
      busy = true;
      answered = about;
      try {
        const soFar = replay ?? (await game.soFar());
        const moment = soFar && { replay: soFar, t: replay === null ? soFar.reward.length : t };
        const answer = moment && (await explain.ask(GOAL_VALUES, { way, plane: fresh }, { along: true, moment }));
        if (fresh && answer) [plane, planeOf] = [answer.detail.plane, under];
        if (open && answer) setAsked({ found: { ...answer.detail, plane }, failed: '' });
      } catch (error) {
        const { message, fix } = toFailure(error);
        if (open) setAsked({ found: null, failed: `${message} ${fix}` });
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(() => void ask(), LOOK_MS);
    void ask();
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, [way, withPlane]);
  return asked;
}
