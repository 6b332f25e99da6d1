import type { CachedText } from '@looptide/service-kit/cached-text'
import type { KnownChannel, TimelineMemory } from '../../timeline/timeline-memory.ts'
import { CachedTexts } from './cached-texts.ts'
import { guideBlocks } from './guide-blocks.ts'
import { guideCalendar } from './guide-calendar.ts'
import { knownChannel, programmesBetween } from './now-text.ts'
import { activeChannels, markOf } from './station-guide.ts'
import { xmltv } from './xmltv.ts'

const HOUR_MS = 3_600_000
/** Both feeds reach this far ahead (ms): as far as the timeline is sure to. */
const FEED_MS = 24 * HOUR_MS
/** Most channels in the XMLTV file: a thousand of them would be hundreds of megabytes. */
const MOST_CHANNELS = 100
/** Calendars kept as text; a channel's is some kilobytes. */
const MOST_CALENDARS = 100

/** The guide for other programs, made from the rows that viewers see, once for all who ask. */
export class GuideFeeds {
  readonly #memory: TimelineMemory
  readonly #siteUrl: string
  readonly #xmltv = new CachedTexts(1)
  readonly #calendars = new CachedTexts(MOST_CALENDARS)

  constructor(memory: TimelineMemory, siteUrl: string) {
    this.#memory = memory
    this.#siteUrl = siteUrl
  }

  /** All active channels from the current hour (UTC) on, as XMLTV. */
  xmltv(nowMs: number): Promise<CachedText> {
    const fromMs = hourOf(nowMs)
    const channels = activeChannels(this.#memory).slice(0, MOST_CHANNELS)
    const signature = JSON.stringify([fromMs, ...channels.map(({ facts }) => markOf(facts))])
    return this.#xmltv.get('xmltv', signature, () =>
      xmltv(
        channels.map((channel) => {
          const { id, name } = channel.facts
          return { id, name, programmes: this.#programmes(channel, fromMs, fromMs + FEED_MS) }
        }),
        this.#siteUrl,
      ),
    )
  }

  /** One channel from the current hour (UTC) on, as iCalendar; throws `not_found`. */
  async calendar(id: string, nowMs: number): Promise<CachedText> {
    const channel = await knownChannel(this.#memory, id)
    const fromMs = hourOf(nowMs)
    return this.#calendars.get(id, JSON.stringify([fromMs, markOf(channel.facts)]), () => {
      // With the past that is still known: the hour before is whole then, and stays the event that it was.
      const programmes = this.#programmes(channel, 0, fromMs + FEED_MS)
      const blocks = guideBlocks(programmes, fromMs, false).filter(({ endsAtMs }) => endsAtMs > fromMs)
      return guideCalendar({ channel: channel.facts, blocks, stampMs: fromMs, siteUrl: this.#siteUrl })
    })
  }

  #programmes(channel: KnownChannel, fromMs: number, toMs: number) {
    const known = programmesBetween(channel.programmes, fromMs, toMs, channel.programmes.length)
    return known.map((programme) => this.#memory.present(channel.facts.id, programme))
  }
}

const hourOf = (epochMs: number): number => epochMs - (epochMs % HOUR_MS)
