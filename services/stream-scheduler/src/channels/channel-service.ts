import type { AuditAction } from '@looptide/contracts/audit-actions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../db/schema.ts'
import { insertItems, lockVideos, readEntries } from '../playlists/playlist-repository.ts'
import { loopRequests } from '../schedule/loop-material.ts'
import { readVersion, saveDraft } from '../schedule/schedule-repository.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { lockChannel, updateChannel } from '../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'
import * as channels from './channel-repository.ts'
import { presentChannel } from './present-channel.ts'

interface ChannelDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  now: () => number
}

interface CreateChannelInput {
  name: string
  description?: string | null
  position?: number
  logoUrl?: string | null
  /** Id of the channel that is copied. */
  copyOf?: string
}

type ChannelChange = Partial<
  Pick<
    ChannelRow,
    'name' | 'description' | 'isActive' | 'shuffleEnabled' | 'position' | 'logoUrl' | 'requestEvery'
  >
>

/** Creates, changes and deletes channels. Each change, its event and its audit entry are one transaction. */
export class ChannelService {
  readonly #deps: ChannelDeps

  constructor(deps: ChannelDeps) {
    this.#deps = deps
  }

  /**
   * Creates a channel, off the air, with an empty playlist or with the settings and the playlist of `copyOf`, whose
   * schedule becomes the draft of the copy. Position 0 or none puts it after all others. Throws `not_found` for an
   * unknown `copyOf`.
   */
  async create(input: CreateChannelInput, cause: Cause): Promise<ChannelRow> {
    const { db, timelines } = this.#deps
    const name = input.name.trim()
    const slug = slugOf(name)
    const created = await db.transaction().execute(async (trx) => {
      const original = input.copyOf === undefined ? undefined : await this.#lock(trx, input.copyOf)
      const channel = await channels.insertChannel(trx, {
        id: freeSlug(slug, await channels.findSlugsLike(trx, slug)),
        name,
        description: input.description?.trim() || (original?.description ?? null),
        ...(original && copiedSettings(original)),
        position: input.position || (await channels.countChannels(trx)) + 1,
        logoUrl: input.logoUrl ?? null,
        seed: newId(),
        createdBy: cause.actorId ?? null,
      })
      if (channel === undefined) throw errors.conflict('A channel with this name was just created.')
      await publishChannel(trx, 'stream.channel.created.v1', channel, cause)
      const copied = original && (await this.#copyPlaylist(trx, original.id, channel.id, cause))
      if (original !== undefined) await copySchedule(trx, original, channel.id, cause)
      const details = original && { copyOf: original.name, videos: copied }
      await audit(trx, 'channel.create', channel.id, { after: presentChannel(channel), details }, cause)
      return channel
    })
    await timelines.refresh([created.id])
    return created
  }

  /** Copies a playlist without videos removed from the library. Returns the number of items. */
  async #copyPlaylist(trx: Trx, from: string, to: string, cause: Cause): Promise<number> {
    const entries = await readEntries(trx, from)
    const known = await lockVideos(trx, [...new Set(entries.map(({ videoId }) => videoId))])
    const videoIds = entries.map(({ videoId }) => videoId).filter((id) => known.has(id))
    await insertItems(trx, to, videoIds, cause.actorId ?? null)
    await this.#deps.writer.playlistChanged(trx, videoIds)
    return videoIds.length
  }

  /** Throws `not_found`. A change of `shuffleEnabled` or `requestEvery` plans the future again from the next programme. */
  async update(id: string, change: ChannelChange, cause: Cause): Promise<ChannelRow> {
    const { db, timelines, writer, now } = this.#deps
    const updated = await db.transaction().execute(async (trx) => {
      const before = await this.#lock(trx, id)
      const values = {
        ...change,
        ...(change.name === undefined ? {} : { name: change.name.trim() }),
        ...(change.description === undefined ? {} : { description: change.description?.trim() || null }),
      }
      const changed = { ...before, ...values }
      const requests = changed.scheduleVersion === 0 ? loopRequests(changed) : {}
      const after = { ...changed, ...requests }
      await updateChannel(trx, id, { ...values, ...requests })
      const isShuffleChanged = before.shuffleEnabled !== after.shuffleEnabled
      const isLoopChanged = after.scheduleVersion === 0 && before.requestEvery !== after.requestEvery
      if ((isShuffleChanged || isLoopChanged) && before.status !== 'idle') {
        const mode = isShuffleChanged && after.shuffleEnabled ? 'restart' : 'edit'
        await writer.replan(trx, after, now(), mode, cause)
      }
      await publishChannel(trx, 'stream.channel.updated.v1', after, cause)
      const states = { before: presentChannel(before), after: presentChannel(after) }
      await audit(trx, 'channel.update', id, states, cause)
      return after
    })
    await timelines.refresh([id])
    return updated
  }

  /** Throws `not_found`, or `conflict` for the default channel, which players use when they have no other. */
  async remove(id: string, cause: Cause): Promise<void> {
    const { db, timelines, writer } = this.#deps
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
    await timelines.refresh([id])
  }

  async #lock(trx: Trx, id: string): Promise<ChannelRow> {
    const channel = await lockChannel(trx, id)
    if (channel === undefined) throw errors.notFound('This channel')
    return channel
  }
}

/** The settings of a channel that its copy has. The copy has no schedule. */
const copiedSettings = ({ shuffleEnabled, requestEvery }: ChannelRow) => ({
  shuffleEnabled,
  requestEvery,
  ...loopRequests({ requestEvery }),
})

/** Copies the published schedule as a draft: a copy is checked before it plans a timeline. */
async function copySchedule(trx: Trx, original: ChannelRow, to: string, cause: Cause): Promise<void> {
  const published = await readVersion(trx, original.id, original.scheduleVersion)
  if (published === undefined) return
  const { document } = published
  await saveDraft(trx, {
    channelId: to,
    revision: 1,
    document,
    basedOnVersion: 0,
    savedBy: cause.actorId ?? null,
  })
}

async function publishChannel(
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
  states: { before?: unknown; after?: unknown; details?: unknown },
  cause: Cause,
): Promise<void> {
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    { action, targetType: 'channel', targetId: id, ...states },
    cause,
  )
}

const MAX_LENGTH = 48

/**
 * A channel's id from its name: `Rock & Soul` → `rock-soul`. A name without Latin letters or digits gives `channel`. Not
 * `@sindresorhus/slugify`, whose transliterations give other ids.
 */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'channel' : slug
}

/** Path segments below `/api/channels` that are not channel ids. */
const RESERVED = new Set(['playback-problems', 'quarantine'])

/** `slug`, or the first of `slug-2`, `slug-3` … that is not in use. */
function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug) && !RESERVED.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
