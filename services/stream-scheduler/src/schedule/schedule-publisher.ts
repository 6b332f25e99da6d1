import type { PublishPreview, PublishResult, ScheduleRemoval } from '@looptide/contracts/http/schedules'
import type { RequestSlot } from '@looptide/contracts/schedule'
import { requestSlotsOf } from '@looptide/planner/segment-sources'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import { readSnapshot } from '../db/read-snapshot.ts'
import type { ChannelRow, Database, Store, Trx } from '../db/schema.ts'
import { changeOf, type FutureChange, planFuture } from '../timeline/future.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { updateChannel } from '../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'
import { auditSchedule, lockForChange } from './channel-lock.ts'
import { checkDocument } from './check-document.ts'
import { freezeMsOf } from './freeze-interval.ts'
import { loopRequests } from './loop-material.ts'
import { presentPreview, previewTexts } from './present-preview.ts'
import { findChannelRow } from './published-schedule.ts'
import { currentDraft, noteOf, scheduleInvalid } from './schedule-drafts.ts'
import type { ScheduleMaterial } from './schedule-material.ts'
import { ScheduleProgramming } from './schedule-programming.ts'
import type { ScheduleReader } from './schedule-reader.ts'
import { deleteDraft, deleteState, insertVersion, readVersion } from './schedule-repository.ts'

interface PublisherDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  schedules: ScheduleReader
  now: () => number
}

/** Maximum number of programmes listed before and after a publication. */
const MAX_LISTED = 50

/**
 * Publishes schedules. A publication replaces what is on the air after the freeze interval, in the transaction that
 * stores the version.
 */
export class SchedulePublisher {
  readonly #deps: PublisherDeps

  constructor(deps: PublisherDeps) {
    this.#deps = deps
  }

  /**
   * Makes the draft the channel's next version, by default with the note of its submission. Throws `schedule_invalid` with
   * problems, `precondition_failed` with the current draft if it has another version than `expected`, and `unprocessable`
   * without a draft.
   */
  publish(
    channelId: string,
    given: string | undefined,
    cause: Cause,
    expected: ExpectedVersion,
  ): Promise<PublishResult> {
    return this.#change(channelId, async (trx, channel) => {
      const { draft, etag } = await currentDraft(trx, channel)
      requireVersion(expected, etag, draft)
      if (draft.savedAt === null) throw new AppError('unprocessable', 'There is no draft to publish.')
      const note = given ?? draft.submission?.note
      const result = await this.#publish(trx, channel, { document: draft.document, note }, cause)
      await deleteDraft(trx, channelId)
      const after = { version: result.version }
      const before = { version: channel.scheduleVersion }
      await auditSchedule(
        trx,
        'schedule.publish',
        channel,
        { before, after, details: { ...result, ...noteOf(note) } },
        cause,
      )
      return result
    })
  }

  /** Publishes an earlier version again, as a new one. Throws `not_found`, and `schedule_invalid` if it is no longer valid. */
  restore(channelId: string, version: number, cause: Cause): Promise<PublishResult> {
    return this.#change(channelId, async (trx, channel) => {
      const row = await readVersion(trx, channelId, version)
      if (row === undefined) throw errors.notFound('This version')
      const result = await this.#publish(
        trx,
        channel,
        { document: row.document, restoredFrom: version },
        cause,
      )
      const details = { ...result, restoredFrom: version }
      const states = { before: { version: channel.scheduleVersion }, after: { version: result.version } }
      await auditSchedule(trx, 'schedule.restore', channel, { ...states, details }, cause)
      return result
    })
  }

  /** The channel repeats its playlist again, after the freeze interval. Throws `not_found`. */
  remove(channelId: string, cause: Cause): Promise<ScheduleRemoval> {
    return this.#change(channelId, async (trx, channel) => {
      if (channel.scheduleVersion === 0) return presentChange({ fromMs: null, count: 0 })
      const document = await this.#deps.schedules.document(trx, channel, channel.scheduleVersion)
      const change = await this.#useVersion(
        trx,
        channel,
        0,
        { keepMs: freezeMsOf(document), requestSlots: loopRequests(channel).requestSlots },
        cause,
      )
      const before = { version: channel.scheduleVersion }
      await auditSchedule(trx, 'schedule.remove', channel, { before, after: { version: 0 } }, cause)
      return presentChange(change)
    })
  }

  /** The changes that publishing `document`, by default the draft, would make now. Throws `precondition_failed`. Writes nothing. */
  preview(channelId: string, document: unknown, expected: ExpectedVersion): Promise<PublishPreview> {
    const { db, schedules, now } = this.#deps
    return readSnapshot(db, async (trx) => {
      const channel = await findChannelRow(trx, channelId)
      const { draft, etag } = await currentDraft(trx, channel)
      requireVersion(expected, etag, draft)
      const planned = document === undefined ? draft.document : document
      const { problems, material } = await checkDocument(trx, schedules, channel, planned, now())
      if (material === undefined || problems.length > 0) return { ...NO_CHANGE, problems }
      if (channel.status === 'idle') return { ...NO_CHANGE, problems: [] }
      return this.#compare(trx, channel, material)
    })
  }

  async #compare(db: Store, channel: ChannelRow, material: ScheduleMaterial): Promise<PublishPreview> {
    const nowMs = this.#deps.now()
    const programming = new ScheduleProgramming(channel, material, 'edit')
    const future = await planFuture(db, channel, programming, nowMs, 'edit', freezeMsOf(material.document))
    const change = changeOf(future)
    const current = future.fixed === null ? [] : future.current
    const first = change.fromMs === null ? current.length : current.length - change.count
    const before = current.slice(first, first + MAX_LISTED)
    const after = change.fromMs === null ? [] : future.plan.programmes.slice(first, first + MAX_LISTED)
    const texts = await previewTexts(db, [...before, ...after])
    return {
      ...presentChange(change),
      before: before.map((programme) => presentPreview(programme, texts)),
      after: after.map((programme) => presentPreview(programme, texts)),
      problems: [],
    }
  }

  async #publish(
    trx: Trx,
    channel: ChannelRow,
    given: { document: unknown; restoredFrom?: number; note?: string | undefined },
    cause: Cause,
  ): Promise<PublishResult> {
    const { schedules, now } = this.#deps
    const { document, restoredFrom = null, note } = given
    const { problems, material } = await checkDocument(trx, schedules, channel, document, now())
    if (material === undefined || problems.length > 0) throw scheduleInvalid(problems)
    const version = await insertVersion(trx, {
      channelId: channel.id,
      document: material.document,
      publishedBy: cause.actorId ?? null,
      restoredFrom,
      note,
    })
    const { id: channelId, name: channelName } = channel
    await appendEvent(
      trx,
      'stream.schedule.published.v1',
      channelId,
      { channelId, channelName, version },
      cause,
    )
    const { document: checked } = material
    const use = { keepMs: freezeMsOf(checked), requestSlots: requestSlotsOf(checked) }
    const change = await this.#useVersion(trx, channel, version, use, cause)
    return { version, ...presentChange(change) }
  }

  async #useVersion(
    trx: Trx,
    channel: ChannelRow,
    scheduleVersion: number,
    { keepMs, requestSlots }: { keepMs: number; requestSlots: RequestSlot[] },
    cause: Cause,
  ): Promise<FutureChange> {
    const { writer, now } = this.#deps
    const requests = { requestSlots, takesRequests: requestSlots.length > 0 }
    await updateChannel(trx, channel.id, { scheduleVersion, ...requests })
    // A loop and a schedule do not continue each other's sources.
    if ((scheduleVersion === 0) !== (channel.scheduleVersion === 0)) await deleteState(trx, channel.id)
    if (channel.status === 'idle') return { fromMs: null, count: 0 }
    const after = { ...channel, scheduleVersion, ...requests }
    const { change } = await writer.replan(trx, after, now(), 'edit', cause, keepMs)
    // Names and colours of blocks may have changed even if no programme has.
    if (change.fromMs === null) await writer.announce(trx, after, cause)
    return change
  }

  async #change<T>(channelId: string, change: (trx: Trx, channel: ChannelRow) => Promise<T>): Promise<T> {
    const { db, timelines } = this.#deps
    const result = await db
      .transaction()
      .execute(async (trx) => change(trx, await lockForChange(trx, channelId)))
    await timelines.refresh([channelId])
    return result
  }
}

const NO_CHANGE = { changesFrom: null, changes: 0, before: [], after: [] }

const presentChange = ({ fromMs, count }: FutureChange): ScheduleRemoval => ({
  changesFrom: fromMs === null ? null : new Date(fromMs).toISOString(),
  changes: count,
})
