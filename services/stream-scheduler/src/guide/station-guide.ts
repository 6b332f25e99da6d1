import { SPECIALS_AHEAD_MS } from '@looptide/contracts/http/channels'
import type { GuideBlock, GuideRow, GuideTrack, StationGuide } from '@looptide/contracts/http/guide'
import { summarizeArtists } from '@looptide/playhead/artist-summary'
import type { CachedText } from '@looptide/service-kit/http/cached-text'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/http/cursor'
import type { CachedChannel, CachedProgramme, TimelineCache } from '../timeline/timeline-cache.ts'
import { withAnnouncedBlocks } from './announced-blocks.ts'
import { type Block, guideBlocks, scheduleBlockKey } from './guide-blocks.ts'
import { programmesBetween } from './now-response.ts'
import { TextCache } from './text-cache.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** The next tracks are listed individually: those of this time span (ms), and at most this many. */
const SOON_MS = 11 * MINUTE_MS
const MAX_SOON = 60
/** Maximum number of cached responses: time windows of several time zones, and their pages. */
const MAX_TEXTS = 32

export interface GuideWindow {
  fromMs: number
  hours: number
  limit: number
  cursor?: string | undefined
}

/**
 * The guide of all active channels as JSON text. A page is rendered once until the next minute, or until one of its
 * channels changes.
 */
export class StationGuideResponses {
  readonly #timelines: TimelineCache
  readonly #texts = new TextCache(MAX_TEXTS)

  constructor(timelines: TimelineCache) {
    this.#timelines = timelines
  }

  /** Throws `invalid_cursor`. */
  get(window: GuideWindow, nowMs: number): Promise<CachedText> {
    const { fromMs, hours, limit, cursor = '' } = window
    const { channels, nextCursor } = this.#page(limit, window.cursor)
    const minuteMs = nowMs - (nowMs % MINUTE_MS)
    const signature = JSON.stringify([minuteMs, nextCursor, ...channels.map(({ row }) => versionKey(row))])
    return this.#texts.get(`${fromMs} ${hours} ${limit} ${cursor}`, signature, () => {
      const toMs = fromMs + hours * HOUR_MS
      const items = channels.map((channel) => this.#row(channel, fromMs, toMs, minuteMs))
      const guide: StationGuide = { fromMs, toMs, items, nextCursor }
      return JSON.stringify(guide)
    })
  }

  #page(limit: number, cursor: string | undefined) {
    const [position, id] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, ['number', 'string'])
    const isAfter = ({ row }: CachedChannel): boolean =>
      row.position > position || (row.position === position && row.id > id)
    const rest = activeChannels(this.#timelines).filter(isAfter)
    const channels = rest.slice(0, limit)
    const last = channels.at(-1)?.row
    const hasMore = rest.length > limit && last !== undefined
    return { channels, nextCursor: hasMore ? encodeCursor([last.position, last.id]) : null }
  }

  #row({ row, programmes }: CachedChannel, fromMs: number, toMs: number, nowMs: number): GuideRow {
    const present = (programme: CachedProgramme): GuideTrack => {
      const { title = '', artistName = '' } = this.#timelines.present(row.id, programme).video ?? {}
      return { title, artistName, startsAtMs: programme.startsAtMs, endsAtMs: programme.endsAtMs }
    }
    const inWindow = withWholeBlocks(
      programmes,
      programmesBetween(programmes, fromMs, toMs, programmes.length),
    )
    const planned = guideBlocks(inWindow, fromMs, true, scheduleBlockKey).map((block) => ({
      ...presentBlock(block, present),
      block: this.#timelines.blockOf(row.id, block.programmes[0]),
    }))
    return {
      channelId: row.id,
      name: row.name,
      description: row.description,
      status: row.status,
      timelineVersion: row.timelineVersion,
      endsAtMs: row.endsAtMs,
      nowAndNext: programmesBetween(programmes, nowMs, nowMs + SOON_MS, MAX_SOON)
        .filter(isVideo)
        .map(present),
      blocks: withAnnouncedBlocks(planned, this.#timelines.scheduledAfterTimeline(row.id, toMs), fromMs),
      specials: this.#timelines.specialsOf(row.id, nowMs, nowMs + SPECIALS_AHEAD_MS),
    }
  }
}

const isVideo = ({ kind }: CachedProgramme): boolean => kind === 'video'

/** Adds the rest of the schedule's blocks at both ends of a window, so that they have their true times. */
function withWholeBlocks(
  programmes: readonly CachedProgramme[],
  inWindow: readonly CachedProgramme[],
): readonly CachedProgramme[] {
  const [first, last] = [inWindow[0], inWindow.at(-1)]
  const firstSeq = programmes[0]?.seq
  if (first === undefined || last === undefined || firstSeq === undefined) return inWindow
  const [firstKey, lastKey] = [scheduleBlockKey(first), scheduleBlockKey(last)]
  let from = first.seq - firstSeq
  let to = last.seq - firstSeq
  const keyAt = (index: number): string | null => {
    const programme = programmes[index]
    return programme === undefined ? null : scheduleBlockKey(programme)
  }
  if (firstKey !== null) while (keyAt(from - 1) === firstKey) from -= 1
  if (lastKey !== null) while (keyAt(to + 1) === lastKey) to += 1
  return programmes.slice(from, to + 1)
}

/** The channels of the guide, by position. */
export function activeChannels(timelines: TimelineCache): CachedChannel[] {
  return timelines.list().filter(({ row }) => row.isActive)
}

/** The columns of a channel's row that its guide depends on. If one changes, the guide is rendered again. */
export function versionKey({
  id,
  name,
  description,
  status,
  timelineVersion,
  scheduleVersion,
  nextSeq,
}: CachedChannel['row']) {
  return [id, name, description, status, timelineVersion, scheduleVersion, nextSeq]
}

function presentBlock(
  block: Block<CachedProgramme>,
  present: (programme: CachedProgramme) => GuideTrack,
): Omit<GuideBlock, 'block'> {
  const { id, startsAtMs, endsAtMs, programmes } = block
  const tracks = programmes.filter(isVideo).map(present)
  return {
    id,
    startsAtMs,
    endsAtMs,
    trackCount: tracks.length,
    ...summarizeArtists(tracks.map(({ artistName }) => artistName)),
    title: tracks.length === 1 ? (tracks[0]?.title ?? null) : null,
  }
}
