import type { ReminderKind, ReminderPhase } from '@looptide/contracts/http/reminders'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, ReminderStartsTable, RemindersTable } from '../../db/schema.ts'
import type { PlannedStart, StartChanges } from './reminded-starts.ts'

export type ReminderRow = Selectable<RemindersTable>
type StartRow = Selectable<ReminderStartsTable>

/** What an account has one reminder of. `ref`: also the present id of a programme that was moved. */
export interface ReminderTarget {
  userId: string
  channelId: string
  kind: ReminderKind
  ref: string
}

const ofTarget = ({ userId, channelId, kind, ref }: ReminderTarget) => sql<boolean>`
  r.user_id = ${userId} and r.channel_id = ${channelId} and r.kind = ${kind} and (r.ref = ${ref} or exists (
    select from reminder_starts s where s.reminder_id = r.id and s.programme_id = ${ref}))`

/** The reminder of a target, locked until the transaction ends; undefined if there is none. */
export const lockReminder = (
  trx: Transaction<Database>,
  target: ReminderTarget,
): Promise<ReminderRow | undefined> =>
  trx.selectFrom('reminders as r').selectAll().where(ofTarget(target)).limit(1).forUpdate().executeTakeFirst()

/** Deletes the reminder of a target, with its starts. */
export async function deleteReminder(db: Db<Database>, target: ReminderTarget): Promise<void> {
  await sql`delete from reminders r where ${ofTarget(target)}`.execute(db)
}

/** Number of a user's reminders. */
export async function countReminders(db: Db<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('reminders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** All reminders of a user; their number is limited. */
export const listReminders = (db: Db<Database>, userId: string): Promise<ReminderRow[]> =>
  db.selectFrom('reminders').selectAll().where('userId', '=', userId).orderBy('id').execute()

/** A page of a user's reminders after an id, and one row more if there is one. */
export const remindersOf = (
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<ReminderRow[]> =>
  db
    .selectFrom('reminders')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit + 1)
    .execute()

/** Stores a reminder. */
export async function insertReminder(
  trx: Transaction<Database>,
  reminder: Insertable<RemindersTable>,
): Promise<void> {
  await trx.insertInto('reminders').values(reminder).execute()
}

/** Changes when a reminder is sent. */
export async function setMinutesBefore(
  trx: Transaction<Database>,
  id: string,
  minutesBefore: number,
): Promise<void> {
  await trx.updateTable('reminders').set({ minutesBefore }).where('id', '=', id).execute()
}

/** Reminders of a channel after an id, in its order, which change only in this transaction. */
export const lockRemindersOf = (
  trx: Transaction<Database>,
  channelId: string,
  afterId: string,
  limit: number,
): Promise<ReminderRow[]> =>
  trx
    .selectFrom('reminders')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

/** The planned starts of reminders, by reminder, in order of time. */
export async function plannedStarts(
  db: Db<Database>,
  reminderIds: readonly string[],
): Promise<Map<string, PlannedStart[]>> {
  const rows = await db
    .selectFrom('reminderStarts')
    .selectAll()
    .where('reminderId', '=', sql<string>`any(${[...reminderIds]}::uuid[])`)
    .orderBy('startsAt')
    .execute()
  const byReminder = Map.groupBy(rows, ({ reminderId }) => reminderId)
  return new Map([...byReminder].map(([id, starts]) => [id, starts.map(toPlannedStart)]))
}

function toPlannedStart(row: StartRow): PlannedStart {
  const { id, startsAt, title, programmeId, videoId, phase, dueAt, sent } = row
  const next = phase === null || dueAt === null ? null : { phase, dueAtMs: dueAt.getTime() }
  return { id, startsAtMs: startsAt.getTime(), title, programmeId, videoId, sent, next }
}

/** Stores what has changed of the starts of a reminder, which is locked. */
export async function saveChanges(
  trx: Transaction<Database>,
  reminderId: string,
  { added, changed, dropped }: StartChanges,
): Promise<void> {
  const valuesOf = ({
    startsAtMs,
    title,
    programmeId,
    videoId,
    next,
  }: Omit<PlannedStart, 'id' | 'sent'>) => ({
    ...{ startsAt: new Date(startsAtMs), title, programmeId, videoId },
    ...{ phase: next?.phase ?? null, dueAt: next === null ? null : new Date(next.dueAtMs) },
  })
  if (added.length > 0) {
    const rows = added.map((start) => ({ id: newId(), reminderId, ...valuesOf(start) }))
    await trx.insertInto('reminderStarts').values(rows).execute()
  }
  for (const { id, ...start } of changed) {
    await trx.updateTable('reminderStarts').set(valuesOf(start)).where('id', '=', id).execute()
  }
  if (dropped.length > 0) {
    const ids = dropped.map(({ id }) => id)
    await trx.deleteFrom('reminderStarts').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  }
}

/** A start whose next notice is due, with its reminder. `channelName`: reads well in a notice also if the channel is gone. */
export interface DueStart {
  id: string
  reminderId: string
  userId: string
  kind: ReminderKind
  channelId: string
  channelName: string
  startsAt: Date
  title: string
  videoId: string | null
  phase: ReminderPhase
}

/** Starts whose next notice is due, locked until the transaction ends. Those that others have locked are left to them. */
export async function lockDue(trx: Transaction<Database>, now: Date, limit: number): Promise<DueStart[]> {
  const { rows } = await sql<DueStart>`
    select s.id, s.reminder_id, r.user_id, r.kind, r.channel_id,
           coalesce(c.name, 'a deleted channel') as channel_name, s.starts_at, s.title, s.video_id, s.phase
    from reminder_starts s
    join reminders r on r.id = s.reminder_id
    left join reminder_channels c on c.channel_id = r.channel_id
    where s.due_at <= ${now}
    order by s.due_at limit ${limit}
    for update of s, r skip locked`.execute(trx)
  return rows
}

/** What becomes of a start that was due: its next notice, and what has been sent. */
export interface Advanced {
  id: string
  phase: ReminderPhase | null
  dueAt: Date | null
  /** The notice that is sent; null if it is postponed or too late. */
  sent: ReminderPhase | null
}

/** Stores what becomes of starts that were due. */
export async function saveAdvanced(trx: Transaction<Database>, starts: readonly Advanced[]): Promise<void> {
  await sql`
    update reminder_starts s set phase = given.phase, due_at = given.due_at,
      sent = case when given.sent is null then s.sent else array_append(s.sent, given.sent) end
    from unnest(
      ${starts.map(({ id }) => id)}::uuid[], ${starts.map(({ phase }) => phase)}::text[],
      ${starts.map(({ dueAt }) => dueAt)}::timestamptz[], ${starts.map(({ sent }) => sent)}::text[]
    ) as given (id, phase, due_at, sent)
    where s.id = given.id`.execute(trx)
}

/** Deletes reminders, with their starts. */
export async function deleteReminders(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('reminders')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** Deletes starts before a time, and with them reminders of one programme or special, in batches. */
export async function deleteStartsBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from reminders where id = any(array(
      select r.id from reminder_starts s join reminders r on r.id = s.reminder_id
      where s.starts_at < ${before} and r.kind in ('programme', 'special') limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`delete from reminder_starts where id = any(array(
      select id from reminder_starts where starts_at < ${before} limit ${limit}))`.execute(db),
  )
}

/**
 * Ends the reminders of a deleted channel: those of one programme or special send a notice, the others are deleted. In
 * batches.
 */
export async function endRemindersOf(
  trx: Transaction<Database>,
  channelId: string,
  removal: { now: Date; dueAt: Date },
): Promise<void> {
  await inBatches((limit) =>
    sql`delete from reminders where id = any(array(
      select id from reminders where channel_id = ${channelId} and kind in ('block', 'artist') limit ${limit}))`.execute(
      trx,
    ),
  )
  await inBatches((limit) =>
    sql`update reminder_starts set phase = 'removed', due_at = ${removal.dueAt} where id = any(array(
      select s.id from reminders r cross join lateral (
        select id from reminder_starts
        where reminder_id = r.id and starts_at > ${removal.now} and phase in ('before', 'start') offset 0
      ) s
      where r.channel_id = ${channelId} limit ${limit}))`.execute(trx),
  )
}
