import { readFile } from 'node:fs/promises'
import { ScheduleDocument } from '@looptide/contracts/schedule'
import { dayNumber, isoDate } from '@looptide/planner/local-days'
import { requestSlotsOf } from '@looptide/planner/segment-sources'
import { idFromName } from '@looptide/service-kit/db/ids'
import type { Kysely } from 'kysely'
import { Parse } from 'typebox/value'
import { parse } from 'yaml'
import type { NewChannel } from '../channels/channel-repository.ts'
import type { Database } from '../db/schema.ts'
import { insertItems } from '../playlists/playlist-repository.ts'
import { insertVersion } from '../schedule/schedule-repository.ts'
import { updateChannel } from '../timeline/timeline-repository.ts'
import { startNewChannel } from './demo-channels.ts'

const DAY_MS = 86_400_000

/** The demo channel that follows a schedule. Its playlist has the Test Card clips, which need no internet access. */
const nightAndDay: NewChannel = {
  id: 'night-and-day',
  name: 'Night and Day',
  description: 'A programmed channel: shows, idents, a holiday and a chart show.',
  position: 3,
  seed: 'demo:night-and-day',
  createdBy: null,
}

/** The schedule of the demo channel, with its holiday and its special on their next dates after `nowMs` (epoch ms). */
export async function readDemoSchedule(nowMs: number): Promise<ScheduleDocument> {
  const text = await readFile(new URL('./night-and-day.yaml', import.meta.url), 'utf8')
  const document = Parse(ScheduleDocument, parse(text))
  const today = Math.floor(nowMs / DAY_MS)
  const specials = document.specials?.map((special) => {
    const [date = '', time = ''] = special.at.split('T')
    return { ...special, at: `${sameWeekdayAfter(date, today)}T${time}` }
  })
  const overrides = document.overrides?.map((override) => ({
    ...override,
    ...sameDatesAfter(override, today),
  }))
  return { ...document, ...(specials && { specials }), ...(overrides && { overrides }) }
}

/** The first date after `today` (a day number) with the weekday of `date`. */
function sameWeekdayAfter(date: string, today: number): string {
  const day = dayNumber(date) ?? 0
  return isoDate(today + 1 + ((((day - today - 1) % 7) + 7) % 7))
}

/** The dates in the first year in which they are not over. */
function sameDatesAfter({ from, to }: { from: string; to: string }, today: number) {
  const lastOf = (year: number) => dayNumber(`${year}${to.slice(4)}`) ?? 0
  const thisYear = Number(isoDate(today).slice(0, 4))
  const year = lastOf(thisYear) >= today ? thisYear : thisYear + 1
  return { from: `${year}${from.slice(4)}`, to: `${year}${to.slice(4)}` }
}

/**
 * Creates the programmed demo channel, publishes its schedule and starts it, once in the life of this database.
 *
 * @returns the ids of the channels that were started
 */
export async function seedNightAndDay(
  db: Kysely<Database>,
  testCardFiles: readonly string[],
  document: ScheduleDocument,
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (!(await startNewChannel(trx, nightAndDay))) return []
    const { id: channelId } = nightAndDay
    const videoIds = testCardFiles.map((file) => idFromName(`demo:${file}`))
    await insertItems(trx, channelId, videoIds, null)
    const version = await insertVersion(trx, { channelId, document, publishedBy: null, restoredFrom: null })
    const requestSlots = requestSlotsOf(document)
    const takesRequests = requestSlots.length > 0
    await updateChannel(trx, channelId, { scheduleVersion: version, requestSlots, takesRequests })
    return [channelId]
  })
}
