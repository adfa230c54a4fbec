export function textsIn(source: string): readonly string[];
export function textsOfPage(): readonly string[];
