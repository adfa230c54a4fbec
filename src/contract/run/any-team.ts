/** Which policies act in teams of any size. */
import { isObject, type JsonObject } from '../kit/json.ts';

/** Whether a method with these settings learns parameters that belong to no place of the observation and to no agent. */
export const takesAnyTeam = ({ body, sharing }: JsonObject): boolean =>
  isObject(body) && body.kind === 'entities' && sharing !== 'independent';
