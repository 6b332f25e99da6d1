/** "1 video", "2 videos"; irregular plurals are passed in. */
export const count = (number: number, what: string, plural = `${what}s`): string =>
  `${number} ${number === 1 ? what : plural}`
