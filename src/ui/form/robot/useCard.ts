/** What the robot in a setting has, once a worker has compiled it. */
import { useEffect, useState } from 'react';
import { robotCard } from '#client/workers/robots.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type RobotCard, robotSchema } from '#contract/link/robot.ts';

export interface Looked {
  /** null: none yet, or none could be made. */
  readonly card: RobotCard | null;
  /** Why none could be made, or ''. */
  readonly problem: string;
}

const NOTHING: Looked = { card: null, problem: '' };

export function useCard(value: unknown): Looked {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    setState(NOTHING);
    const robot = robotSchema.safeParse(value);
    if (!robot.success) return;
    let live = true;
    robotCard(robot.data).then(
      (card) => live && setState({ card, problem: '' }),
      (error: unknown) => {
        const { message, fix } = toFailure(error);
        if (live) setState({ card: null, problem: `${message} ${fix}` });
      },
    );
    return () => {
      live = false;
    };
  }, [value]);
  return state;
}
