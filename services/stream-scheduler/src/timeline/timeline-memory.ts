import { setTimeout as pause } from 'node:timers/promises'
import type { Programme, ProgrammeVideo } from '@looptide/contracts/http/channels'
import { dropPast } from '@looptide/playhead/programme'
import type { ChannelRow, ProgrammeRow, Store } from '../db/schema.ts'
import { type Mark, readChannels, readProgrammesSince, readVideos } from './memory-repository.ts'
import { presentVideo } from './present-programme.ts'
import { programmeId } from './programme-id.ts'
import { KEEP_PAST_MS } from './rules.ts'

/** A programme as memory keeps it: small, for there are hundreds of thousands. */
export interface KnownProgramme {
  id: string
  seq: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
}

/** A channel as this process knows it. */
export interface KnownChannel {
  readonly facts: ChannelRow
  /** From three hours back to the end, in order. */
  readonly programmes: readonly KnownProgramme[]
}

/** Channels whose programmes are read in one query. */
const CHUNK = 50
/** Reading what is new takes some milliseconds. */
const SETTLE_MS = 500

/**
 * What is on, in memory: every request is answered from here. It follows the database by the versions in the
 * channels' rows (looked at every second, and at once when an event tells of a change), and reads only
 * what is new. While Postgres is away it goes on with the hours it holds.
 */
export class TimelineMemory {
  readonly #db: Store
  readonly #now: () => number
  readonly #channels = new Map<string, KnownChannel>()
  readonly #videos = new Map<string, { version: number; video: ProgrammeVideo }>()
  #refreshing: Promise<void> = Promise.resolve()

  constructor(db: Store, now: () => number) {
    this.#db = db
    this.#now = now
  }

  get(channelId: string): KnownChannel | undefined {
    return this.#channels.get(channelId)
  }

  all(): KnownChannel[] {
    return [...this.#channels.values()]
  }

  /** All channels by position. */
  list(): KnownChannel[] {
    return this.all().sort(
      (a, b) => a.facts.position - b.facts.position || (a.facts.id < b.facts.id ? -1 : 1),
    )
  }

  present(channelId: string, programme: KnownProgramme): Programme {
    const { id, seq, videoId, startsAtMs, endsAtMs } = programme
    const known = this.#videos.get(videoId)
    if (known === undefined) throw new Error(`programme ${id} shows a video that was not read`)
    return { id, channelId, seq, videoId, startsAtMs, endsAtMs, video: known.video }
  }

  /** Follows the database: all channels, or those named. One at a time; a later call sees what an earlier missed. */
  refresh(channelIds?: readonly string[]): Promise<void> {
    const next = this.#refreshing.catch(() => undefined).then(() => this.#refresh(channelIds))
    this.#refreshing = next
    return next
  }

  /**
   * Resolves when what is being read has been read, but within `mostMs`: whoever asks because an event has told of a
   * change must not be answered with what was before it, and must be answered while Postgres is away.
   */
  async settled(mostMs = SETTLE_MS): Promise<void> {
    const giveUp = new AbortController()
    const late = pause(mostMs, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined)
    await Promise.race([this.#refreshing.catch(() => undefined), late])
    giveUp.abort()
  }

  async #refresh(channelIds: readonly string[] | undefined): Promise<void> {
    const rows = await readChannels(this.#db, channelIds)
    const found = new Set(rows.map((row) => row.id))
    for (const id of channelIds ?? this.#channels.keys()) if (!found.has(id)) this.#channels.delete(id)
    const moved = rows.filter((row) => this.#hasMoved(row))
    for (let at = 0; at < moved.length; at += CHUNK) await this.#readTimelines(moved.slice(at, at + CHUNK))
    for (const facts of rows) {
      const programmes = this.#channels.get(facts.id)?.programmes ?? []
      this.#channels.set(facts.id, { facts, programmes })
    }
    if (channelIds === undefined) this.#forgetVideos()
  }

  #hasMoved(row: ChannelRow): boolean {
    const known = this.#channels.get(row.id)?.facts
    if (known === undefined) return true
    return known.timelineVersion !== row.timelineVersion || known.nextSeq !== row.nextSeq
  }

  async #readTimelines(rows: readonly ChannelRow[]): Promise<void> {
    const marks = rows.map((row) => this.#mark(row))
    const fresh = Map.groupBy(await readProgrammesSince(this.#db, marks), (row) => row.channelId)
    await this.#readVideos([...fresh.values()].flat())
    for (const facts of rows) {
      const added = fresh.get(facts.id) ?? []
      const from = added[0]?.seq ?? facts.nextSeq
      const kept = (this.#channels.get(facts.id)?.programmes ?? []).filter(
        (programme) => programme.seq < from && facts.endsAtMs !== null,
      )
      const programmes = dropPast([...kept, ...added.map(toKnown)], this.#now(), KEEP_PAST_MS)
      this.#channels.set(facts.id, { facts, programmes })
    }
  }

  /** What of the channel's timeline is known already. A store that was set back is read from the start. */
  #mark(row: ChannelRow): Mark {
    const known = this.#channels.get(row.id)?.facts
    const trusted =
      known !== undefined &&
      known.timelineVersion <= row.timelineVersion &&
      known.createdAt.getTime() === row.createdAt.getTime()
    return {
      channelId: row.id,
      version: trusted ? known.timelineVersion : -1,
      nextSeq: trusted ? known.nextSeq : 0,
    }
  }

  async #readVideos(programmes: readonly ProgrammeRow[]): Promise<void> {
    const wanted = new Set<string>()
    for (const { videoId, videoVersion } of programmes) {
      const known = this.#videos.get(videoId)
      if (known === undefined || known.version < videoVersion) wanted.add(videoId)
    }
    for (const row of await readVideos(this.#db, [...wanted])) {
      this.#videos.set(row.id, { version: row.version, video: presentVideo(row) })
    }
  }

  /** Now and then: texts of videos that no programme shows any more. */
  #forgetVideos(): void {
    const programmes = [...this.#channels.values()].reduce(
      (sum, channel) => sum + channel.programmes.length,
      0,
    )
    if (this.#videos.size <= programmes + 1000) return
    const shown = new Set([...this.#channels.values()].flatMap((c) => c.programmes.map((p) => p.videoId)))
    for (const id of this.#videos.keys()) if (!shown.has(id)) this.#videos.delete(id)
  }
}

function toKnown(row: ProgrammeRow): KnownProgramme {
  const { seq, videoId, startsAtMs, endsAtMs } = row
  return { id: programmeId(row), seq, videoId, startsAtMs, endsAtMs }
}
