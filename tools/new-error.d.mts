export class NewError extends Error {}
