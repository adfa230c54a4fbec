/** Numbers in descriptions of frames. */

/** Named numbers: "order 0.75, mean speed 1.2."; '' where there are none. */
export function numbers(names: readonly string[], frame: Float32Array, from: number): string {
  return names.length === 0 ? '' : `${names.map((name, i) => `${name} ${figure(frame[from + i]!)}`).join(', ')}.`;
}

/** At most two digits behind the point. */
export function figure(value: number): string {
  return String(Number(value.toFixed(2)));
}

export function metres(value: number): string {
  return `${value.toFixed(2)} m`;
}
