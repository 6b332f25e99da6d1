import type { LogProgramme } from '@looptide/contracts/http/log'
import { programmeTitle } from '../model/sentences.ts'
import { dateIn, exactTimeIn } from '../model/zoned-time.ts'

/** A row of the log: a programme, or the heading of a date such as `2026-11-27`. */
export type LogRow = { date: string } | { programme: LogProgramme }

/** The rows of programmes in their order, with a heading before the first one of each date of a time zone. */
export function rowsOf(programmes: readonly LogProgramme[], timeZone: string): LogRow[] {
  let last: string | undefined
  return programmes.flatMap((programme): LogRow[] => {
    const date = dateIn(timeZone, Date.parse(programme.startsAt))
    if (date === last) return [{ programme }]
    last = date
    return [{ date }, { programme }]
  })
}

/** The programmes whose title, artist, block, source or time contains each word of a text. */
export function findProgrammes(
  programmes: readonly LogProgramme[],
  text: string,
  timeZone: string,
): readonly LogProgramme[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return programmes
  return programmes.filter((programme) => {
    const { artistName, blockName, reason, startsAt } = programme
    const time = exactTimeIn(timeZone, Date.parse(startsAt))
    const all = [time, programmeTitle(programme), artistName, blockName, reason.source]
      .join(' ')
      .toLowerCase()
      // Times have a narrow space in some languages.
      .replace(/\s/g, ' ')
    return words.every((word) => all.includes(word))
  })
}
