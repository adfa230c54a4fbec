/** Which methods can act in an environment, and which cannot. */
export interface Fit {
  readonly algo: string;
  /** One-line reason for the recommendation. */
  readonly why: string;
  /** Id of the preset that fits where the usual settings do not. */
  readonly preset?: string;
}

export interface Fitting {
  /** Best first. */
  readonly fits: readonly Fit[];
  /** `why`: what keeps it from acting there. */
  readonly others: readonly { readonly algo: string; readonly why: string }[];
}
