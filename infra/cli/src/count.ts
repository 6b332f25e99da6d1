/** As in "1 video" and "2 videos". */
export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
