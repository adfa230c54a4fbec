/**
 * A robot that a person brings: an MJCF text and the files it names, as they stand in the settings of the environment `mujoco-robot`, and so
 * in links, run folders and project files. Everything is bounded here before it is unpacked; what the text itself may ask for is bounded in
 * core/envs/mujoco/lib/robot/check.ts.
 */

import { deflateSync } from 'fflate';
import { z } from 'zod';
import { FIRST_ISSUE, recordOf } from '../kit/bounded.ts';
import { fromBase64, textOf, toBase64 } from '../kit/bytes.ts';
import { fail, LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { isZip, ZipError, zipEntries } from '../kit/zip.ts';

/** Environment that such a robot is trained in. */
export const ROBOT_ENV = 'mujoco-robot';

/** Characters of an MJCF text. */
const LONGEST_MJCF = 200_000;
/** Files beside it, and the bytes of all of them, packed as in the settings (base64 of deflate) and unpacked. */
const MOST_FILES = 400;
const MOST_PACKED = 32_000_000;
const MOST_UNPACKED = 48_000_000;
const LONG_TO_PACK = 12_000_000;
/** Bytes of a zip as it is dropped: pictures in it are not kept. */
export const LARGEST_ZIP = 60_000_000;
export const MOST_ENTRIES = 5000;

const fileName = z.string().min(1).max(200);

export const robotSchema = z
  .strictObject({
    /** What the file was called. */
    name: z.string().max(100),
    mjcf: z.string().max(LONGEST_MJCF),
    /** By their paths as seen from the text's folder ('../meshes/arm.stl'); each deflated, base64. */
    files: recordOf(z.string().max(MOST_PACKED), MOST_FILES, fileName).refine(
      (files) => Object.values(files).reduce((sum, text) => sum + text.length, 0) <= MOST_PACKED,
      `The files of a robot have at most ${MOST_PACKED.toLocaleString('en')} characters together.`,
    ),
  })
  .readonly();

export type Robot = z.infer<typeof robotSchema>;

/** A file as it was dropped. */
export interface RobotFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a page shows of a robot. */
export interface RobotCard {
  readonly name: string;
  /** That move. */
  readonly bodies: number;
  readonly positions: number;
  /** kg. */
  readonly mass: number;
  readonly motors: readonly string[];
  readonly sites: readonly string[];
  /** s. */
  readonly timestep: number;
  /** Of one step of the physics where it was measured. */
  readonly stepMs: number;
  /** Of the first moving body at the start, m. */
  readonly height: number;
  /** Sentences on what the model does not say and was chosen for it. */
  readonly notes: readonly string[];
  /** Settings of the environment that suit it. */
  readonly task: { readonly [field: string]: number | string | null };
}

const wrong = (message: string, fix: string): LabError => fail('file-invalid', message, fix, 'env.robot');

/** A model, or a part of one that it includes. */
const TEXT = /\.(xml|mjcf)$/i;
/** Files that a text names and MuJoCo reads: meshes, and heights of a ground in a picture or as numbers. Pictures of surfaces stay behind. */
const NAMED_FILE = /<(\w+)\b[^>]*?\sfile\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const MESH = /\.(stl|obj|msh)$/i;

/** Whether a text reads like MJCF. */
export const isMjcf = (text: string): boolean => /<mujoco[\s>/]/.test(text.slice(0, 20_000));

/**
 * A robot from a file: an MJCF text, or a zip of one and its meshes. Of several texts `scene.xml` is taken, else the one that no other
 * includes. Throws LabError('file-invalid') naming what is too large or missing.
 */
export function readRobot(name: string, bytes: Uint8Array): Robot {
  const title = name
    .replace(/^.*[\\/]/, '')
    .replace(/\.(xml|mjcf|zip)$/i, '')
    .slice(0, 100);
  if (!isZip(bytes)) {
    if (bytes.length > 4 * LONGEST_MJCF) throw tooLong(name, bytes.length);
    return checkedText({ name: title, mjcf: textOf(bytes), files: {} }, name);
  }
  if (bytes.length > LARGEST_ZIP)
    throw wrong(`"${name}" has ${bytes.length.toLocaleString('en')} bytes.`, 'A zip of a robot may have 60,000,000.');
  const found = unzipped(name, bytes);
  const texts = [...found.keys()].filter((path) => TEXT.test(path) && isMjcf(text(found, path)));
  if (texts.length === 0) throw wrong(`"${name}" has no MJCF file.`, 'Put the .xml file and its meshes into one zip.');
  const all = texts.map((path) => text(found, path)).join('\n');
  const free = texts.filter((path) => !new RegExp(`file\\s*=\\s*["'][^"']*${escaped(base(path))}["']`, 'i').test(all));
  const main = free.find((path) => base(path).toLowerCase() === 'scene.xml') ?? free.sort(byDepth)[0] ?? texts.sort(byDepth)[0]!;
  const folder = main.slice(0, main.length - base(main).length);
  const files: { [path: string]: string } = {};
  let packed = 0;
  // the best packing takes seconds for tens of megabytes; what could be read before is packed as before, so that it keeps its hash
  const level = [...found.values()].reduce((sum, { length }) => sum + length, 0) > LONG_TO_PACK ? 4 : 9;
  for (const [path, content] of found) {
    if (path === main) continue;
    const deflated = toBase64(deflateSync(content, { level }));
    packed += deflated.length;
    if (packed > MOST_PACKED)
      throw wrong(
        `The meshes of "${name}" have more than ${MOST_PACKED.toLocaleString('en')} characters when they are packed.`,
        'Leave out meshes that only look good, or make them coarser: capsules and boxes move the same way and are faster.',
      );
    files[pathFrom(folder, path)] = deflated;
  }
  return checkedText({ name: title, mjcf: text(found, main), files }, main);
}

/** A path of the zip as a text in `folder` ('' or ending in '/') names it: '../' for each folder above. */
function pathFrom(folder: string, path: string): string {
  const from = folder.split('/').slice(0, -1);
  const to = path.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

const text = (found: ReadonlyMap<string, Uint8Array>, path: string): string => textOf(found.get(path) ?? new Uint8Array());
const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const byDepth = (a: string, b: string): number => a.split('/').length - b.split('/').length || (a < b ? -1 : 1);

const tooLong = (name: string, length: number): LabError =>
  wrong(`"${name}" has ${length.toLocaleString('en')} characters.`, `An MJCF text may have ${LONGEST_MJCF.toLocaleString('en')}.`);

function checkedText(robot: Robot, name: string): Robot {
  if (robot.mjcf.length > LONGEST_MJCF) throw tooLong(name, robot.mjcf.length);
  if (!isMjcf(robot.mjcf))
    throw wrong(
      `"${name}" is no MJCF file: it has no <mujoco> element.`,
      'Give a model of MuJoCo. A URDF file becomes one with MuJoCo’s own compile program.',
    );
  const parsed = robotSchema.safeParse(robot, FIRST_ISSUE);
  if (!parsed.success) throw wrong(parsed.error.issues[0]?.message ?? 'The file is too large.', 'Make the robot smaller.');
  return parsed.data;
}

/** What is kept of a zip, unpacked within bounds: texts, and what they name. */
function unzipped(name: string, bytes: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let left = MOST_UNPACKED;
  const keep = (wanted: (path: string) => boolean): void => {
    for (const raw of zipEntries(bytes, MOST_ENTRIES)) {
      const entry = { ...raw, name: raw.name.replaceAll('\\', '/') }; // some programs on Windows write them
      if (!wanted(entry.name) || found.has(entry.name) || /(^|\/)(__MACOSX|\.)/.test(entry.name)) continue;
      if (found.size > MOST_FILES)
        throw wrong(`"${name}" has more than ${MOST_FILES} meshes and texts.`, 'Leave out what the robot does not use.');
      if (entry.size > left) throw unpacksTooFar(entry.name);
      const content = entry.method === 0 ? entry.packed : inflate(entry.packed, left);
      left -= content.length;
      if (left < 0) throw unpacksTooFar(entry.name);
      found.set(entry.name, content);
    }
  };
  try {
    keep((path) => TEXT.test(path));
    const named = new Set<string>();
    for (const path of found.keys())
      for (const [, element = '', one, other] of text(found, path).matchAll(NAMED_FILE)) {
        const file = base((one ?? other ?? '').replaceAll('\\', '/')).toLowerCase(); // Windows does not tell cases apart
        if (MESH.test(file) || element === 'hfield') named.add(file);
      }
    keep((path) => named.has(base(path).toLowerCase()));
  } catch (error) {
    if (error instanceof LabError) throw error;
    if (error instanceof RangeError && error.message === 'too large') throw unpacksTooFar(name);
    const why = error instanceof ZipError || error instanceof RangeError ? error.message : String(error);
    throw wrong(`"${name}" cannot be unpacked: ${why}.`, 'Make the zip anew.');
  }
  return found;
}

const unpacksTooFar = (name: string): LabError =>
  wrong(
    `"${name}" unpacks to more than the ${MOST_UNPACKED.toLocaleString('en')} bytes that a robot may have.`,
    'Leave out meshes that only look good, or make them coarser.',
  );

/** The files of a robot, unpacked. Throws LabError('file-invalid'). */
export function robotFiles({ files }: Robot): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  let left = MOST_UNPACKED;
  for (const [name, text] of Object.entries(files)) {
    const packed = fromBase64(text);
    try {
      if (packed === null) throw new RangeError('it is not base64');
      const content = inflate(packed, left);
      left -= content.length;
      found.set(name, content);
    } catch (error) {
      if (error instanceof RangeError && error.message === 'too large') throw unpacksTooFar(name);
      throw wrong(`The file "${name.slice(0, 100)}" of the robot is damaged.`, 'Give the robot’s own file again.');
    }
  }
  return found;
}
