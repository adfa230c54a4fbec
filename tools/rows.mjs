/**
 * JSON of measurements, one row a line, so that a new measurement changes only its own lines: a value whose text has at most ROW characters stands on
 * one line, a longer object or list has one line, or more, for each of its values. Lists of numbers and texts are never divided.
 */
const ROW = 1000;

const isPlain = (value) => typeof value !== 'object' || value === null;

function text(value, indent) {
  const line = JSON.stringify(value);
  if (isPlain(value) || line.length <= ROW || (Array.isArray(value) && value.every(isPlain))) return line;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((part) => text(part, inner))
    : Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${text(part, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** The text of a file, its last line ended. What JSON.stringify leaves out (undefined) is left out, and numbers that are not finite are null. */
export const jsonRows = (value) => `${text(JSON.parse(JSON.stringify(value)), '')}\n`;
