/** As in "1 video" and "2 videos"; a plural of another form is given. */
export const count = (number: number, what: string, plural = `${what}s`): string =>
  `${number} ${number === 1 ? what : plural}`
