/** Texts of a source, in its order. */
export function textsIn(source: string): readonly string[];
export function textsOfPage(): { readonly page: readonly string[]; readonly lessons: readonly string[]; readonly why: readonly string[] };
