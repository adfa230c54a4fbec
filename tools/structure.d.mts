export interface Structure {
  readonly files: { readonly [kind: string]: { readonly [id: string]: number } };
  readonly rooms: { readonly [room: string]: number };
  readonly casts: { readonly reads: number; readonly readsAsNumber: number; readonly others: number };
  readonly arrows: number;
  readonly upward: { readonly [arrow: string]: number };
  readonly lists: { readonly [kind: string]: readonly string[] };
}

export function measure(root?: string): Structure;
export function violations(
  found: Structure,
  limits: {
    readonly newcomer: { readonly [kind: string]: number };
    readonly files: Structure['files'];
    readonly casts: { readonly [name: string]: number };
    readonly upward: Structure['upward'];
    readonly lists: Structure['lists'];
  },
): readonly string[];

export interface Rooms {
  readonly rooms: { readonly [room: string]: number };
  readonly imports: { readonly [room: string]: ReadonlySet<string> };
  readonly order: readonly string[];
}

export function measureRooms(root?: string): Rooms;
