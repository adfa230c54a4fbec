/** Texts of a source, in its order. */
export function textsIn(source: string): readonly string[];
/** Those of them that have a wording for one, by their wording for others. */
export function pluralsIn(source: string): readonly string[];
export function pluralsOfPage(): readonly string[];
export function textsOfPage(): { readonly page: readonly string[]; readonly lessons: readonly string[]; readonly why: readonly string[] };
