export const NO_GPU_FLAGS: string[];
export const BROWSER_FLAGS: string[];
export const HOW_TO_GET_ONE: string;
export function findBrowser(): Promise<string | null>;
export function onPath(name: string): boolean;
