import type { GuideSpecial, ProgrammeBlock, ProgrammeVideo } from '@looptide/contracts/http/channels'
import { formatArtistSummary, summarizeArtists } from '@looptide/playhead/artist-summary'
import { formatDuration } from '@looptide/playhead/duration'
import { plainText } from '@looptide/service-kit/http/plain-text'
import { ICalCalendar, ICalEventTransparency } from 'ical-generator'
import { scheduleBlockId } from './guide-blocks.ts'

interface CalendarProgramme {
  startsAtMs: number
  endsAtMs: number
  video: ProgrammeVideo
}

export interface CalendarBlock {
  id: string
  startsAtMs: number
  endsAtMs: number
  /** The videos. */
  programmes: readonly CalendarProgramme[]
  /** The block of the schedule, if it is one. */
  block?: ProgrammeBlock | null
}

export interface GuideCalendar {
  channel: { id: string; name: string; description: string | null; timelineVersion: number }
  blocks: readonly CalendarBlock[]
  /** Specials after the blocks. */
  specials?: readonly GuideSpecial[]
  /** Time stamp of the events, DTSTAMP (epoch ms). */
  stampMs: number
  siteUrl: string
}

/** Interval at which a calendar should load the feed again (s). */
const REFRESH_S = 3600
const DAY_MS = 86_400_000
/** Maximum number of tracks named in an event's description. A channel of very short clips has hundreds an hour. */
const MAX_TRACKS = 60

/**
 * A channel's guide as iCalendar (RFC 5545), with one event per block (of the schedule, an hour, or a long programme): 400 three-minute
 * events a day would hide everything else in a calendar. The description lists the tracks with their lengths and without
 * times, since a description has no time zone. An event's UID is its place in the guide, so an edit changes the event
 * instead of adding another one. A calendar has at least one component (§3.4), so that of a channel without programmes has
 * an event that says so.
 */
export function guideCalendar({ channel, blocks, specials = [], stampMs, siteUrl }: GuideCalendar): string {
  const url = new URL(`/live?channel=${channel.id}`, siteUrl).href
  const { hostname } = new URL(siteUrl)
  const calendar = new ICalCalendar({
    prodId: { company: 'Looptide', product: 'Guide', language: 'EN' },
    ttl: REFRESH_S,
    url,
    // Not as `name` and `description`, which the library does not escape.
    x: [
      ['X-WR-CALNAME', plainText(channel.name)],
      ['X-WR-CALDESC', plainText(channel.description ?? '')],
    ],
  })
  const announced = specials.map((special): CalendarBlock => {
    const { startsAtMs, endsAtMs } = special
    const id = scheduleBlockId(`special-${special.id}`, startsAtMs)
    return { id, startsAtMs, endsAtMs, programmes: [], block: special }
  })
  const shown = [...blocks, ...announced]
  for (const { id, startsAtMs, endsAtMs, programmes, block } of shown.length > 0
    ? shown
    : [offAir(stampMs)]) {
    calendar.createEvent({
      id: `${channel.id}.${id}@${hostname}`,
      sequence: channel.timelineVersion,
      stamp: new Date(stampMs),
      start: new Date(startsAtMs),
      end: new Date(endsAtMs),
      summary: plainText(block?.name ?? summaryOf(programmes)),
      description: plainText(
        [...(block?.description ? [block.description, ''] : []), trackList(programmes)].join('\n'),
      ),
      transparency: ICalEventTransparency.TRANSPARENT,
      url,
    })
  }
  return calendar.toString()
}

function offAir(fromMs: number): CalendarBlock {
  const block = { id: 'off-air', name: 'Off the air', description: null, colour: null }
  const id = scheduleBlockId(block.id, fromMs)
  return { id, startsAtMs: fromMs, endsAtMs: fromMs + DAY_MS, programmes: [], block }
}

function summaryOf(programmes: readonly CalendarProgramme[]): string {
  const [first, second] = programmes
  if (first !== undefined && second === undefined) return `${first.video.title} – ${first.video.artistName}`
  return formatArtistSummary(summarizeArtists(programmes.map(({ video }) => video.artistName)))
}

function trackList(programmes: readonly CalendarProgramme[]): string {
  const lines = programmes
    .slice(0, MAX_TRACKS)
    .map((p) => `${p.video.title} – ${p.video.artistName} (${formatDuration(p.endsAtMs - p.startsAtMs)})`)
  const more = programmes.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}
