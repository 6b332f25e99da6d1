import { dateLocale } from './date-locale.ts'
/** An instant (epoch ms) as hours and minutes, in the viewer's time zone and format. */
export const clockTime = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit' })
