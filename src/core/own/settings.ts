/** The settings of a world as a config schema, the step limit among them. */
import { z } from 'zod';
import { maxStepsField } from '../envs/api/limits.ts';
import { isNumber, isObject, isWords, type Settings, show, type WorldForm, wrong } from './form.ts';

const SOURCE = 'own world';
/** Of a world, its reward's and its step limit among them; of a method. The page takes no longer list from the sandbox. */
const MAX_SETTINGS = 200;

const KEYS = ['default', 'min', 'max', 'whole', 'unit', 'options', 'title', 'about'];

/** Throws LabError('world-invalid') naming the setting. */
export function configOf(form: WorldForm): z.ZodType<Settings> {
  if (Object.hasOwn(form.settings ?? {}, 'maxSteps'))
    throw wrong('settings.maxSteps', 'The step limit is a setting of every world.', 'Give its default beside "settings": maxSteps: 200.');
  const fields = { maxSteps: maxStepsField(form.maxSteps ?? 1000, SOURCE), ...settingFields(form.settings, 1) };
  return z.strictObject(fields) as unknown as z.ZodType<Settings>;
}

/** A field of a config schema for each setting of a definition, which has `others` beside them. Throws LabError('world-invalid') naming the setting. */
export function settingFields(settings: unknown, others = 0): { readonly [name: string]: z.ZodType } {
  if (settings !== undefined && !isObject(settings))
    throw wrong('settings', '"settings" is not an object.', 'Write settings: { name: { default: 1, min: 0, max: 2 } }.');
  const given = Object.entries<unknown>(settings ?? {});
  const free = MAX_SETTINGS - others;
  if (given.length > free)
    throw wrong('settings', `There are ${given.length} settings, and ${free} fit here.`, 'Leave some out, or make several of them one.');
  const fields: { [name: string]: z.ZodType } = {};
  for (const [name, setting] of given) {
    if (!/^[a-z]\w{0,39}$/i.test(name))
      throw wrong(`settings.${name}`, `"${name.slice(0, 40)}" is no name for a setting.`, 'Use letters and digits, a letter first.');
    fields[name] = fieldOf(`settings.${name}`, name, setting);
  }
  return fields;
}

function fieldOf(field: string, name: string, setting: unknown): z.ZodType {
  if (!isObject(setting))
    throw wrong(field, `The setting "${name}" is ${show(setting)}.`, `Write ${name}: { default: 1, min: 0, max: 2 }.`);
  const other = Object.keys(setting).find((key) => !KEYS.includes(key));
  if (other !== undefined)
    throw wrong(field, `The setting "${name}" has a member "${other.slice(0, 40)}".`, `Members are: ${KEYS.join(', ')}.`);
  const text = (key: string, otherwise: string): string =>
    typeof setting[key] === 'string' ? (setting[key] as string).slice(0, 300) : otherwise;
  const title = text('title', words(name));
  const about = text('about', '');
  const meta = { title, ...(about !== '' && { description: about }), source: SOURCE };
  const { default: standard, min, max, options } = setting;
  if (typeof standard === 'boolean') return z.boolean().default(standard).meta(meta);
  if (typeof standard === 'string') {
    if (!isWords(options) || options.length > 50 || !options.includes(standard))
      throw wrong(
        field,
        `The setting "${name}" is a word without the words it may be.`,
        `Write ${name}: { default: 'calm', options: ['calm', 'windy'] }.`,
      );
    return z
      .enum(options as [string, ...string[]])
      .default(standard)
      .meta(meta);
  }
  if (!isNumber(standard) || !isNumber(min) || !isNumber(max) || !(min <= standard && standard <= max))
    throw wrong(field, `The setting "${name}" needs a default between min and max.`, `Write ${name}: { default: 1, min: 0, max: 2 }.`);
  const whole = setting.whole === true;
  if (whole && !Number.isInteger(standard))
    throw wrong(field, `The default of "${name}" is not a whole number.`, 'Change it, or leave "whole" out.');
  const unit = typeof setting.unit === 'string' ? { unit: setting.unit.slice(0, 40) } : {};
  return (whole ? z.int() : z.number())
    .min(min)
    .max(max)
    .default(standard)
    .meta({ ...meta, ...unit });
}

/** 'windSpeed' as 'wind speed'. */
const words = (name: string): string => name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
