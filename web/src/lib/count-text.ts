import { dateLocale } from './time/date-locale.ts'

const format = new Intl.NumberFormat(dateLocale)

/** A number, its digits grouped as the viewer's variant of English groups them: "4,900". */
export const numberText = (value: number): string => format.format(value)

/** A number with its noun: "1 video", "4,900 videos". */
export const countText = (count: number, noun: string): string =>
  `${numberText(count)} ${count === 1 ? noun : `${noun}s`}`
