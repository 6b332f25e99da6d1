import { type GuideSpecial, SPECIALS_AHEAD_MS, type VideoProgramme } from '@looptide/contracts/http/channels'
import type { CachedText } from '@looptide/service-kit/http/cached-text'
import type { CachedChannel, CachedProgramme, TimelineCache } from '../timeline/timeline-cache.ts'
import { guideBlocks, scheduleBlockKey } from './guide-blocks.ts'
import { type CalendarBlock, guideCalendar } from './guide-calendar.ts'
import { findChannel, programmesBetween } from './now-response.ts'
import { activeChannels, versionKey } from './station-guide.ts'
import { TextCache } from './text-cache.ts'
import { xmltv, xmltvProgrammes } from './xmltv.ts'

const HOUR_MS = 3_600_000
/** Length of the feeds from the current hour (ms). Timelines are always longer. Media centres need a day and a half. */
const XMLTV_MS = 37 * HOUR_MS
const CALENDAR_MS = 24 * HOUR_MS
/** Maximum number of channels in the XMLTV file. A thousand would be hundreds of megabytes. */
const MAX_CHANNELS = 100
/** Maximum number of cached calendars, of a few kilobytes each. */
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
          const toMs = fromMs + XMLTV_MS
          const programmes = this.#programmes(channel, fromMs, toMs).map((one) =>
            this.#timelines.present(id, one),
          )
          return {
            id,
            name,
            programmes: xmltvProgrammes(programmes),
            specials: this.#specials(id, fromMs, XMLTV_MS),
          }
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
      const programmes = this.#programmes(channel, 0, fromMs + CALENDAR_MS)
      const blocks = guideBlocks(programmes, fromMs, false, scheduleBlockKey)
        .filter(({ endsAtMs }) => endsAtMs > fromMs)
        .map(
          ({ programmes: [first, ...rest], ...span }): CalendarBlock => ({
            ...span,
            block: this.#timelines.blockOf(id, first),
            programmes: this.#videosOf(id, [first, ...rest]),
          }),
        )
        .filter((block) => block.block !== null || block.programmes.length > 0)
      const specials = this.#specials(id, fromMs, CALENDAR_MS)
      return guideCalendar({
        channel: channel.row,
        blocks,
        specials,
        stampMs: fromMs,
        siteUrl: this.#siteUrl,
      })
    })
  }

  #programmes(channel: CachedChannel, fromMs: number, toMs: number): CachedProgramme[] {
    return programmesBetween(channel.programmes, fromMs, toMs, channel.programmes.length)
  }

  #videosOf(channelId: string, programmes: readonly CachedProgramme[]): VideoProgramme[] {
    return programmes
      .map((programme) => this.#timelines.present(channelId, programme))
      .filter((programme) => programme.kind === 'video')
  }

  /** The specials after the programmes of a feed. */
  #specials(channelId: string, fromMs: number, feedMs: number): GuideSpecial[] {
    const specials = this.#timelines.specialsOf(channelId, fromMs, fromMs + SPECIALS_AHEAD_MS)
    return specials.filter(({ startsAtMs }) => startsAtMs >= fromMs + feedMs)
  }
}

const hourOf = (epochMs: number): number => epochMs - (epochMs % HOUR_MS)
