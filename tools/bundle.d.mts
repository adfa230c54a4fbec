export function bundleHome(name: string, project: string): string;
export function bundle(name: string): Promise<string>;
