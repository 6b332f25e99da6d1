import type { Announced } from '@looptide/contracts/http/guide'
import type { ReminderKind, ReminderPhase } from '@looptide/contracts/http/reminders'
import { textKey } from '@looptide/contracts/text'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A start that an edit of the guide moves further than this is another one, in ms. A special has one start. */
const MAX_MOVE_MS: Readonly<Record<ReminderKind, number>> = {
  programme: 6 * HOUR_MS,
  special: Number.POSITIVE_INFINITY,
  block: 6 * HOUR_MS,
  artist: 6 * HOUR_MS,
}
/**
 * Shortest time between two starts of which one reminder notifies, in ms: a block that a takeover interrupts does not
 * start again, and an artist with many videos is announced once in some hours.
 */
const APART_MS: Readonly<Record<ReminderKind, number>> = {
  programme: 0,
  special: 0,
  block: 2 * HOUR_MS,
  artist: 6 * HOUR_MS,
}
/** A removed programme may return within this time, in ms, as when a schedule is published twice. */
export const REMOVAL_WAIT_MS = MINUTE_MS
/** A reminder that could not be sent within this time after the start is not sent, in ms. */
export const LATE_MS = 10 * MINUTE_MS

/** What a reminder is about: `ref` is the id of the block or special, or the key of the artist's name. */
export interface RemindedOf {
  kind: ReminderKind
  ref: string
  /** Of a programme: the guide shows a moved programme under another id. */
  videoId: string | null
  minutesBefore: number
}

/** A start that the guide announces. */
export interface AnnouncedStart {
  startsAtMs: number
  title: string
  programmeId: string | null
  videoId: string | null
}

/** What a reminder does at a start next, and when. */
export interface NextNotice {
  phase: ReminderPhase
  dueAtMs: number
}

/** A start that a reminder has been planned for. `sent`: what has been sent, each at most once. */
export interface PlannedStart extends AnnouncedStart {
  id: string
  sent: readonly ReminderPhase[]
  next: NextNotice | null
}

/** What changes: starts that are new, that differ, and that need no notice. */
export interface StartChanges {
  added: (AnnouncedStart & { next: NextNotice })[]
  changed: PlannedStart[]
  dropped: PlannedStart[]
}

/**
 * The next notice of a start. `isNew`: the reminder has just been set, or the start just been announced, so that a notice
 * whose time is over already says nothing new.
 */
export function nextNotice(
  { startsAtMs, sent }: Pick<PlannedStart, 'startsAtMs' | 'sent'>,
  { minutesBefore }: Pick<RemindedOf, 'minutesBefore'>,
  { nowMs, isNew }: { nowMs: number; isNew: boolean },
): NextNotice | null {
  const beforeMs = startsAtMs - minutesBefore * MINUTE_MS
  const isAhead = isNew ? beforeMs > nowMs : startsAtMs > nowMs
  if (minutesBefore > 0 && isAhead && !sent.includes('before')) {
    return { phase: 'before', dueAtMs: Math.max(beforeMs, nowMs) }
  }
  return sent.includes('start') ? null : { phase: 'start', dueAtMs: startsAtMs }
}

/**
 * What happens when a notice is due: whether it is sent, and what is next. Nothing is sent too late: neither a notice before
 * the start when it has come, nor one of the start long after it. A removal waits until quiet hours end (`quietUntilMs`).
 */
export function advance(
  phase: ReminderPhase,
  startsAtMs: number,
  { nowMs, quietUntilMs }: { nowMs: number; quietUntilMs: number | undefined },
): { isSent: boolean; next: NextNotice | null } {
  if (phase === 'removed') {
    if (quietUntilMs === undefined) return { isSent: true, next: null }
    return { isSent: false, next: { phase, dueAtMs: quietUntilMs } }
  }
  if (phase === 'before') return { isSent: nowMs < startsAtMs, next: { phase: 'start', dueAtMs: startsAtMs } }
  return { isSent: nowMs <= startsAtMs + LATE_MS, next: null }
}

/** The starts that the guide announces of what a reminder is about, in order. */
export function startsOf({ kind, ref, videoId }: RemindedOf, announced: Announced): AnnouncedStart[] {
  if (kind === 'special') {
    return announced.specials
      .filter(({ id }) => id === ref)
      .map(({ name, startsAtMs }) => ({ startsAtMs, title: name, programmeId: null, videoId: null }))
  }
  if (kind === 'block') return blockStarts(ref, announced)
  const isIt = (programme: Announced['programmes'][number]) =>
    programme.videoId !== null &&
    (kind === 'programme' ? programme.videoId === videoId : textKey(programme.artistName) === ref)
  return announced.programmes.filter(isIt).map(startOf)
}

/** The start of a programme. */
export const startOf = (programme: Announced['programmes'][number]): AnnouncedStart => ({
  startsAtMs: programme.startsAtMs,
  title: `${programme.title} – ${programme.artistName}`,
  programmeId: programme.id,
  videoId: programme.videoId,
})

/** The first programmes of each run of programmes of a block. */
function blockStarts(ref: string, { programmes }: Announced): AnnouncedStart[] {
  return programmes.flatMap(({ blockId, blockName, startsAtMs }, index) =>
    blockId !== ref || programmes[index - 1]?.blockId === ref
      ? []
      : [{ startsAtMs, title: blockName ?? ref, programmeId: null, videoId: null }],
  )
}

/**
 * What follows for a reminder from the announced programmes: each planned start stays with the announced one of the same
 * time, or with the nearest one, to which it was moved. Of a block and an artist new starts are planned; of a programme and
 * a special there is the one that the reminder was set for. A start that is gone gets a notice, except those of an artist.
 */
export function followStarts(
  reminder: RemindedOf,
  planned: readonly PlannedStart[],
  announced: Announced,
  nowMs: number,
): StartChanges {
  const changes: StartChanges = { added: [], changed: [], dropped: [] }
  const found = startsOf(reminder, announced).filter(({ startsAtMs }) => startsAtMs > nowMs - LATE_MS)
  const pairs = pairUp(planned.filter(isOpen), found, MAX_MOVE_MS[reminder.kind])
  const taken = new Set(pairs.values())
  for (const start of planned.filter(isOpen)) {
    const to = pairs.get(start)
    if (to !== undefined) {
      const moved = movedTo(start, to, reminder, nowMs)
      if (moved !== start) changes.changed.push(moved)
    } else if (isGone(start, reminder.kind, announced, nowMs)) {
      if (reminder.kind === 'artist') changes.dropped.push(start)
      else changes.changed.push({ ...start, next: removalOf(start, nowMs) })
    }
  }
  if (reminder.kind !== 'block' && reminder.kind !== 'artist') return changes
  const dropped = new Set(changes.dropped)
  const times = [...planned.filter((start) => !pairs.has(start) && !dropped.has(start)), ...taken].map(
    ({ startsAtMs }) => startsAtMs,
  )
  for (const start of found) {
    if (start.startsAtMs <= nowMs || taken.has(start)) continue
    if (times.some((time) => Math.abs(time - start.startsAtMs) < APART_MS[reminder.kind])) continue
    const next = nextNotice({ ...start, sent: [] }, reminder, { nowMs, isNew: true })
    if (next === null) continue
    times.push(start.startsAtMs)
    changes.added.push({ ...start, next })
  }
  return changes
}

/** Whether an edit of the guide still matters: the start has not been announced as such. */
const isOpen = ({ sent }: PlannedStart): boolean => !sent.includes('start')

const isRemoved = ({ next, sent }: PlannedStart): boolean =>
  next?.phase === 'removed' || (next === null && sent.includes('removed'))

/** Pairs planned and announced starts: first those of the same time, then the nearest ones. */
function pairUp(
  planned: readonly PlannedStart[],
  found: readonly AnnouncedStart[],
  maxMoveMs: number,
): Map<PlannedStart, AnnouncedStart> {
  const candidates = planned
    .flatMap((start) =>
      found.map((to) => ({ start, to, distance: Math.abs(start.startsAtMs - to.startsAtMs) })),
    )
    .filter(({ distance }) => distance <= maxMoveMs)
    .toSorted((a, b) => a.distance - b.distance)
  const pairs = new Map<PlannedStart, AnnouncedStart>()
  const taken = new Set<AnnouncedStart>()
  for (const { start, to } of candidates) {
    if (pairs.has(start) || taken.has(to)) continue
    pairs.set(start, to)
    taken.add(to)
  }
  return pairs
}

/** The start at its new time; itself if nothing differs. */
function movedTo(start: PlannedStart, to: AnnouncedStart, reminder: RemindedOf, nowMs: number): PlannedStart {
  const isSame =
    start.startsAtMs === to.startsAtMs && start.programmeId === to.programmeId && start.title === to.title
  if (isSame && !isRemoved(start)) return start
  const moved = { ...start, ...to }
  const isDueAgain = start.startsAtMs !== to.startsAtMs || isRemoved(start)
  return isDueAgain ? { ...moved, next: nextNotice(moved, reminder, { nowMs, isNew: false }) } : moved
}

/** Whether a start that is no longer announced was in the part of the guide that is known. */
function isGone(start: PlannedStart, kind: ReminderKind, { programmes }: Announced, nowMs: number): boolean {
  if (start.startsAtMs <= nowMs || isRemoved(start)) return false
  if (kind === 'special') return true
  const endMs = programmes.at(-1)?.endsAtMs ?? Number.POSITIVE_INFINITY
  return start.startsAtMs < endMs
}

const removalOf = ({ sent }: PlannedStart, nowMs: number): NextNotice | null =>
  sent.includes('removed') ? null : { phase: 'removed', dueAtMs: nowMs + REMOVAL_WAIT_MS }
