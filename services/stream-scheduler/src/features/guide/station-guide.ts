import type { GuideBlock, GuideRow, GuideTrack, StationGuide } from '@looptide/contracts/http/guide'
import { summarizeArtists } from '@looptide/playhead/artist-summary'
import type { CachedText } from '@looptide/service-kit/cached-text'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/cursor'
import type { KnownChannel, KnownProgramme, TimelineMemory } from '../../timeline/timeline-memory.ts'
import { CachedTexts } from './cached-texts.ts'
import { type Block, guideBlocks } from './guide-blocks.ts'
import { programmesBetween } from './now-text.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** How far ahead each track is named (ms), and how many at most. */
const SOON_MS = 11 * MINUTE_MS
const MOST_SOON = 60
/** Windows kept as text: a few for each zone's hour, and pages of them. */
const MOST_TEXTS = 32

export interface GuideWindow {
  fromMs: number
  hours: number
  limit: number
  cursor?: string | undefined
}

/**
 * The guide of all active channels, as JSON text that is made once for all who ask until the next minute or until
 * one of the channels shown changes.
 */
export class StationGuideTexts {
  readonly #memory: TimelineMemory
  readonly #texts = new CachedTexts(MOST_TEXTS)

  constructor(memory: TimelineMemory) {
    this.#memory = memory
  }

  /** Throws `invalid_cursor`. */
  answer(window: GuideWindow, nowMs: number): Promise<CachedText> {
    const { fromMs, hours, limit, cursor = '' } = window
    const { shown, nextCursor } = this.#page(limit, window.cursor)
    const minuteMs = nowMs - (nowMs % MINUTE_MS)
    const signature = JSON.stringify([minuteMs, nextCursor, ...shown.map(({ facts }) => markOf(facts))])
    return this.#texts.get(`${fromMs} ${hours} ${limit} ${cursor}`, signature, () => {
      const toMs = fromMs + hours * HOUR_MS
      const items = shown.map((channel) => this.#row(channel, fromMs, toMs, minuteMs))
      const guide: StationGuide = { fromMs, toMs, items, nextCursor }
      return JSON.stringify(guide)
    })
  }

  #page(limit: number, cursor: string | undefined) {
    const [position, id] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, ['number', 'string'])
    const isAfter = ({ facts }: KnownChannel): boolean =>
      facts.position > position || (facts.position === position && facts.id > id)
    const rest = activeChannels(this.#memory).filter(isAfter)
    const shown = rest.slice(0, limit)
    const last = shown.at(-1)?.facts
    const more = rest.length > limit && last !== undefined
    return { shown, nextCursor: more ? encodeCursor([last.position, last.id]) : null }
  }

  #row({ facts, programmes }: KnownChannel, fromMs: number, toMs: number, nowMs: number): GuideRow {
    const present = (programme: KnownProgramme): GuideTrack => {
      const { title, artistName } = this.#memory.present(facts.id, programme).video
      return { title, artistName, startsAtMs: programme.startsAtMs, endsAtMs: programme.endsAtMs }
    }
    const inWindow = programmesBetween(programmes, fromMs, toMs, programmes.length)
    return {
      channelId: facts.id,
      name: facts.name,
      description: facts.description,
      status: facts.status,
      timelineVersion: facts.timelineVersion,
      endsAtMs: facts.endsAtMs,
      nowAndNext: programmesBetween(programmes, nowMs, nowMs + SOON_MS, MOST_SOON).map(present),
      blocks: guideBlocks(inWindow, fromMs, true).map((block) => presentBlock(block, present)),
    }
  }
}

/** The channels a guide shows, in their order. */
export function activeChannels(memory: TimelineMemory): KnownChannel[] {
  return memory.list().filter(({ facts }) => facts.isActive)
}

/** Whatever of a channel's row a guide is made from: another mark, another guide. */
export function markOf({ id, name, description, status, timelineVersion, nextSeq }: KnownChannel['facts']) {
  return [id, name, description, status, timelineVersion, nextSeq]
}

function presentBlock(
  block: Block<KnownProgramme>,
  present: (programme: KnownProgramme) => GuideTrack,
): GuideBlock {
  const { id, startsAtMs, endsAtMs, programmes } = block
  const tracks = programmes.map(present)
  return {
    id,
    startsAtMs,
    endsAtMs,
    trackCount: tracks.length,
    ...summarizeArtists(tracks.map(({ artistName }) => artistName)),
    title: tracks.length === 1 ? (tracks[0]?.title ?? null) : null,
  }
}
