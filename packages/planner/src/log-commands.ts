import type { LogOperation } from './log-edits.ts'
import type { ScheduledProgramme } from './plan.ts'

/** A programme of the log, planned or aired. */
type LogProgramme = Pick<ScheduledProgramme, 'itemId' | 'videoId' | 'startsAtMs'> & {
  reason: Pick<ScheduledProgramme['reason'], 'source' | 'edit'> | null
}

/** A change of the log. Programmes are indexes in it; a video or programme gets the place before `before`. */
export type LogCommand =
  | { action: 'insert'; videoId: string; before: number }
  | { action: 'skip'; programme: number }
  | { action: 'swap'; programme: number; with: number }
  | { action: 'move'; programme: number; before: number }

/** Maximum time (ms) by which a programme may move before its change no longer finds it: earlier, and later. */
const EARLIER_MS = 45 * 60_000
const LATER_MS = 90 * 60_000

/** Time (ms) after which an operation that was planned at an instant has no effect any more. */
export const OPERATION_ENDS_MS = LATER_MS + 30 * 60_000

/** Whether a programme can be changed: it has a video, and no takeover has planned it. */
export const isChangeable = (programme: LogProgramme | undefined): programme is LogProgramme =>
  programme !== undefined && anchorOf(programme) !== undefined

/**
 * The operations of a command on a log, which must be complete around the programmes that it names. Undefined if one of
 * them cannot be changed.
 */
export function operationsOf(
  command: LogCommand,
  log: readonly LogProgramme[],
  newId: () => string,
): LogOperation[] | undefined {
  const at = (index: number, action: LogOperation['action'], videoId: string | null) =>
    operationAt(log, index, { id: newId(), action, videoId })
  const videoAt = (index: number) => log[index]?.videoId ?? null
  const operations = (() => {
    switch (command.action) {
      case 'insert':
        return [at(command.before, 'before', command.videoId)]
      case 'skip':
        return [at(command.programme, 'skip', null)]
      case 'swap':
        return [
          at(command.programme, 'instead', videoAt(command.with)),
          at(command.with, 'instead', videoAt(command.programme)),
        ]
      case 'move':
        return [at(command.programme, 'skip', null), at(command.before, 'before', videoAt(command.programme))]
    }
  })()
  const possible = operations.filter((operation) => operation !== undefined)
  return possible.length === operations.length ? possible : undefined
}

function operationAt(
  log: readonly LogProgramme[],
  index: number,
  values: Pick<LogOperation, 'id' | 'action' | 'videoId'>,
): LogOperation | undefined {
  const programme = log[index]
  const anchor = programme && anchorOf(programme)
  if (programme === undefined || anchor === undefined) return undefined
  const { startsAtMs } = programme
  const isAnchor = (other: Partial<LogOperation['anchor']> | undefined) =>
    other?.source === anchor.source && other.itemId === anchor.itemId
  /** Where the item airs, or would air if it had not been skipped. */
  const wasThere = (other: LogProgramme) =>
    isAnchor(anchorOf(other)) || other.reason?.edit?.skipped.some(isAnchor) === true
  const earlierMs = log.slice(0, index).findLast(wasThere)?.startsAtMs ?? Number.NEGATIVE_INFINITY
  const laterMs = log.slice(index + 1).find(wasThere)?.startsAtMs ?? Number.POSITIVE_INFINITY
  return {
    ...values,
    anchor,
    plannedAtMs: startsAtMs,
    fromMs: Math.max(startsAtMs - EARLIER_MS, Math.ceil((earlierMs + startsAtMs) / 2)),
    toMs: Math.min(startsAtMs + LATER_MS, Math.floor((startsAtMs + laterMs) / 2)),
  }
}

function anchorOf({ itemId, reason }: LogProgramme): LogOperation['anchor'] | undefined {
  if (itemId === null || reason === null) return undefined
  if (reason.edit?.action === 'inserted') return { source: null, itemId }
  return reason.source === null ? undefined : { source: reason.source, itemId }
}

/** The operations for a plan that follows these programmes: those that are part of them are marked. */
export function afterProgrammes(
  operations: readonly LogOperation[],
  programmes: readonly LogProgramme[],
): LogOperation[] {
  const applied = appliedIn(programmes)
  return operations.map((operation) => ({ ...operation, isApplied: applied.has(operation.id) }))
}

/** Whether operations have the effect in a plan for which they were made. */
export function areApplied(
  operations: readonly LogOperation[],
  programmes: readonly LogProgramme[],
): boolean {
  const applied = appliedIn(programmes)
  const items = new Set(programmes.map(({ itemId }) => itemId))
  return operations.every(({ id, action, anchor }) =>
    action === 'skip' && anchor.source === null ? !items.has(anchor.itemId) : applied.has(id),
  )
}

/** The operations that have changed these programmes. */
function appliedIn(programmes: readonly LogProgramme[]): Set<string> {
  return new Set(
    programmes.flatMap(({ itemId, reason }) => {
      const { operationId = null, action = null, skipped = [] } = reason?.edit ?? {}
      return [
        ...(operationId === null ? [] : [operationId]),
        ...(action === 'inserted' && itemId !== null ? [itemId] : []),
        ...skipped.map((item) => item.operationId),
      ]
    }),
  )
}

/** Whether an edit builds on an earlier one: it changes a video that the earlier one has put there. */
export function buildsOn(later: readonly LogOperation[], earlier: readonly LogOperation[]): boolean {
  return later.some((after) =>
    earlier.some(
      (before) =>
        (after.anchor.source === null && after.anchor.itemId === before.id) ||
        // Nothing can change a programme that is skipped: what comes later changes a repetition of its item.
        (after.action !== 'before' && before.action === 'instead' && isSameProgramme(after, before)),
    ),
  )
}

const isSameProgramme = (a: LogOperation, b: LogOperation): boolean =>
  a.anchor.source === b.anchor.source &&
  a.anchor.itemId === b.anchor.itemId &&
  a.fromMs < b.toMs &&
  b.fromMs < a.toMs

/**
 * The items of the schedule in the order in which it would air them without log edits: the order that a plan after an edit
 * keeps.
 */
export const plannedItems = (
  programmes: readonly {
    itemId: string | null
    reason?: Pick<ScheduledProgramme['reason'], 'edit'> | null
  }[],
): string[] =>
  programmes.flatMap(({ itemId, reason }) => [
    ...(reason?.edit?.skipped ?? []).map((item) => item.itemId),
    ...(itemId === null || reason?.edit?.action === 'inserted' ? [] : [itemId]),
  ])
