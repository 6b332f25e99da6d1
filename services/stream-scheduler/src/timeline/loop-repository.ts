import { sql } from 'kysely'
import type { ChannelRow, Store } from '../db/schema.ts'
import type { LoopItem } from './plan-timeline.ts'
import { DEFAULT_CHANNEL_ID } from './rules.ts'

interface ItemRow {
  itemId: string
  videoId: string
  videoVersion: number
  durationMs: number
  artistName: string
}

/**
 * What a channel plays, in its order: the playable videos of its playlist. The default channel's playlist is the
 * live playlist; when that holds nothing playable it plays every public video, oldest first. A video that is not
 * public is in no list a viewer sees, but a channel made for it (the Test Card) may play it.
 */
export async function loadItems(db: Store, channel: Pick<ChannelRow, 'id'>): Promise<LoopItem[]> {
  const listed = await sql<ItemRow>`
    select p.id as item_id, v.id as video_id, v.version as video_version, v.duration_ms, v.artist_name
    from channel_playlists p join videos v on v.id = p.video_id and v.playable
    where p.channel_id = ${channel.id}
    order by p.position, p.id`.execute(db)
  if (listed.rows.length > 0 || channel.id !== DEFAULT_CHANNEL_ID) return listed.rows.map(toItem)
  const all = await sql<ItemRow>`
    select v.id as item_id, v.id as video_id, v.version as video_version, v.duration_ms, v.artist_name
    from videos v where v.playable and v.is_public
    order by v.created_at, v.id`.execute(db)
  return all.rows.map(toItem)
}

const UNKNOWN_ARTISTS = new Set(['', 'unknown artist'])

function toItem({ artistName, ...row }: ItemRow): LoopItem {
  return { ...row, artist: artistKey(artistName, row.videoId) }
}

/** Nobody is the same unknown artist as anybody else, but a video is never put next to itself. */
function artistKey(artistName: string, videoId: string): string {
  const artist = artistName.trim().toLowerCase()
  return UNKNOWN_ARTISTS.has(artist) ? `video ${videoId}` : artist
}

/** Whom the next programme must not repeat, and how new the text is that belongs to what is on the air. */
export async function onAirVideo(db: Store, videoId: string): Promise<{ artist: string; version: number }> {
  const { artistName, version } = await db
    .selectFrom('videos')
    .select(['artistName', 'version'])
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  return { artist: artistKey(artistName, videoId), version }
}

/**
 * Remembers what channels play, so that an extension does not read a playlist of thousands again. An entry holds
 * as long as the channel's `loop_version`; the least recently used go when there are too many items in all.
 */
export class LoopCache {
  readonly #entries = new Map<string, { loopVersion: number; items: LoopItem[] }>()
  readonly #mostItems: number
  #count = 0

  constructor(mostItems = 400_000) {
    this.#mostItems = mostItems
  }

  /** Reads through; `db` is the transaction that holds the channel's lock. */
  async items(db: Store, channel: Pick<ChannelRow, 'id' | 'loopVersion'>): Promise<LoopItem[]> {
    const known = this.#entries.get(channel.id)
    if (known !== undefined && known.loopVersion === channel.loopVersion) {
      this.#entries.delete(channel.id)
      this.#entries.set(channel.id, known)
      return known.items
    }
    this.forget(channel.id)
    const items = await loadItems(db, channel)
    this.#entries.set(channel.id, { loopVersion: channel.loopVersion, items })
    this.#count += items.length
    for (const id of this.#entries.keys()) {
      if (this.#count <= this.#mostItems) break
      this.forget(id)
    }
    return items
  }

  forget(channelId: string): void {
    this.#count -= this.#entries.get(channelId)?.items.length ?? 0
    this.#entries.delete(channelId)
  }
}
