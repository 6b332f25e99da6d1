import type { Airing } from './library.ts'
import type { BrokenRule } from './rules.ts'

/**
 * One step of a log edit: what a person changes at one programme of the published log. The programme is named by its
 * source and item, because its time moves with every edit before it.
 */
export interface LogOperation {
  /** Item id of the programme that it puts on the air. */
  id: string
  /** The programme of the schedule or, without a source, the one that the operation `itemId` has inserted. */
  anchor: { source: string | null; itemId: string }
  /** Airs a video before the programme, airs a video in its place, or leaves it out. */
  action: 'before' | 'instead' | 'skip'
  /** Null only to leave a programme out. */
  videoId: string | null
  /** When the programme was planned (epoch ms). */
  plannedAtMs: number
  /** The choice of the item is the meant one only between these instants (epoch ms): a source may repeat it. */
  fromMs: number
  toMs: number
  /** It is part of the programmes before the plan. */
  isApplied?: boolean
}

/** A programme of the schedule that was left out. */
export interface SkippedItem {
  operationId: string
  source: string
  itemId: string
  videoId: string
  slot: number | null
  /** It counts for its slot as if it had aired. */
  durationMs: number
}

/** What log edits have changed at a programme. */
export interface EditTrace {
  /** The operation whose video it plays; null if log edits have only left out programmes before it. */
  operationId: string | null
  /** `replaced`: item and source are those of the planned programme. `inserted`: it is in addition to them. */
  action: 'inserted' | 'replaced' | null
  /** The video that it replaces. */
  replaced: string | null
  /** The rules that it breaks, hard ones too: a person has decided. */
  breaks: BrokenRule[]
  /** Programmes left out just before it. */
  skipped: SkippedItem[]
}

interface TracedProgramme {
  videoId: string | null
  startsAtMs: number
  endsAtMs: number
  reason: { edit?: EditTrace } | null
}

/** A programme as the history of a plan that follows it. */
export function airingOf(programme: TracedProgramme): Airing[] {
  const { videoId, startsAtMs, endsAtMs, reason } = programme
  const skipped = reason?.edit?.skipped ?? []
  const [turn, airing] = [turnOf(programme), { videoId, startsAtMs, endsAtMs }]
  return [
    ...skipped.map((item, index) => skippedTurn(item.videoId, startsAtMs, index)),
    ...(videoId === null
      ? []
      : [turn === videoId ? airing : { ...airing, turns: turn === null ? [] : [turn] }]),
  ]
}

/** Earlier than a programme's start by less than the shortest programme, in ms. */
const JUST_BEFORE_MS = 999

/** The turn of a programme that was left out just before `startsAtMs` (epoch ms), as the `index`-th there. */
export function skippedTurn(videoId: string, startsAtMs: number, index: number): Airing {
  const atMs = startsAtMs - JUST_BEFORE_MS + index
  return { videoId: null, startsAtMs: atMs, endsAtMs: atMs, turns: [videoId] }
}

/** The video whose turn a programme was; null for a card and an inserted video. */
export function turnOf({ videoId, reason }: Pick<TracedProgramme, 'videoId' | 'reason'>): string | null {
  const { action = null, replaced = null } = reason?.edit ?? {}
  return action === null ? videoId : replaced
}

/** A video to air in addition to the schedule. `itemId` is that of its programme. */
export interface Insertion {
  action: 'insert'
  operation: LogOperation
  videoId: string
  itemId: string
}

/** What to do instead of airing a chosen programme. */
type LogChange =
  | Insertion
  | { action: 'replace'; operation: LogOperation; videoId: string }
  | { action: 'skip'; operation: LogOperation }

/** Time (ms) after the end of its window for which a video that could not be inserted before its programme is tried. */
const OVERDUE_MS = 30 * 60_000

/** The log edits of one plan. Each operation is applied once. */
export class LogEdits {
  readonly #operations: readonly LogOperation[]
  readonly #byAnchor: ReadonlyMap<string, readonly LogOperation[]>
  readonly #done: Set<string>
  /** Videos that did not fit before a hard start: they are tried again when they are overdue. */
  readonly #postponed = new Set<string>()

  constructor(operations: readonly LogOperation[]) {
    this.#operations = operations
    this.#byAnchor = Map.groupBy(operations, ({ anchor }) => keyOf(anchor))
    this.#done = new Set(operations.flatMap(({ id, isApplied }) => (isApplied ? [id] : [])))
  }

  /** The next change at the choice of an item; undefined if it airs as planned. Call {@link finish} or {@link postpone} for it. */
  changeAt(anchor: { source: string; itemId: string }, nowMs: number): LogChange | undefined {
    const here = this.#waitingAt(anchor).filter(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
    for (const operation of here) {
      if (operation.action !== 'before') continue
      const inserted = this.#resolve(operation)
      if (inserted !== undefined) return inserted
    }
    const changes = here.filter(({ action }) => action !== 'before')
    // What was planned after a skip, without this programme, changes a repetition of the item.
    const skip = changes.findIndex(({ action }) => action === 'skip')
    const ofThis = skip < 0 ? changes : changes.slice(0, skip + 1)
    const last = ofThis.pop()
    if (last === undefined) return undefined
    // The last of several changes of the same programme applies.
    for (const { id } of ofThis) this.#done.add(id)
    if (last.videoId === null) return { action: 'skip', operation: last }
    return { action: 'replace', operation: last, videoId: last.videoId }
  }

  /** A video whose programme did not come in time, or is no longer in its source (`isGone`). */
  overdueAt(nowMs: number, isGone: (anchor: LogOperation['anchor']) => boolean): Insertion | undefined {
    for (const operation of this.#operations) {
      const { id, action, anchor, toMs, plannedAtMs } = operation
      if (action !== 'before' || this.#done.has(id) || nowMs < plannedAtMs || nowMs >= toMs + OVERDUE_MS)
        continue
      if (nowMs < toMs && !isGone(anchor)) continue
      const inserted = this.#resolve(operation)
      if (inserted !== undefined) return inserted
    }
    return undefined
  }

  finish(change: LogChange): void {
    for (const id of idsOf(change)) this.#done.add(id)
  }

  /** Leaves a change that is impossible here for later. */
  postpone(change: LogChange): void {
    for (const id of idsOf(change)) this.#postponed.add(id)
  }

  /** Whether an item has been left out around this time: it must not be chosen again to fill the time. */
  isLeftOut(anchor: { source: string; itemId: string }, nowMs: number): boolean {
    const all = this.#byAnchor.get(keyOf(anchor)) ?? []
    return all.some(
      ({ id, action, fromMs, toMs }) =>
        action === 'skip' && this.#done.has(id) && fromMs <= nowMs && nowMs < toMs,
    )
  }

  #waitingAt(anchor: LogOperation['anchor']): LogOperation[] {
    const all = this.#byAnchor.get(keyOf(anchor)) ?? []
    return all.filter(({ id }) => !this.#done.has(id) && !this.#postponed.has(id))
  }

  /** The insertion of an operation, after the changes that later edits have made to it. */
  #resolve(operation: LogOperation): Insertion | undefined {
    const changes = this.#waitingAt({ source: null, itemId: operation.id })
    for (const earlier of changes) {
      const inserted = earlier.action === 'before' ? this.#resolve(earlier) : undefined
      if (inserted !== undefined) return inserted
    }
    const last = changes.findLast(({ action }) => action !== 'before') ?? operation
    const { id: itemId } = operation
    if (last.videoId !== null) return { action: 'insert', operation: last, videoId: last.videoId, itemId }
    this.#done.add(itemId)
    return undefined
  }
}

const keyOf = ({ source, itemId }: LogOperation['anchor']): string =>
  `${source === null ? 0 : 1}${source}\n${itemId}`

const idsOf = (change: LogChange): string[] =>
  change.action === 'insert' ? [change.operation.id, change.itemId] : [change.operation.id]
