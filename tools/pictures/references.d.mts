export interface Reference {
  readonly name: string;
  readonly env: string;
  readonly preset: string;
  readonly wish: { readonly steps: number };
}

export const FOLDER: string;
export const REFERENCES: readonly Reference[];
