/** Own robots as files. */
import { type Inspection, inspectRobot, keepCard } from '#client/workers/robots.ts';
import { fail } from '#contract/kit/errors.ts';
import { isZip, ZipError, zipEntries } from '#contract/kit/zip.ts';
import { isMjcf, LARGEST_ZIP, MOST_ENTRIES } from '#contract/link/robot.ts';

/** Whether a file is an MJCF model, or a zip of one and none of the workbench's own files. */
export async function holdsRobot(file: File): Promise<boolean> {
  if (/\.(xml|mjcf|urdf)$/i.test(file.name)) return true;
  if (file.size > LARGEST_ZIP || !/\.zip$/i.test(file.name)) return false;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isZip(bytes)) return isMjcf(new TextDecoder().decode(bytes.subarray(0, 20_000)));
  try {
    const names = zipEntries(bytes, MOST_ENTRIES).map(({ name }) => name);
    return names.some((name) => /\.(xml|mjcf)$/i.test(name)) && !names.some((name) => /(^|\/)(run|index)\.json$/.test(name));
  } catch (error) {
    if (error instanceof ZipError) return false; // the reader of projects says what is wrong with it
    throw error;
  }
}

/** Reads a dropped file. Rejects with LabError('file-invalid') naming what is wrong. */
export async function robotOfFile(file: File): Promise<Inspection> {
  if (file.size > LARGEST_ZIP)
    throw fail('file-invalid', `"${file.name}" has ${file.size.toLocaleString('en')} bytes.`, 'A robot may have 60,000,000, zipped.');
  const inspection = await inspectRobot({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  keepCard(inspection);
  return inspection;
}
