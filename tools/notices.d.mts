export function notices(): string | null;
