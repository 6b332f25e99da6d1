import { isDeepStrictEqual } from 'node:util'
import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import type { ScheduleProblem } from '@looptide/contracts/schedule'
import type { Airing } from '@looptide/planner/library'
import type { ChannelRow, ProgrammeRow, Store, StoredReason, Trx } from '../db/schema.ts'
import type { PlannedRequests } from '../queues/planned-requests.ts'

/** A programme before it is written. */
export interface PlannedProgramme {
  seq: number
  kind: ProgrammeRow['kind']
  /** The sequence number of the first programme of the cycle of a loop; in a schedule, its own. */
  cycleSeq: number
  /** Null for cards, which have no video. */
  itemId: string | null
  videoId: string | null
  videoVersion: number
  startsAtMs: number
  endsAtMs: number
  /** Position in the video at which the programme begins, in ms after its start trim point. */
  offsetMs: number
  /** Null for a programme of a loop. */
  reason: StoredReason | null
}

export interface Plan {
  programmes: PlannedProgramme[]
  /** Undefined if the plan has no queue of requests. */
  requests?: PlannedRequests | undefined
  /** Stores where planning continues. Call it after the programmes have been written. */
  save(trx: Trx): Promise<void>
}

/**
 * The way in which a future is planned again: `edit` continues the current cycle; `restart` starts a new cycle with the next
 * programme; `reset` starts one at once and cuts the programme on the air short; `takeover` begins or ends a live
 * takeover and cuts it short, too.
 */
export type ReplanMode = 'edit' | 'restart' | 'reset' | 'takeover'

/** The programme after which a future is planned. */
export interface PlanAfter {
  /** The last programme that is kept. */
  fixed: ProgrammeRow
  /** The programmes planned after it so far. */
  current: readonly (Pick<ProgrammeRow, 'itemId'> & Partial<Pick<ProgrammeRow, 'reason'>>)[]
  /** Sequence number of the first new programme. */
  seq: number
  /** What is on the air between the two, in order: it counts as aired. */
  between?: readonly Airing[]
  /** Start of the first new programme (epoch ms). */
  startsAtMs: number
  untilMs: number
}

/** Plans what a channel plays: its playlist in a loop, or its schedule. Writes only the state from which planning continues. */
export interface Programming {
  /** Number of videos that it can play at this time. */
  countVideos(nowMs: number): number
  /** The seed of its random choices, to be stored with the channel. */
  readonly seed: string
  /** Checksum of the library and of the playlists of its schedule; null for a loop, which each edit plans again. */
  readonly checksum: string | null
  /** Time (ms) in which a change of the library changes nothing. */
  readonly freezeMs: number
  /** The problems of its schedule at `nowMs` (epoch ms): sources without videos, rules that cannot hold. */
  problemsAt(nowMs: number): ScheduleProblem[]
  /** A future that follows a programme. */
  planAfter(db: Store, after: PlanAfter, mode: ReplanMode): Promise<Plan>
  /** The future of a channel that is being started, or whose timeline has run out. */
  planFrom(db: Store, startsAtMs: number, untilMs: number, mode: ReplanMode): Promise<Plan>
  /** The programmes that follow the end of the timeline. */
  planExtension(db: Store, untilMs: number): Promise<Plan>
  /** Stores the planner's state after `programme`, so that planning can continue there after its row was deleted. */
  saveProgress(trx: Trx, programme: ProgrammeRow): Promise<void>
}

/** Reads the programming of channels. */
export interface ProgrammingLoader {
  /** Maximum length (ms) of the videos that the default channel plays without a playlist. */
  readonly fallbackMaxMs: number
  /** The programming for a change, read from the database. `db` is the transaction that holds the channel's lock. */
  current(db: Store, channel: ChannelRow, mode: ReplanMode): Promise<Programming>
  /** The programming for an extension, which may use a cached loop. */
  cached(db: Store, channel: ChannelRow): Promise<Programming>
}

type ComparedProgramme = Pick<
  PlannedProgramme,
  'kind' | 'itemId' | 'videoId' | 'videoVersion' | 'startsAtMs' | 'endsAtMs' | 'offsetMs' | 'reason'
>

/**
 * The index of the first programme of which a stored timeline and a plan differ, both sorted by seq from the same number;
 * undefined if they are equal. Programmes are equal if clients get the same data and a replay continues in the same way.
 */
export function firstDifference(
  current: readonly (ComparedProgramme & Pick<ProgrammeRow, 'roundSeq'>)[],
  planned: readonly (ComparedProgramme & Pick<PlannedProgramme, 'cycleSeq'>)[],
): number | undefined {
  const length = Math.max(current.length, planned.length)
  for (let index = 0; index < length; index += 1) {
    const before = current[index]
    const after = planned[index]
    if (before === undefined || after === undefined) return index
    if (before.roundSeq !== after.cycleSeq || !isSameProgramme(before, after)) return index
  }
  return undefined
}

function isSameProgramme(a: ComparedProgramme, b: ComparedProgramme): boolean {
  return (
    a.kind === b.kind &&
    a.itemId === b.itemId &&
    a.videoId === b.videoId &&
    a.videoVersion === b.videoVersion &&
    a.startsAtMs === b.startsAtMs &&
    a.endsAtMs === b.endsAtMs &&
    a.offsetMs === b.offsetMs &&
    isSameReason(a.reason, b.reason)
  )
}

const isSameReason = (a: StoredReason | null, b: StoredReason | null): boolean =>
  a?.blockId === b?.blockId &&
  a?.specialId === b?.specialId &&
  a?.slot === b?.slot &&
  a?.source === b?.source &&
  a?.number === b?.number &&
  a?.count === b?.count &&
  a?.ident === b?.ident &&
  a?.isResumed === b?.isResumed &&
  a?.request?.id === b?.request?.id &&
  JSON.stringify(a?.edit) === JSON.stringify(b?.edit)

/**
 * The programmes of a plan whose request was chosen from another queue than that of the stored ones, which are equal
 * otherwise. Clients do not see that.
 */
export function changedRequests(
  current: readonly Pick<ProgrammeRow, 'reason'>[],
  planned: readonly PlannedProgramme[],
): { seq: number; request: ProgrammeRequest }[] {
  return planned.flatMap(({ seq, reason }, index) => {
    const request = reason?.request
    const isChanged = request !== undefined && !isDeepStrictEqual(current[index]?.reason?.request, request)
    return isChanged ? [{ seq, request }] : []
  })
}
