/** "Catch", "Catch and CartPole", "Acrobot, Catch and CartPole"; "" for none. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
