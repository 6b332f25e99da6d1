import type { CachedText } from '@looptide/service-kit/http/cached-text'
import type { CachedChannel, TimelineCache } from '../../timeline/timeline-cache.ts'
import { guideBlocks } from './guide-blocks.ts'
import { guideCalendar } from './guide-calendar.ts'
import { findChannel, programmesBetween } from './now-response.ts'
import { activeChannels, versionKey } from './station-guide.ts'
import { TextCache } from './text-cache.ts'
import { xmltv } from './xmltv.ts'

const HOUR_MS = 3_600_000
/** Length of both feeds (ms). Timelines are always longer. */
const FEED_MS = 24 * HOUR_MS
/** Most channels in the XMLTV file. A thousand would be hundreds of megabytes. */
const MAX_CHANNELS = 100
/** Most cached calendars, of a few kilobytes each. */
const MAX_CALENDARS = 100

/** The guide as XMLTV and iCalendar, rendered from the timelines that viewers see, and cached. */
export class GuideFeeds {
  readonly #timelines: TimelineCache
  readonly #siteUrl: string
  readonly #xmltv = new TextCache(1)
  readonly #calendars = new TextCache(MAX_CALENDARS)

  constructor(timelines: TimelineCache, siteUrl: string) {
    this.#timelines = timelines
    this.#siteUrl = siteUrl
  }

  /** All active channels from the current hour (UTC), as XMLTV. */
  xmltv(nowMs: number): Promise<CachedText> {
    const fromMs = hourOf(nowMs)
    const channels = activeChannels(this.#timelines).slice(0, MAX_CHANNELS)
    const signature = JSON.stringify([fromMs, ...channels.map(({ row }) => versionKey(row))])
    return this.#xmltv.get('xmltv', signature, () =>
      xmltv(
        channels.map((channel) => {
          const { id, name } = channel.row
          return { id, name, programmes: this.#programmes(channel, fromMs, fromMs + FEED_MS) }
        }),
        this.#siteUrl,
      ),
    )
  }

  /** One channel from the current hour (UTC), as iCalendar. Throws `not_found`. */
  async calendar(id: string, nowMs: number): Promise<CachedText> {
    const channel = await findChannel(this.#timelines, id)
    const fromMs = hourOf(nowMs)
    return this.#calendars.get(id, JSON.stringify([fromMs, versionKey(channel.row)]), () => {
      // With the cached past, so that the block that contains the start is complete and keeps its id.
      const programmes = this.#programmes(channel, 0, fromMs + FEED_MS)
      const blocks = guideBlocks(programmes, fromMs, false).filter(({ endsAtMs }) => endsAtMs > fromMs)
      return guideCalendar({ channel: channel.row, blocks, stampMs: fromMs, siteUrl: this.#siteUrl })
    })
  }

  #programmes(channel: CachedChannel, fromMs: number, toMs: number) {
    const programmes = programmesBetween(channel.programmes, fromMs, toMs, channel.programmes.length)
    return programmes
      .map((programme) => this.#timelines.present(channel.row.id, programme))
      .filter((programme) => programme.kind === 'video')
  }
}

const hourOf = (epochMs: number): number => epochMs - (epochMs % HOUR_MS)
