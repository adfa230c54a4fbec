/** Titles of what a person wrote, by their ids: apart from those of the catalogue, which load all of it. */
const titles = new Map<string, string>();

export const giveTitle = (id: string, title: string): void => void titles.set(id, title);
export const ownTitle = (id: string): string | undefined => titles.get(id);
