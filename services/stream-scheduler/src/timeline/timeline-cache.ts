import { setTimeout as pause } from 'node:timers/promises'
import type {
  GuideSpecial,
  Programme,
  ProgrammeBlock,
  ProgrammeVideo,
} from '@looptide/contracts/http/channels'
import { dropPast } from '@looptide/playhead/programme'
import type { ChannelRow, ProgrammeRow, Store, StoredReason } from '../db/schema.ts'
import { BlockCache, type ScheduleDocuments, type ScheduledBlock } from './block-cache.ts'
import { presentReason, presentVideo } from './present-programme.ts'
import { programmeId } from './programme-id.ts'
import { KEEP_PAST_MS } from './rules.ts'
import {
  type ReadPosition,
  readChannels,
  readProgrammesSince,
  readVideos,
} from './timeline-cache-repository.ts'

/** A cached programme. It holds few fields, since there are hundreds of thousands of them. */
export interface CachedProgramme {
  id: string
  seq: number
  kind: Programme['kind']
  videoId: string | null
  startsAtMs: number
  endsAtMs: number
  offsetMs: number
  /** Null for a programme of a loop. */
  reason: StoredReason | null
}

export interface CachedChannel {
  readonly row: ChannelRow
  /** From three hours ago to the end of the timeline, in order. */
  readonly programmes: readonly CachedProgramme[]
}

/** A block of a schedule is at most a day long, in ms. */
const LONGEST_BLOCK_MS = 86_400_000
/** Channels whose programmes are read in one query. */
const CHUNK = 50
/** Longest wait for a refresh in progress (ms). Reading changes takes a few milliseconds. */
const MAX_SETTLE_MS = 500

/**
 * The channels and their timelines, in memory. Every viewer's request is answered from here. The cache follows the
 * versions in the channels' rows, every second and after each event of a change, and reads only what has changed. While
 * Postgres is unavailable, it returns the cached hours.
 */
export class TimelineCache {
  readonly #db: Store
  readonly #now: () => number
  readonly #channels = new Map<string, CachedChannel>()
  readonly #videos = new Map<string, { version: number; video: ProgrammeVideo }>()
  readonly #blocks: BlockCache
  #refreshing: Promise<void> = Promise.resolve()

  constructor(db: Store, now: () => number, schedules: ScheduleDocuments) {
    this.#db = db
    this.#now = now
    this.#blocks = new BlockCache(db, schedules)
  }

  get(channelId: string): CachedChannel | undefined {
    return this.#channels.get(channelId)
  }

  all(): CachedChannel[] {
    return [...this.#channels.values()]
  }

  /** All channels by position. */
  list(): CachedChannel[] {
    return this.all().sort((a, b) => a.row.position - b.row.position || (a.row.id < b.row.id ? -1 : 1))
  }

  present(channelId: string, programme: CachedProgramme): Programme {
    const { id, seq, kind, videoId, startsAtMs, endsAtMs, offsetMs, reason } = programme
    const placement = { id, channelId, seq, startsAtMs, endsAtMs, block: this.blockOf(channelId, programme) }
    if (kind !== 'video') {
      const ident = reason?.ident ?? null
      const previous = ident === 'previous' ? this.#videoBefore(channelId, seq) : null
      return { ...placement, kind, ident, previous, videoId: null, video: null }
    }
    const cached = this.#videos.get(videoId ?? '')
    if (cached === undefined || videoId === null) {
      throw new Error(`the video of programme ${id} is not in the timeline cache`)
    }
    const { video } = cached
    return {
      ...placement,
      kind,
      videoId,
      video: offsetMs === 0 ? video : { ...video, startAtMs: video.startAtMs + offsetMs },
      ...(reason?.takeover?.isLive && { isLive: true as const }),
      reason: presentReason(reason),
    }
  }

  /** The last video before a programme; null if it is too long ago to be cached. */
  #videoBefore(channelId: string, seq: number): ProgrammeVideo | null {
    const programmes = this.get(channelId)?.programmes ?? []
    const index = seq - (programmes[0]?.seq ?? seq)
    const before = programmes.slice(0, Math.max(index, 0)).findLast(({ kind }) => kind === 'video')
    return this.#videos.get(before?.videoId ?? '')?.video ?? null
  }

  /** The block or special that a programme belongs to, with its present name. */
  blockOf(channelId: string, { reason }: CachedProgramme): ProgrammeBlock | null {
    const channel = this.get(channelId)
    return reason === null || channel === undefined ? null : this.#blocks.find(channel.row, reason)
  }

  /** The specials of a channel's schedule that overlap [fromMs, toMs); none while it is off the air. */
  specialsOf(channelId: string, fromMs: number, toMs: number): GuideSpecial[] {
    const row = this.get(channelId)?.row
    if (row === undefined || row.status === 'idle') return []
    const specials = this.#blocks.specials(row)
    return specials.filter(({ startsAtMs, endsAtMs }) => startsAtMs < toMs && endsAtMs > fromMs)
  }

  /**
   * The blocks of a channel's schedule from the end of its timeline to `toMs`; none while it is off the air. Each is
   * complete, also beyond `toMs`.
   */
  scheduledAfterTimeline(channelId: string, toMs: number): ScheduledBlock[] {
    const row = this.get(channelId)?.row
    if (row === undefined || row.status === 'idle' || row.endsAtMs === null || row.endsAtMs >= toMs) return []
    const scheduled = this.#blocks.scheduled(row, row.endsAtMs, toMs + LONGEST_BLOCK_MS)
    return scheduled.filter(({ startMs }) => startMs < toMs)
  }

  /** The first block or special from `fromMs` to `toMs` that starts to the second; null while the channel is off the air. */
  nextHardStart(
    channelId: string,
    fromMs: number,
    toMs: number,
  ): { name: string; startsAtMs: number } | null {
    const row = this.get(channelId)?.row
    if (row === undefined || row.status === 'idle') return null
    const next = this.#blocks
      .scheduled(row, fromMs, toMs)
      .find(({ isHardStart, startMs }) => isHardStart && startMs > fromMs)
    return next === undefined ? null : { name: next.block.name, startsAtMs: next.startMs }
  }

  /** Reads the changes of all channels, or of these. Calls run one after another, so a later one sees later changes. */
  refresh(channelIds?: readonly string[]): Promise<void> {
    const next = this.#refreshing.catch(() => undefined).then(() => this.#refresh(channelIds))
    this.#refreshing = next
    return next
  }

  /**
   * Resolves when the refresh in progress has ended, or after `maxMs`. A client that requests because of an event must
   * not receive the state before the change, and must receive an answer while Postgres is unavailable.
   */
  async settled(maxMs = MAX_SETTLE_MS): Promise<void> {
    const abort = new AbortController()
    const timeout = pause(maxMs, undefined, { signal: abort.signal, ref: false }).catch(() => undefined)
    await Promise.race([this.#refreshing.catch(() => undefined), timeout])
    abort.abort()
  }

  async #refresh(channelIds: readonly string[] | undefined): Promise<void> {
    const rows = await readChannels(this.#db, channelIds)
    const found = new Set(rows.map((row) => row.id))
    for (const id of channelIds ?? this.#channels.keys()) if (!found.has(id)) this.#channels.delete(id)
    const changed = rows.filter((row) => this.#hasChanged(row))
    for (let at = 0; at < changed.length; at += CHUNK) {
      await this.#readTimelines(changed.slice(at, at + CHUNK))
    }
    for (const row of rows) {
      const programmes = this.#channels.get(row.id)?.programmes ?? []
      this.#channels.set(row.id, { row, programmes })
    }
    if (channelIds === undefined) this.#dropUnusedVideos()
  }

  #hasChanged(row: ChannelRow): boolean {
    const cached = this.#channels.get(row.id)?.row
    if (cached === undefined) return true
    return cached.timelineVersion !== row.timelineVersion || cached.nextSeq !== row.nextSeq
  }

  async #readTimelines(rows: readonly ChannelRow[]): Promise<void> {
    const positions = rows.map((row) => this.#readPosition(row))
    const changed = Map.groupBy(await readProgrammesSince(this.#db, positions), (row) => row.channelId)
    await this.#readVideos([...changed.values()].flat())
    await this.#blocks.read(rows, [...changed.values()].flat())
    for (const row of rows) {
      const added = changed.get(row.id) ?? []
      const fromSeq = added[0]?.seq ?? row.nextSeq
      const kept = (this.#channels.get(row.id)?.programmes ?? []).filter(
        (programme) => programme.seq < fromSeq && row.endsAtMs !== null,
      )
      const programmes = dropPast([...kept, ...added.map(toCached)], this.#now(), KEEP_PAST_MS)
      this.#channels.set(row.id, { row, programmes })
    }
  }

  /** The part of the channel's timeline that is cached. A database that was set back is read from the start. */
  #readPosition(row: ChannelRow): ReadPosition {
    const cached = this.#channels.get(row.id)?.row
    const isValid =
      cached !== undefined &&
      cached.timelineVersion <= row.timelineVersion &&
      cached.createdAt.getTime() === row.createdAt.getTime()
    return {
      channelId: row.id,
      version: isValid ? cached.timelineVersion : -1,
      nextSeq: isValid ? cached.nextSeq : 0,
    }
  }

  async #readVideos(programmes: readonly ProgrammeRow[]): Promise<void> {
    const outdated = new Set<string>()
    for (const { videoId, videoVersion } of programmes) {
      if (videoId === null) continue
      const cached = this.#videos.get(videoId)
      if (cached === undefined || cached.version < videoVersion) outdated.add(videoId)
    }
    for (const row of await readVideos(this.#db, [...outdated])) {
      this.#videos.set(row.id, { version: row.version, video: presentVideo(row) })
    }
  }

  /** Drops the videos that no programme uses, once there are 1,000 more videos than programmes. */
  #dropUnusedVideos(): void {
    const programmes = [...this.#channels.values()].reduce(
      (sum, channel) => sum + channel.programmes.length,
      0,
    )
    if (this.#videos.size <= programmes + 1000) return
    const used = new Set([...this.#channels.values()].flatMap((c) => c.programmes.map((p) => p.videoId)))
    for (const id of this.#videos.keys()) if (!used.has(id)) this.#videos.delete(id)
  }
}

function toCached(row: ProgrammeRow): CachedProgramme {
  const { seq, kind, videoId, startsAtMs, endsAtMs, offsetMs, reason } = row
  return { id: programmeId(row), seq, kind, videoId, startsAtMs, endsAtMs, offsetMs, reason }
}
