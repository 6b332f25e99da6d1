import type { Block, Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from '@looptide/planner/grid'
import { newId } from './names.ts'
import { ALL_DAYS, DAY_MINUTES, STEP_MINUTES, timeText } from './times.ts'

/** One day of a block: the handle by which the grid moves and resizes it. */
export interface Occurrence {
  blockId: string
  day: Weekday
}

type Blocks = readonly Block[]

const inOrder = (days: Iterable<Weekday>): Weekday[] => {
  const set = new Set(days)
  return ALL_DAYS.filter((day) => set.has(day))
}

/** The times of a block from minutes; the end is up to 24 hours after the start. */
function timesFrom(from: number, durationMinutes: number): Pick<Block, 'from' | 'to'> {
  const start = ((from % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  return { from: timeText(start), to: timeText(start + durationMinutes) }
}

/**
 * Moves a block to another start (minutes since midnight), on all its days. A move to another day concerns only the
 * occurrence; if its time changes as well, the occurrence becomes a block of its own.
 */
export function moveBlock(
  blocks: Blocks,
  { blockId, day }: Occurrence,
  toDay: Weekday,
  from: number,
): Block[] {
  const block = blocks.find(({ id }) => id === blockId)
  if (block === undefined) return [...blocks]
  const span = blockMinutes(block)
  const moved = timesFrom(from, span.to - span.from)
  const replace = (next: Block[]) => blocks.flatMap((one) => (one === block ? next : [one]))
  if (toDay === day) return replace([{ ...block, ...moved }])
  const otherDays = block.days.filter((one) => one !== day)
  if (moved.from === block.from) return replace([{ ...block, days: inOrder([...otherDays, toDay]) }])
  const single = { ...block, ...moved, days: [toDay] }
  if (otherDays.length === 0) return replace([single])
  return replace([
    { ...block, days: otherDays },
    { ...single, id: newId(block.id, blocks) },
  ])
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/**
 * Changes the start or the end of a block (minutes since midnight of its day). It stays at least 15 minutes and at most
 * 24 hours long.
 */
export function resizeBlock(
  blocks: Blocks,
  blockId: string,
  change: { from?: number; to?: number },
): Block[] {
  return blocks.map((block) => {
    if (block.id !== blockId) return block
    const span = blockMinutes(block)
    const latest = Math.min(span.to, DAY_MINUTES) - STEP_MINUTES
    const from =
      change.from === undefined ? span.from : clamp(change.from, Math.max(0, span.to - DAY_MINUTES), latest)
    const to =
      change.to === undefined ? span.to : clamp(change.to, span.from + STEP_MINUTES, span.from + DAY_MINUTES)
    return { ...block, from: timeText(from), to: timeText(to) }
  })
}

/** Removes a block from one day; a block without a day is removed. */
export function removeFromDays(blocks: Blocks, days: readonly Weekday[], blockId?: string): Block[] {
  return blocks.flatMap((block) => {
    if (blockId !== undefined && block.id !== blockId) return [block]
    const rest = block.days.filter((day) => !days.includes(day))
    return rest.length === 0 ? [] : [{ ...block, days: rest }]
  })
}

/** Makes other days like a day: their blocks are replaced with those that start on it. */
export function copyDay(blocks: Blocks, from: Weekday, to: readonly Weekday[]): Block[] {
  const targets = to.filter((day) => day !== from)
  const copied = new Set(blocks.filter(({ days }) => days.includes(from)).map(({ id }) => id))
  return blocks.flatMap((block) => {
    const rest = block.days.filter((day) => !targets.includes(day))
    const days = inOrder(copied.has(block.id) ? [...rest, ...targets] : rest)
    return days.length === 0 ? [] : [{ ...block, days }]
  })
}

/** What `copyDay` takes from the other days: each block that only starts there, with the days that it loses. */
export function replacedByCopy(
  blocks: Blocks,
  from: Weekday,
  to: readonly Weekday[],
): { block: Block; days: Weekday[] }[] {
  return blocks.flatMap((block) => {
    const days = block.days.includes(from) ? [] : block.days.filter((day) => to.includes(day))
    return days.length === 0 ? [] : [{ block, days }]
  })
}

/** Replaces the block with the same id, or adds it. */
export function putBlock<T extends { id: string }>(blocks: readonly T[], block: T): T[] {
  return blocks.some(({ id }) => id === block.id)
    ? blocks.map((one) => (one.id === block.id ? block : one))
    : [...blocks, block]
}
