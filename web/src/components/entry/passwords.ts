/** What the server asks of a password; it checks it again. */

export const SHORTEST_PASSWORD = 10
