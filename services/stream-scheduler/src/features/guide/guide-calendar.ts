import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { formatArtistSummary, summarizeArtists } from '@looptide/playhead/artist-summary'
import { formatDuration } from '@looptide/playhead/duration'
import { ICalCalendar, ICalEventTransparency } from 'ical-generator'
import type { Block } from './guide-blocks.ts'
import { plainText } from './plain-text.ts'

interface CalendarProgramme {
  startsAtMs: number
  endsAtMs: number
  video: ProgrammeVideo
}

export interface GuideCalendar {
  channel: { id: string; name: string; description: string | null; timelineVersion: number }
  blocks: readonly Block<CalendarProgramme>[]
  /** When the events were last set down (epoch ms). */
  stampMs: number
  siteUrl: string
}

/** How often a calendar should ask again (s). */
const REFRESH_S = 3600
/** Tracks that an event's description names; a channel of very short clips has hundreds an hour. */
const MOST_TRACKS = 60

/**
 * A channel's guide as iCalendar (RFC 5545): one event per block — an hour, or a long programme — since four hundred
 * three-minute events a day would bury everything else in a calendar. The tracks stand in the description, by
 * length and without clock times, for a description knows no time zone. An event's UID is its place in the guide, so
 * an edit changes the event instead of adding another one.
 */
export function guideCalendar({ channel, blocks, stampMs, siteUrl }: GuideCalendar): string {
  const url = new URL(`/live?channel=${channel.id}`, siteUrl).href
  const { hostname } = new URL(siteUrl)
  const calendar = new ICalCalendar({
    prodId: { company: 'Looptide', product: 'Guide', language: 'EN' },
    ttl: REFRESH_S,
    url,
    // Not as `name` and `description`: the library escapes these and not those.
    x: [
      ['X-WR-CALNAME', plainText(channel.name)],
      ['X-WR-CALDESC', plainText(channel.description ?? '')],
    ],
  })
  for (const { id, startsAtMs, endsAtMs, programmes } of blocks) {
    calendar.createEvent({
      id: `${channel.id}.${id}@${hostname}`,
      sequence: channel.timelineVersion,
      stamp: new Date(stampMs),
      start: new Date(startsAtMs),
      end: new Date(endsAtMs),
      summary: plainText(summaryOf(programmes)),
      description: plainText(trackList(programmes)),
      transparency: ICalEventTransparency.TRANSPARENT,
      url,
    })
  }
  return calendar.toString()
}

function summaryOf(programmes: readonly CalendarProgramme[]): string {
  const [first, second] = programmes
  if (first !== undefined && second === undefined) return `${first.video.title} – ${first.video.artistName}`
  return formatArtistSummary(summarizeArtists(programmes.map(({ video }) => video.artistName)))
}

function trackList(programmes: readonly CalendarProgramme[]): string {
  const lines = programmes
    .slice(0, MOST_TRACKS)
    .map((p) => `${p.video.title} – ${p.video.artistName} (${formatDuration(p.endsAtMs - p.startsAtMs)})`)
  const more = programmes.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}
