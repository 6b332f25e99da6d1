import {
  type AddRequestExclusionBody,
  MAX_REQUEST_EXCLUSIONS,
  type RequestExclusion,
  type RequestSettings,
} from '@looptide/contracts/http/requests'
import { textKey } from '@looptide/contracts/text'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database, ExclusionsTable } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { type CheckRequest, NO_VIDEO } from '../rules/request-check.ts'
import {
  deleteExclusion,
  findExclusion,
  insertExclusion,
  isOpen,
  listExclusions,
  lockChannel,
  setOpen,
  waitingOf,
} from './settings-repository.ts'

const AUDIT = 'audience.audit.recorded.v1'

/** What a channel accepts as requests: whether any, and which videos and artists not. All changes are audited. */
export class SettingsService {
  readonly #db: Kysely<Database>
  readonly #check: CheckRequest
  readonly #now: () => number

  constructor({ db, check, now }: { db: Kysely<Database>; check: CheckRequest; now: () => number }) {
    this.#db = db
    this.#check = check
    this.#now = now
  }

  async find(channelId: string): Promise<RequestSettings> {
    return { isOpen: await isOpen(this.#db, channelId) }
  }

  /** Opens or closes the requests of a channel. Those that wait stay. Throws `not_found`, `service_unavailable`. */
  async update(channelId: string, settings: RequestSettings, cause: Cause): Promise<RequestSettings> {
    await this.#requireChannel(channelId)
    return this.#db.transaction().execute(async (trx) => {
      const before = { isOpen: await lockChannel(trx, channelId) }
      if (before.isOpen === settings.isOpen) return settings
      await setOpen(trx, channelId, settings.isOpen)
      const target = { targetType: 'channel', targetId: channelId }
      const facts = { action: 'request_settings.update' as const, ...target, before, after: settings }
      await appendAudit(trx, AUDIT, facts, cause)
      return settings
    })
  }

  async exclusions(channelId: string): Promise<RequestExclusion[]> {
    return (await listExclusions(this.#db, channelId)).map(presentExclusion)
  }

  /**
   * Excludes a video or an artist. Returns the exclusion that exists already. Throws `conflict` if there are too many,
   * `not_found`, `service_unavailable`.
   */
  async exclude(
    channelId: string,
    excluded: AddRequestExclusionBody,
    cause: Cause,
  ): Promise<{ exclusion: RequestExclusion; isNew: boolean }> {
    const details = await this.#titleOf(channelId, 'videoId' in excluded ? excluded.videoId : null)
    return this.#db.transaction().execute(async (trx) => {
      await lockChannel(trx, channelId)
      const all = await listExclusions(trx, channelId)
      const videoId = 'videoId' in excluded ? excluded.videoId : null
      const artistName = 'artistName' in excluded ? excluded.artistName : null
      const artistKey = artistName === null ? null : textKey(artistName)
      const existing = all.find((one) => one.videoId === videoId && one.artistKey === artistKey)
      if (existing !== undefined) return { exclusion: presentExclusion(existing), isNew: false }
      if (all.length >= MAX_REQUEST_EXCLUSIONS) {
        throw errors.conflict(`A channel has at most ${MAX_REQUEST_EXCLUSIONS} exclusions.`)
      }
      const nowMs = this.#now()
      const names = { videoId, artistName, artistKey }
      const createdBy = cause.actorId ?? null
      const row = { id: newId(nowMs), channelId, ...names, createdBy, createdAt: new Date(nowMs) }
      await insertExclusion(trx, row)
      await publishConcerned(trx, row, cause)
      const action = 'request_exclusion.add' as const
      const facts = { action, ...targetOf(row), after: factsOf(row), details }
      await appendAudit(trx, AUDIT, facts, cause)
      return { exclusion: presentExclusion(row), isNew: true }
    })
  }

  /** Removes an exclusion. Idempotent. Throws `service_unavailable`. */
  async allow(channelId: string, exclusionId: string, cause: Cause): Promise<void> {
    const known = await findExclusion(this.#db, channelId, exclusionId)
    if (known === undefined) return
    const details = await this.#titleOf(channelId, known.videoId)
    await this.#db.transaction().execute(async (trx) => {
      const row = await deleteExclusion(trx, channelId, exclusionId)
      if (row === undefined) return
      await publishConcerned(trx, row, cause)
      const action = 'request_exclusion.remove' as const
      const facts = { action, ...targetOf(row), before: factsOf(row), details }
      await appendAudit(trx, AUDIT, facts, cause)
    })
  }

  /** Only the scheduler knows which channels exist. */
  async #requireChannel(channelId: string): Promise<void> {
    await this.#check(channelId, NO_VIDEO)
  }

  /** The title of a video (null: none) for the audit log, if the channel can play it. Throws as {@link #requireChannel}. */
  async #titleOf(channelId: string, videoId: string | null): Promise<{ videoTitle?: string }> {
    const { video } = await this.#check(channelId, videoId ?? NO_VIDEO)
    return videoId === null || video === null ? {} : { videoTitle: video.title }
  }
}

type Exclusion = Selectable<ExclusionsTable>

/** Waiting requests that are excluded stay, without being planned, and return to their turn if it is removed. */
async function publishConcerned(
  trx: Transaction<Database>,
  exclusion: Exclusion,
  cause: Cause,
): Promise<void> {
  const { channelId } = exclusion
  const concerned = await waitingOf(trx, exclusion)
  if (concerned.length === 0) return
  await markQueuesChanged(trx, [channelId])
  await appendEvents(
    trx,
    concerned.map(({ id, isPlanned }) => ({
      type: 'audience.request.changed.v1' as const,
      aggregateId: channelId,
      data: { channelId, requestId: id, state: isPlanned ? ('planned' as const) : ('waiting' as const) },
    })),
    cause,
  )
}

const targetOf = ({ channelId }: Exclusion) => ({ targetType: 'channel', targetId: channelId })
const factsOf = ({ videoId, artistName }: Exclusion) => ({ videoId, artistName })

const presentExclusion = ({ id, videoId, artistName, createdAt }: Exclusion): RequestExclusion => ({
  id,
  videoId,
  artistName,
  createdAt: createdAt.toISOString(),
})
