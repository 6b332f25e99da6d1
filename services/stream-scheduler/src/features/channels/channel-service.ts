import type { AuditAction } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../../timeline/rules.ts'
import type { TimelineMemory } from '../../timeline/timeline-memory.ts'
import { lockChannel, updateChannel } from '../../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../../timeline/timeline-writer.ts'
import { holdVideos, insertItems, readEntries } from '../playlists/playlist-repository.ts'
import * as channels from './channel-repository.ts'
import { presentChannel } from './present-channel.ts'
import { freeSlug, slugOf } from './slug.ts'

interface ChannelDeps {
  db: Kysely<Database>
  memory: TimelineMemory
  writer: TimelineWriter
  now: () => number
}

interface NewChannelFacts {
  name: string
  description?: string | null
  position?: number
  /** Id of the channel that is copied. */
  copyOf?: string
}

type ChannelChange = Partial<
  Pick<ChannelRow, 'name' | 'description' | 'isActive' | 'shuffleEnabled' | 'position'>
>

/** Channels as admins keep them. Each change is audited and told in its own transaction. */
export class ChannelService {
  readonly #deps: ChannelDeps

  constructor(deps: ChannelDeps) {
    this.#deps = deps
  }

  /**
   * A new channel, off the air and with an empty playlist, or with the settings and the playlist of `copyOf`; throws
   * `not_found` when that does not exist. Position 0 or none: after all others (admin
   * specification §5, channel create).
   */
  async create(facts: NewChannelFacts, cause: Cause): Promise<ChannelRow> {
    const { db, memory } = this.#deps
    const name = facts.name.trim()
    const slug = slugOf(name)
    const created = await db.transaction().execute(async (trx) => {
      const original = facts.copyOf === undefined ? undefined : await this.#lock(trx, facts.copyOf)
      const channel = await channels.insertChannel(trx, {
        id: freeSlug(slug, await channels.takenSlugs(trx, slug)),
        name,
        description: facts.description?.trim() || (original?.description ?? null),
        ...(original && { shuffleEnabled: original.shuffleEnabled }),
        position: facts.position || (await channels.countChannels(trx)) + 1,
        seed: newId(),
        createdBy: cause.actorId ?? null,
      })
      if (channel === undefined) throw errors.conflict('A channel with this name was just created.')
      await tell(trx, 'stream.channel.created.v1', channel, cause)
      const copied = original && (await this.#copyPlaylist(trx, original.id, channel.id, cause))
      const details = original && { copyOf: original.name, videos: copied }
      await audit(trx, 'channel.create', channel.id, { after: presentChannel(channel), details }, cause)
      return channel
    })
    await memory.refresh([created.id])
    return created
  }

  /** Copies a playlist without the videos that have left the library. Returns the number of items. */
  async #copyPlaylist(trx: Trx, from: string, to: string, cause: Cause): Promise<number> {
    const entries = await readEntries(trx, from)
    const known = await holdVideos(trx, [...new Set(entries.map(({ videoId }) => videoId))])
    const videoIds = entries.map(({ videoId }) => videoId).filter((id) => known.has(id))
    await insertItems(trx, to, videoIds, cause.actorId ?? null)
    await this.#deps.writer.playlistChanged(trx, videoIds)
    return videoIds.length
  }

  /** Throws `not_found`. Switching shuffle plans the future anew from the next programme on. */
  async update(id: string, change: ChannelChange, cause: Cause): Promise<ChannelRow> {
    const { db, memory, writer, now } = this.#deps
    const updated = await db.transaction().execute(async (trx) => {
      const before = await this.#lock(trx, id)
      const wanted = {
        ...change,
        ...(change.name === undefined ? {} : { name: change.name.trim() }),
        ...(change.description === undefined ? {} : { description: change.description?.trim() || null }),
      }
      await updateChannel(trx, id, wanted)
      const after = { ...before, ...wanted }
      if (before.shuffleEnabled !== after.shuffleEnabled && before.status !== 'idle') {
        await writer.replan(trx, after, now(), after.shuffleEnabled ? 'restart' : 'edit', cause)
      }
      await tell(trx, 'stream.channel.updated.v1', after, cause)
      const told = { before: presentChannel(before), after: presentChannel(after) }
      await audit(trx, 'channel.update', id, told, cause)
      return after
    })
    await memory.refresh([id])
    return updated
  }

  /** Throws `not_found`; `conflict` for the default channel, which every viewer's player falls back on. */
  async remove(id: string, cause: Cause): Promise<void> {
    const { db, memory, writer } = this.#deps
    if (id === DEFAULT_CHANNEL_ID) throw new AppError('conflict', 'The default channel cannot be deleted.')
    await db.transaction().execute(async (trx) => {
      const channel = await this.#lock(trx, id)
      const entries = await readEntries(trx, id)
      await channels.deleteChannel(trx, id)
      const videoIds = entries.map((entry) => entry.videoId)
      await writer.playlistChanged(trx, videoIds)
      await appendEvent(trx, 'stream.channel.deleted.v1', id, { channelId: id }, cause)
      await audit(trx, 'channel.delete', id, { before: presentChannel(channel) }, cause)
    })
    await memory.refresh([id])
  }

  async #lock(trx: Trx, id: string): Promise<ChannelRow> {
    const channel = await lockChannel(trx, id)
    if (channel === undefined) throw errors.notFound('This channel')
    return channel
  }
}

async function tell(
  trx: Trx,
  type: 'stream.channel.created.v1' | 'stream.channel.updated.v1',
  channel: ChannelRow,
  cause: Cause,
): Promise<void> {
  const { id, name, isActive } = channel
  await appendEvent(trx, type, id, { channelId: id, name, isActive }, cause)
}

async function audit(
  trx: Trx,
  action: AuditAction,
  id: string,
  told: { before?: unknown; after?: unknown; details?: unknown },
  cause: Cause,
): Promise<void> {
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    { action, targetType: 'channel', targetId: id, ...told },
    cause,
  )
}
