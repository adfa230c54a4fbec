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
    readonly files: { readonly [kind: string]: number };
    readonly casts: { readonly [name: string]: number };
  },
): readonly string[];

export interface Rooms {
  readonly rooms: { readonly [room: string]: number };
  readonly imports: { readonly [room: string]: ReadonlySet<string> };
  readonly order: readonly string[];
}

export function measureRooms(root?: string): Rooms;
