import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { guideChanged } from '../features/reminders/guide-repository.ts'

type GuideEvent =
  | Envelope<'stream.channel.updated.v1'>
  | Envelope<'stream.timeline.changed.v1'>
  | Envelope<'stream.timeline.extended.v1'>
  | Envelope<'stream.schedule.published.v1'>

/** Lets reminders of a channel follow its guide, which has changed. */
export const onGuideChanged =
  (now: () => number) =>
  (trx: Transaction<Database>, { data }: GuideEvent): Promise<void> => {
    const { channelId } = data
    const version = 'timelineVersion' in data ? data.timelineVersion : 0
    return guideChanged(trx, { channelId, version, now: new Date(now()) })
  }
