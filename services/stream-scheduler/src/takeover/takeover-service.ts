import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { EventData } from '@looptide/contracts/events'
import {
  MAX_TAKEOVER_MS,
  type PastTakeover,
  type StartTakeoverBody,
  TAKEOVER_UNDO_MS,
  type Takeover,
} from '@looptide/contracts/http/takeovers'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, ProgrammeRow, TakeoverRow, Trx } from '../db/schema.ts'
import { findChannelRow } from '../schedule/published-schedule.ts'
import type { ProgrammingLoader } from '../timeline/programming.ts'
import { GUARD_MS, MIN_PROGRAMME_MS } from '../timeline/rules.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { lastFixed, lockChannel, programmesFrom } from '../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'
import {
  deleteTakeover,
  markStopped,
  readPastTakeovers,
  readTakeover,
  readTakeoverVideos,
  saveTakeover,
} from './takeover-repository.ts'

interface TakeoverDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  loader: ProgrammingLoader
  now: () => number
}

const DEFAULT_TITLE = 'Live special'

/** Live takeovers of channels. Each change, the new timeline and the audit entry are one transaction. */
export class TakeoverService {
  readonly #deps: TakeoverDeps

  constructor(deps: TakeoverDeps) {
    this.#deps = deps
  }

  /** The takeover that is on. Throws `not_found` for an unknown channel. */
  async current(channelId: string): Promise<Takeover | null> {
    const { db, now } = this.#deps
    await findChannelRow(db, channelId)
    const row = await readTakeover(db, channelId, now())
    return row === undefined ? null : presentTakeover(row)
  }

  /** The takeovers that were on in a range, which ends at the latest now. Throws `not_found` for an unknown channel. */
  async past(channelId: string, fromMs: number, toMs: number): Promise<PastTakeover[]> {
    const { db, now } = this.#deps
    await findChannelRow(db, channelId)
    return readPastTakeovers(db, { channelId, fromMs, toMs: Math.min(toMs, now()) })
  }

  /** Throws `not_found`, `conflict`, `unprocessable` and `validation_failed` as {@link StartTakeoverBody} describes. */
  start(channelId: string, body: StartTakeoverBody, cause: Cause): Promise<Takeover> {
    return this.#change(channelId, async (trx, channel, nowMs) => {
      if ((await readTakeover(trx, channelId, nowMs)) !== undefined) {
        throw errors.conflict('A takeover is already in progress. End it first.')
      }
      const onAir = await programmeOnAir(trx, channel, nowMs)
      const startsAtMs = Math.min(Math.max(nowMs + GUARD_MS, onAir.startsAtMs + 1), onAir.endsAtMs)
      const endsAtMs = await endOf(trx, body, startsAtMs)
      const planned = await programmesFrom(trx, channelId, onAir.seq + 1)
      const interrupted = restStartingAt(startsAtMs, planned) ?? onAir
      const row = {
        channelId,
        id: newId(),
        title: body.title?.trim() ?? DEFAULT_TITLE,
        items: body.videoIds.map((videoId) => ({ itemId: newId(), videoId })),
        isLive: body.isLive ?? false,
        startsAtMs,
        endsAtMs,
        returnPolicy: body.returnPolicy,
        interrupted: {
          programme: interrupted,
          planned: planned.filter(({ seq }) => seq > interrupted.seq).map(({ itemId }) => ({ itemId })),
        },
        startedBy: cause.actorId ?? null,
        startedAtMs: nowMs,
      }
      const { loader, writer } = this.#deps
      await (await loader.current(trx, channel, 'takeover')).saveProgress(trx, interrupted)
      await saveTakeover(trx, row)
      await writer.replan(trx, channel, nowMs, 'takeover', cause)
      await appendEvent(trx, 'stream.takeover.started.v1', channelId, startOf(channel, row), cause)
      const { interrupted: _interrupted, items: _items, ...after } = row
      await audit(trx, 'takeover.start', channel, { after: { ...after, videoIds: body.videoIds } }, cause)
      return presentTakeover(row)
    })
  }

  /** Ends the takeover now. With `undo`, the channel continues as if there had been none. Throws `not_found`, `conflict`. */
  async stop(channelId: string, undo: boolean, cause: Cause): Promise<void> {
    await this.#change(channelId, async (trx, channel, nowMs) => {
      const takeover = await readTakeover(trx, channelId, nowMs)
      if (takeover === undefined) throw errors.notFound('A takeover of this channel')
      if (undo && nowMs > undoableUntil(takeover)) {
        throw errors.conflict('This takeover can no longer be undone. End it instead.')
      }
      await markStopped(trx, channelId, undo ? 'join' : takeover.returnPolicy)
      await this.#deps.writer.replan(trx, channel, nowMs, 'takeover', cause)
      await deleteTakeover(trx, channelId)
      const before = presentTakeover(takeover)
      await audit(trx, undo ? 'takeover.undo' : 'takeover.stop', channel, { before }, cause)
    })
  }

  async #change<T>(
    channelId: string,
    change: (trx: Trx, channel: ChannelRow, nowMs: number) => Promise<T>,
  ): Promise<T> {
    const { db, timelines, writer, now } = this.#deps
    const result = await db.transaction().execute(async (trx) => {
      const channel = await lockChannel(trx, channelId)
      if (channel === undefined) throw errors.notFound('This channel')
      const nowMs = now()
      // The programme on the air must be in the air log before it is cut short.
      await writer.logStarted(trx, [channelId], nowMs)
      return change(trx, (await lockChannel(trx, channelId)) ?? channel, nowMs)
    })
    await timelines.refresh([channelId])
    return result
  }
}

async function programmeOnAir(trx: Trx, channel: ChannelRow, nowMs: number): Promise<ProgrammeRow> {
  const onAir = channel.status === 'live' ? await lastFixed(trx, channel, nowMs) : undefined
  if (onAir === undefined || onAir.endsAtMs <= nowMs) {
    throw new AppError('unprocessable', 'The channel is off the air. Start it first.')
  }
  return onAir
}

/**
 * The rest of a video that an earlier takeover has interrupted, if it starts at this instant. The channel's own programming
 * does not plan a rest again, so a new takeover interrupts it although it has not started.
 */
const restStartingAt = (atMs: number, planned: readonly ProgrammeRow[]): ProgrammeRow | undefined =>
  planned.find(({ startsAtMs, offsetMs }) => startsAtMs === atMs && offsetMs > 0)

/** The end of a takeover (epoch ms), or null until it is stopped. Checks its videos. */
async function endOf(trx: Trx, body: StartTakeoverBody, startsAtMs: number): Promise<number | null> {
  const { videoIds, isLive = false, until } = body
  if (isLive && (videoIds.length !== 1 || until === 'content')) {
    throw errors.validation(
      'A live stream must be a single video that ends at a set time or when you end it.',
    )
  }
  const videos = await readTakeoverVideos(trx, videoIds)
  if (videoIds.some((id) => !videos.has(id))) {
    throw new AppError('unprocessable', 'One of these videos cannot be played.')
  }
  if (until === 'stopped') return null
  const lengths = videoIds.map((id) => Math.max(videos.get(id)?.playedMs ?? 0, MIN_PROGRAMME_MS))
  const endsAtMs =
    until === 'content' ? startsAtMs + lengths.reduce((sum, ms) => sum + ms, 0) : Date.parse(until)
  if (endsAtMs < startsAtMs + MIN_PROGRAMME_MS || endsAtMs > startsAtMs + MAX_TAKEOVER_MS) {
    throw errors.validation('A takeover must end within the next 24 hours.')
  }
  return endsAtMs
}

const undoableUntil = ({ startedAtMs }: Pick<TakeoverRow, 'startedAtMs'>): number =>
  startedAtMs + TAKEOVER_UNDO_MS

type Presented = Pick<
  TakeoverRow,
  | 'id'
  | 'title'
  | 'isLive'
  | 'startsAtMs'
  | 'endsAtMs'
  | 'returnPolicy'
  | 'startedBy'
  | 'startedAtMs'
  | 'items'
>

function presentTakeover(row: Presented): Takeover {
  const { id, title, isLive, startsAtMs, endsAtMs, returnPolicy, startedBy, items } = row
  return {
    id,
    title,
    videoIds: items.map(({ videoId }) => videoId),
    isLive,
    startsAtMs,
    endsAtMs,
    returnPolicy,
    startedBy,
    undoableUntilMs: undoableUntil(row),
  }
}

/** The data of the event that a takeover was started. */
const startOf = (
  { id, name }: ChannelRow,
  takeover: Pick<TakeoverRow, 'id' | 'title' | 'isLive' | 'startsAtMs' | 'endsAtMs'>,
): EventData<'stream.takeover.started.v1'> => {
  const { id: takeoverId, title, isLive, startsAtMs, endsAtMs } = takeover
  return { channelId: id, channelName: name, takeoverId, title, isLive, startsAtMs, endsAtMs }
}

async function audit(
  trx: Trx,
  action: Extract<AuditAction, `takeover.${string}`>,
  { id, name }: ChannelRow,
  states: { before?: unknown; after?: unknown },
  cause: Cause,
): Promise<void> {
  const entry = { action, targetType: 'channel', targetId: id, ...states, details: { channelName: name } }
  await appendAudit(trx, 'stream.audit.recorded.v1', entry, cause)
}
