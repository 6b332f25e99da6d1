import type { Announced } from '@looptide/contracts/http/guide'
import {
  DEFAULT_MINUTES_BEFORE,
  MAX_REMINDERS,
  type Reminder,
  type RemoveReminderBody,
  type SetReminderBody,
} from '@looptide/contracts/http/reminders'
import { textKey } from '@looptide/contracts/text'
import { newId } from '@looptide/service-kit/db/ids'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AccountLoader } from '../users/account-loader.ts'
import { requireFewAttempts } from '../users/attempts.ts'
import { isRestricted, lockProfile } from '../users/user-repository.ts'
import type { ReadAnnounced } from './announced.ts'
import { followChannel } from './guide-repository.ts'
import {
  type AnnouncedStart,
  followStarts,
  nextNotice,
  type PlannedStart,
  startOf,
  startsOf,
} from './reminded-starts.ts'
import {
  countReminders,
  deleteReminder,
  insertReminder,
  listReminders,
  lockReminder,
  plannedStarts,
  type ReminderRow,
  type ReminderTarget,
  saveChanges,
  setMinutesBefore,
} from './reminder-repository.ts'

/** Reminders that an account sets or removes within a minute, before `RATE_LIMIT_FACTOR`. */
const CHANGES_PER_MINUTE = 60

interface ReminderDeps {
  db: Kysely<Database>
  accounts: AccountLoader
  readAnnounced: ReadAnnounced
  rateLimitFactor: number
  now: () => number
}

/** The reminders of accounts. */
export class ReminderService {
  readonly #deps: ReminderDeps

  constructor(deps: ReminderDeps) {
    this.#deps = deps
  }

  /**
   * Sets a reminder; one that exists is changed. Throws `not_found` for what the guide does not announce, `reminder_limit`,
   * `user_restricted`, `rate_limited`, `service_unavailable`.
   */
  async set(userId: string, body: SetReminderBody): Promise<Reminder> {
    const { db, accounts, readAnnounced, now } = this.#deps
    // The row of an account whose events have not arrived is fetched.
    await accounts.registeredAt(userId)
    if (await isRestricted(db, userId, new Date(now()))) {
      throw new AppError('user_restricted', 'Your account is restricted.')
    }
    await this.#requireFew(userId)
    const announced = await readAnnounced(body.channelId)
    if (!announced.isActive) throw errors.notFound('This channel')
    return db.transaction().execute(async (trx) => {
      // Reminders of an account are counted one after another.
      await lockProfile(trx, userId)
      const target = targetOf(userId, body)
      const existing = await lockReminder(trx, target)
      const minutesBefore = body.minutesBefore ?? DEFAULT_MINUTES_BEFORE
      const reminder =
        existing === undefined
          ? await this.#insert(trx, target, { body, minutesBefore, announced })
          : await this.#change(trx, existing, minutesBefore)
      const starts = await plannedStarts(trx, [reminder.id])
      return present(reminder, starts.get(reminder.id) ?? [])
    })
  }

  /** Removes a reminder. Idempotent. Throws `rate_limited`. */
  async remove(userId: string, body: RemoveReminderBody): Promise<void> {
    await this.#requireFew(userId)
    await deleteReminder(this.#deps.db, targetOf(userId, body))
  }

  /** All reminders of an account, by their next start; those without one at the end. */
  async list(userId: string): Promise<Reminder[]> {
    const { db } = this.#deps
    const reminders = await listReminders(db, userId)
    const starts = await plannedStarts(
      db,
      reminders.map(({ id }) => id),
    )
    const timeOf = ({ startsAtMs }: Reminder) => startsAtMs ?? Number.MAX_SAFE_INTEGER
    return reminders
      .map((reminder) => present(reminder, starts.get(reminder.id) ?? []))
      .toSorted((a, b) => timeOf(a) - timeOf(b))
  }

  async #insert(
    trx: Transaction<Database>,
    target: ReminderTarget,
    {
      body,
      minutesBefore,
      announced,
    }: { body: SetReminderBody; minutesBefore: number; announced: Announced },
  ): Promise<ReminderRow> {
    const nowMs = this.#deps.now()
    if ((await countReminders(trx, target.userId)) >= MAX_REMINDERS) {
      throw new AppError('reminder_limit', `You may have ${MAX_REMINDERS} reminders.`)
    }
    const { title, videoId, only } = requireAnnounced(body, announced, nowMs)
    const reminder = {
      ...target,
      ...{ id: newId(nowMs), title, videoId, minutesBefore, createdAt: new Date(nowMs) },
    }
    await insertReminder(trx, reminder)
    const { channelId, name } = announced
    // Its guide may have changed since it was read.
    await followChannel(trx, { channelId, name, now: new Date(nowMs) })
    const added =
      only === null
        ? followStarts(reminder, [], announced, nowMs).added
        : [only].flatMap((start) => {
            const next = nextNotice({ ...start, sent: [] }, reminder, { nowMs, isNew: true })
            return next === null ? [] : [{ ...start, next }]
          })
    await saveChanges(trx, reminder.id, { added, changed: [], dropped: [] })
    return reminder
  }

  /** Changes when an existing reminder is sent. What was sent already is not sent again. */
  async #change(
    trx: Transaction<Database>,
    existing: ReminderRow,
    minutesBefore: number,
  ): Promise<ReminderRow> {
    if (existing.minutesBefore === minutesBefore) return existing
    const nowMs = this.#deps.now()
    await setMinutesBefore(trx, existing.id, minutesBefore)
    const planned = (await plannedStarts(trx, [existing.id])).get(existing.id) ?? []
    const changed = planned
      .filter(({ next }) => next !== null && next.phase !== 'removed')
      .map((start) => ({ ...start, next: nextNotice(start, { minutesBefore }, { nowMs, isNew: true }) }))
    await saveChanges(trx, existing.id, { added: [], changed, dropped: [] })
    return { ...existing, minutesBefore }
  }

  #requireFew(userId: string): Promise<void> {
    return requireFewAttempts(this.#deps, userId, {
      kind: 'reminder',
      perMinute: CHANGES_PER_MINUTE,
      message: 'You have changed many reminders. Please wait a moment.',
    })
  }
}

/** Artists are compared by the key of their names. */
const targetOf = (
  userId: string,
  { kind, channelId, ref }: Pick<SetReminderBody, 'kind' | 'channelId' | 'ref'>,
): ReminderTarget => ({ userId, kind, channelId, ref: kind === 'artist' ? textKey(ref) : ref })

/**
 * What the guide announces of a reminder's target: its title, and the only start of a programme or special. An artist need
 * not be planned yet. Throws `not_found`.
 */
function requireAnnounced(
  { kind, ref }: Pick<SetReminderBody, 'kind' | 'ref'>,
  announced: Announced,
  nowMs: number,
): { title: string; videoId: string | null; only: AnnouncedStart | null } {
  if (kind === 'artist') return { title: ref, videoId: null, only: null }
  if (kind === 'block') {
    const { programmes, laterBlocks } = announced
    const name =
      programmes.find(({ blockId }) => blockId === ref)?.blockName ??
      laterBlocks.find(({ id }) => id === ref)?.name
    if (name === undefined) throw errors.notFound('This block')
    return { title: name, videoId: null, only: null }
  }
  const programme = announced.programmes.find(({ id, videoId }) => id === ref && videoId !== null)
  const only =
    kind === 'special'
      ? startsOf({ kind, ref, videoId: null, minutesBefore: 0 }, announced)[0]
      : programme && startOf(programme)
  if (only === undefined || only.startsAtMs <= nowMs) throw errors.notFound('This upcoming programme')
  return { title: only.title, videoId: only.videoId, only }
}

/** A reminder as its owner sees it, with its next start; a removed one only if there is no other. */
function present(reminder: ReminderRow, starts: readonly PlannedStart[]): Reminder {
  const { id, kind, channelId, ref, title, minutesBefore } = reminder
  const open = starts.find(({ next }) => next !== null && next.phase !== 'removed')
  const removed = starts.find(({ sent, next }) => next?.phase === 'removed' || sent.includes('removed'))
  const next = open ?? removed
  return {
    ...{ id, kind, channelId, minutesBefore },
    title: kind === 'artist' ? title : (next?.title ?? title),
    ref: kind === 'artist' ? title : (next?.programmeId ?? ref),
    startsAtMs: next?.startsAtMs ?? null,
    videoId: next?.videoId ?? null,
    isRemoved: open === undefined && removed !== undefined,
  }
}
