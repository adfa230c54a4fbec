/** Environments in Python by their ids. */

/** How an environment in Python is asked for: MODULE:NAME or a registered id, its arguments, and parts of observations to leave out. */
export interface GymAsked {
  readonly name: string;
  readonly args: { readonly [name: string]: unknown };
  readonly leave: readonly string[];
}

const PREFIX = 'gym-';

/** Whether the id of an environment is that of one in Python, which the catalogue does not have. */
export const isGymEnv = (id: string): boolean => id.startsWith(PREFIX);

/** Its id: the name in plain letters, and of what is asked besides the beginning of a digest. `sha256` gives hex digits. */
export function gymId({ name, args, leave }: GymAsked, sha256: (text: string) => string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  const rest = JSON.stringify([name, args, leave]);
  return `${PREFIX}${plain}-${sha256(rest).slice(0, 6)}`;
}
