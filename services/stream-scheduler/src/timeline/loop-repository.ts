import { type RawBuilder, sql } from 'kysely'
import type { ChannelRow, Store } from '../db/schema.ts'
import type { LoopItem } from './plan-timeline.ts'
import { DEFAULT_CHANNEL_ID } from './rules.ts'

/** Unit and record separator (ASCII). */
const FIELD = '\u001f'
const ROW = '\u001e'

/**
 * The columns of an item as one text for all rows: ten thousand rows cost more to send and take apart than to find.
 * An artist's name is the last field and free of the separators.
 */
const packed = (itemId: string, order: string) =>
  sql<string | null>`string_agg(
    concat_ws(${FIELD}, ${sql.ref(itemId)}, v.id, v.version, v.duration_ms,
              translate(v.artist_name, ${FIELD + ROW}, '')),
    ${ROW} order by ${sql.raw(order)})`

/**
 * What a channel plays, in its order: the playable videos of its playlist. The default channel's playlist is the
 * live playlist; when that holds nothing playable it plays {@link fallbackItems}. A video that is not public is in no
 * list a viewer sees, but a channel made for it (the Test Card) may play it.
 */
export async function loadItems(
  db: Store,
  channel: Pick<ChannelRow, 'id'>,
  fallbackMaxMs: number,
): Promise<LoopItem[]> {
  const items = await listedItems(db, channel.id)
  return items.length > 0 || channel.id !== DEFAULT_CHANNEL_ID ? items : fallbackItems(db, fallbackMaxMs)
}

/** What of a channel's playlist can be played, in its order. */
export async function listedItems(db: Store, channelId: string): Promise<LoopItem[]> {
  const listed = await sql<{ items: string | null }>`
    select ${packed('p.id', 'p.position, p.id')} as items
    from channel_playlists p join videos v on v.id = p.video_id and v.playable
    where p.channel_id = ${channelId}`.execute(db)
  return unpack(listed.rows[0]?.items)
}

/**
 * Every public video that can be played, oldest first, but none longer than `maxMs` unless it is on the playlist of a
 * channel (`without`: items that a simulation takes off one). Where that leaves nothing, the long ones too: a channel
 * must not go silent for a limit on length.
 */
export async function fallbackItems(
  db: Store,
  maxMs: number,
  without: readonly string[] = [],
): Promise<LoopItem[]> {
  const fitting = await publicItems(
    db,
    sql<boolean>`(v.duration_ms <= ${maxMs} or exists (
      select from channel_playlists p where p.video_id = v.id and p.id <> all(${without}::uuid[])
    ))`,
  )
  return fitting.length > 0 ? fitting : publicItems(db, sql<boolean>`true`)
}

async function publicItems(db: Store, condition: RawBuilder<boolean>): Promise<LoopItem[]> {
  const all = await sql<{ items: string | null }>`
    select ${packed('v.id', 'v.created_at, v.id')} as items
    from videos v where v.playable and v.is_public and ${condition}`.execute(db)
  return unpack(all.rows[0]?.items)
}

/** Items that a playlist might have: those whose videos can be played, in the order given. */
export async function itemsOf(
  db: Store,
  wanted: readonly { itemId: string; videoId: string }[],
): Promise<LoopItem[]> {
  const found = await sql<{ items: string | null }>`
    select ${packed('w.item_id', 'w.place')} as items
    from unnest(${wanted.map((w) => w.itemId)}::uuid[], ${wanted.map((w) => w.videoId)}::uuid[])
           with ordinality as w (item_id, video_id, place)
    join videos v on v.id = w.video_id and v.playable`.execute(db)
  return unpack(found.rows[0]?.items)
}

function unpack(items: string | null | undefined): LoopItem[] {
  if (items == null) return []
  return items.split(ROW).map((row) => {
    const [itemId = '', videoId = '', version, durationMs, artistName = ''] = row.split(FIELD)
    return {
      itemId,
      videoId,
      videoVersion: Number(version),
      durationMs: Number(durationMs),
      artist: artistKey(artistName, videoId),
    }
  })
}

const UNKNOWN_ARTISTS = new Set(['', 'unknown artist'])

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
  /** See {@link fallbackItems}, ms. */
  readonly fallbackMaxMs: number
  readonly #entries = new Map<string, { loopVersion: number; items: LoopItem[] }>()
  readonly #mostItems: number
  #count = 0

  constructor(fallbackMaxMs: number, mostItems = 400_000) {
    this.fallbackMaxMs = fallbackMaxMs
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
    const items = await loadItems(db, channel, this.fallbackMaxMs)
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
