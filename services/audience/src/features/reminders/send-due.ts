import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { pushMessageOf } from '../push/push-message.ts'
import { insertDeliveries, subscriptionIdsOf } from '../push/push-repository.ts'
import { quietUntil } from './quiet-hours.ts'
import { advance, LATE_MS, type NextNotice } from './reminded-starts.ts'
import { type DueStart, deleteReminders, lockDue, saveAdvanced } from './reminder-repository.ts'
import { readSettings, settingsOf } from './settings-repository.ts'

/** Interval at which due reminders are looked for, in ms: half of the time within which one is sent. */
const INTERVAL_MS = 500
/** Notices of one transaction. */
const BATCH = 200
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface SenderDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
  siteUrl: string
  /** Whether the station sends pushes. */
  pushes: boolean
}

/** Sends reminders that are due, in any number of replicas: a notice is taken by one of them, in one transaction. */
export const reminderSender = (deps: SenderDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: INTERVAL_MS,
    atStart: true,
    failure: 'reminders not sent',
    run: (signal) => sendDue(deps, signal),
  })

/** One run of {@link reminderSender}. */
export async function sendDue(deps: Omit<SenderDeps, 'logger'>, signal?: AbortSignal): Promise<void> {
  for (let sent = BATCH; sent === BATCH && signal?.aborted !== true; ) {
    sent = await deps.db.transaction().execute((trx) => sendBatch(trx, deps))
  }
}

/**
 * Decides about some notices that are due. What was decided, the event for mail and pages, and the pushes to be sent are one
 * transaction: a crash before it leaves the notice due, after it nothing is decided again.
 */
async function sendBatch(trx: Transaction<Database>, deps: Omit<SenderDeps, 'logger'>): Promise<number> {
  const nowMs = deps.now()
  const due = await lockDue(trx, new Date(nowMs), BATCH)
  if (due.length === 0) return 0
  const userIds = [...new Set(due.map(({ userId }) => userId))]
  const settings = await readSettings(trx, userIds)
  const subscriptions = deps.pushes ? await subscriptionIdsOf(trx, userIds) : new Map<string, string[]>()
  const decided = due.map((start) => {
    const { mail, quietHours } = settingsOf(settings, start.userId)
    const quietUntilMs = quietUntil(quietHours, nowMs)
    const { isSent, next } = advance(start.phase, start.startsAt.getTime(), { nowMs, quietUntilMs })
    const devices = quietUntilMs === undefined ? (subscriptions.get(start.userId) ?? []) : []
    const isMailed = mail && quietUntilMs === undefined
    return { start, isSent, next, devices, via: viaOf(devices.length > 0, isMailed) }
  })
  await saveAdvanced(
    trx,
    decided.map(({ start, isSent, next }) => advanced(start, isSent, next)),
  )
  const sent = decided.filter(({ isSent }) => isSent)
  await appendEvents(
    trx,
    sent.map(({ start, via }) => ({
      type: 'audience.reminder.due.v1' as const,
      aggregateId: start.userId,
      data: { ...noticeOf(start), userId: start.userId, kind: start.kind, videoId: start.videoId, via },
    })),
  )
  await insertDeliveries(
    trx,
    sent.flatMap(({ start, devices }) =>
      devices.map((subscriptionId) => ({
        ...{ id: newId(nowMs), subscriptionId, startId: start.id },
        payload: pushMessageOf({ ...noticeOf(start), minutesLeft: minutesLeft(start, nowMs) }, deps.siteUrl),
        ...{ nextAttemptAt: new Date(nowMs), expiresAt: new Date(endOf(start, nowMs)) },
      })),
    ),
  )
  await deleteReminders(
    trx,
    decided.filter(isOver).map(({ start }) => start.reminderId),
  )
  return due.length
}

const viaOf = (hasDevices: boolean, isMailed: boolean) =>
  hasDevices ? ('push' as const) : isMailed ? ('mail' as const) : ('page' as const)

const advanced = ({ id, phase }: DueStart, isSent: boolean, next: NextNotice | null) => ({
  id,
  phase: next?.phase ?? null,
  dueAt: next === null ? null : new Date(next.dueAtMs),
  sent: isSent ? phase : null,
})

const noticeOf = ({ id, phase, title, channelId, channelName, startsAt }: DueStart) => ({
  ...{ reminderId: id, phase, title, channelId, channelName },
  startsAtMs: startsAt.getTime(),
})

const minutesLeft = ({ startsAt }: DueStart, nowMs: number): number =>
  Math.max(1, Math.round((startsAt.getTime() - nowMs) / MINUTE_MS))

/** Until when a push service may deliver a notice: afterwards it says nothing new. */
function endOf({ phase, startsAt }: DueStart, nowMs: number): number {
  if (phase === 'removed') return nowMs + DAY_MS
  return phase === 'before' ? startsAt.getTime() : startsAt.getTime() + LATE_MS
}

/** Whether a reminder has nothing left to send. */
const isOver = ({ start: { kind, phase } }: { start: DueStart }): boolean =>
  phase === 'start' && (kind === 'programme' || kind === 'special')
