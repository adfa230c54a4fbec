/** Wrong arguments, with a message for the person who typed them. */
export class NewError extends Error {}
