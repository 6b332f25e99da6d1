import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { PlaylistItem } from '@looptide/planner/library'
import { hasRequestSlot } from '@looptide/planner/segment-sources'
import { LRUCache } from 'lru-cache'
import type { ChannelRow, Store } from '../db/schema.ts'
import { type ChannelIdentity, type ScheduleDocuments, versionKeyOf } from '../timeline/block-cache.ts'
import type { ReplanMode } from '../timeline/programming.ts'
import type { Library, LibraryCache } from './library-cache.ts'
import { loopMaterial } from './loop-material.ts'
import { type LoopItem, loadItems, loadPlaylistItems } from './loop-repository.ts'
import type { ScheduleMaterial } from './schedule-material.ts'
import { ScheduleProgramming } from './schedule-programming.ts'
import { readVersion } from './schedule-repository.ts'

/** Maximum number of documents in memory. Most are a few kilobytes. */
const MAX_DOCUMENTS = 2000

interface ReaderConfig {
  /** Maximum length (ms) of the videos that the default channel plays without a playlist. */
  fallbackMaxMs: number
  /** Whether slots for viewers' requests play them; their fallbacks otherwise. */
  requests: 'on' | 'off'
}

/** Reads what a schedule is planned from. Documents of published versions do not change, so they are cached. */
export class ScheduleReader implements ScheduleDocuments {
  readonly #library: LibraryCache
  readonly #fallbackMaxMs: number
  readonly #takesRequests: boolean
  readonly #documents = new LRUCache<string, ScheduleDocument>({ max: MAX_DOCUMENTS })

  constructor(library: LibraryCache, { fallbackMaxMs, requests }: ReaderConfig) {
    this.#library = library
    this.#fallbackMaxMs = fallbackMaxMs
    this.#takesRequests = requests === 'on'
  }

  /** The programming of a channel with a published schedule. `own` replaces the channel's playlist in a simulation. */
  async programming(
    db: Store,
    channel: ChannelRow,
    mode: ReplanMode,
    own?: readonly LoopItem[],
  ): Promise<ScheduleProgramming> {
    const document = await this.document(db, channel, channel.scheduleVersion)
    const material = await this.material(db, channel, document, channel.scheduleVersion, own)
    return new ScheduleProgramming(channel, material, mode)
  }

  /** What a channel without a schedule is planned from: `items` in a loop, and what may be requested if it plays requests. */
  async loopMaterial(
    db: Store,
    { shuffleEnabled, requestEvery }: ChannelRow,
    items: readonly LoopItem[],
  ): Promise<ScheduleMaterial> {
    if (!this.#takesRequests || requestEvery === null) return loopMaterial(items, shuffleEnabled)
    return loopMaterial(items, shuffleEnabled, { every: requestEvery, library: await this.library(db) })
  }

  async document(db: Store, channel: ChannelIdentity, version: number): Promise<ScheduleDocument> {
    const document = await this.findDocument(db, channel, version)
    if (document === undefined) throw new Error(`channel ${channel.id} has no schedule version ${version}`)
    return document
  }

  async findDocument(
    db: Store,
    channel: ChannelIdentity,
    version: number,
  ): Promise<ScheduleDocument | undefined> {
    const key = versionKeyOf(channel, version)
    const cached = this.#documents.get(key)
    if (cached !== undefined) return cached
    const row = await readVersion(db, channel.id, version)
    if (row !== undefined) this.#documents.set(key, row.document)
    return row?.document
  }

  /** Whether a source of the channel's schedule is its own playlist. */
  async usesOwnPlaylist(db: Store, channel: ChannelRow): Promise<boolean> {
    const ids = playlistsOf(await this.document(db, channel, channel.scheduleVersion))
    return ids.has('') || ids.has(channel.id)
  }

  /** The playable videos. */
  library(db: Store): Promise<Library> {
    return this.#library.read(db)
  }

  async material(
    db: Store,
    channel: ChannelRow,
    document: ScheduleDocument,
    version: number,
    own?: readonly LoopItem[],
  ): Promise<ScheduleMaterial> {
    const library = await this.#library.read(db)
    const playlists = new Map<string, readonly PlaylistItem[]>()
    for (const id of playlistsOf(document)) {
      const isOwn = id === '' || id === channel.id
      const items = isOwn
        ? (own ?? (await loadItems(db, channel, this.#fallbackMaxMs)))
        : await loadPlaylistItems(db, id)
      playlists.set(id, items)
    }
    const takesRequests = this.#takesRequests && hasRequestSlot(document)
    return { document, version, isLoop: false, takesRequests, library, playlists }
  }
}

/** The ids of the channels whose playlists a document uses; `''` is the channel's own. */
function playlistsOf(document: ScheduleDocument): Set<string> {
  const ids = Object.values(document.sources).flatMap((source) =>
    source.kind === 'playlist' ? [source.channelId ?? ''] : [],
  )
  return new Set(ids)
}
