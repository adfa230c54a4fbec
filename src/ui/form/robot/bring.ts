/** Puts a robot from a file into the set-up, with the task that suits it; one step to undo. */
import { holdsRobot, robotOfFile } from '#client/own/robots.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { ROBOT_ENV } from '#contract/link/robot.ts';
import { draftStore, unlessLater } from '#stores/draft.ts';
import { LAB } from '#stores/route.ts';
import { toast } from '#ui/kit/toasts.ts';
import { clearAllBad } from '../invalid.ts';

export { holdsRobot };

/** What is wrong with the file, or ''; said in a toast too. */
export async function bringRobot(file: File): Promise<string> {
  toast(`Reading ${file.name}.`);
  try {
    const read = await unlessLater(robotOfFile(file));
    if (read === null) return '';
    const { robot, card } = read;
    const { config, setEnv, setAll } = draftStore.getState();
    clearAllBad();
    if (config.env.id !== ROBOT_ENV) setEnv(ROBOT_ENV);
    const values: JsonObject = { robot: { ...robot }, ...card.task };
    setAll(Object.fromEntries(Object.entries(values).map(([field, value]) => [`env.${field}`, value])));
    if (location.hash === '' || /^#\/(?!lab$)/.test(location.hash)) location.hash = LAB; // another page lies over the laboratory
    const [note = ''] = card.notes;
    toast(`${card.name}: ${card.motors.length} actuators, ${card.positions} positions. Choose its task, then run. ${note}`.trim());
    return '';
  } catch (error) {
    const { message, fix } = toFailure(error);
    toast(`${message} ${fix}`, { tone: 'caution' });
    return `${message} ${fix}`;
  }
}
