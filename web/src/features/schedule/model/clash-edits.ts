import type { Block, OverrideBlock, Weekday } from '@looptide/contracts/schedule'
import { clashesOf, type Overlap } from '@looptide/planner/clashes'
import { blockMinutes } from '@looptide/planner/grid'
import { removeFromDays } from './block-edits.ts'
import { isEqual } from './compare.ts'
import { newId } from './names.ts'
import { ALL_DAYS, DAY_MINUTES, dayAfter, dayIndex, daysText, timeLabel, timeText } from './times.ts'

type Blocks = readonly Block[]

/** Two blocks of the week that overlap, and the edits that end it. */
export interface BlockClash {
  key: string
  /** "Late (8:00 PM–11:00 PM) overlaps Day (6:00 AM–10:00 PM) on Friday." */
  text: string
  /** Each time at which they overlap. */
  overlaps: readonly Overlap[]
  /** "Shorten Day to 8:00 PM"; undefined if both have the same hours. */
  shorten: { label: string; apply: (blocks: Blocks) => Block[] } | undefined
  /** Takes the other block off the days of the clash. */
  replace: { label: string; removed: string; apply: (blocks: Blocks) => Block[] }
  /** The blocks did not overlap before the last change. */
  isNew: boolean
}

/**
 * The blocks that overlap. The one that the last change has placed, else the one that starts later, keeps its hours; the
 * edits are about the other one. `previous`: the blocks before the last change.
 */
export function findClashes(blocks: Blocks, previous: Blocks | undefined): BlockClash[] {
  const earlier = new Set(previous && clashesOf(previous).map((clash) => keyOf(previous, clash)))
  const isChanged = (block: Block) =>
    previous !== undefined &&
    !isEqual(
      previous.find(({ id }) => id === block.id),
      block,
    )
  return clashesOf(blocks).flatMap((clash): BlockClash[] => {
    const [first, second, [overlap]] = [blocks[clash.first], blocks[clash.second], clash.overlaps]
    if (first === undefined || second === undefined || overlap === undefined) return []
    const isFirstKept =
      isChanged(first) === isChanged(second)
        ? offsetIn(first, overlap, 0) === 0 && offsetIn(second, overlap, 1) !== 0
        : isChanged(first)
    const [kept, other, side] = isFirstKept ? [first, second, 1 as const] : [second, first, 0 as const]
    const days = daysOf(clash.overlaps, side)
    const when = daysText(clash.overlaps.map(({ day }) => day))
    const key = keyOf(blocks, clash)
    return [
      {
        key,
        text: `${nameOf(kept)} overlaps ${nameOf(other)} ${when.startsWith('every') ? when : `on ${when}`}.`,
        overlaps: clash.overlaps,
        shorten:
          shorterOf(other, clash.overlaps, side) ?? shorterOf(kept, clash.overlaps, side === 0 ? 1 : 0),
        replace: {
          label: `Replace ${other.name}`,
          removed: `${other.name}, ${daysText(days)}`,
          apply: (known) => removeFromDays(known, days, other.id),
        },
        isNew: previous !== undefined && !earlier.has(key),
      },
    ]
  })
}

const keyOf = (blocks: Blocks, { first, second }: { first: number; second: number }): string =>
  `${blocks[first]?.id} ${blocks[second]?.id}`

const nameOf = (block: Block): string => {
  const { from, to } = blockMinutes(block)
  return `${block.name} (${timeLabel(from)}–${timeLabel(to)})`
}

const daysOf = (overlaps: readonly Overlap[], side: 0 | 1): Weekday[] => {
  const days = new Set(overlaps.map(({ starts }) => starts[side]))
  return ALL_DAYS.filter((day) => days.has(day))
}

/** Minutes from the start of a block to an overlap. */
function offsetIn(block: Block, { day, from, starts }: Overlap, side: 0 | 1): number {
  const days = (dayIndex(day) - dayIndex(starts[side]) + 7) % 7
  return days * DAY_MINUTES + from - blockMinutes(block).from
}

/** The edit that ends a block before an overlap, or starts it after it, on the days of the clash. */
function shorterOf(block: Block, overlaps: readonly Overlap[], side: 0 | 1): BlockClash['shorten'] {
  const [overlap] = overlaps
  if (overlap === undefined) return undefined
  const { from, to } = blockMinutes(block)
  const offset = offsetIn(block, overlap, side)
  const end = offset + overlap.to - overlap.from
  const same = overlaps.filter((each) => offsetIn(block, each, side) === offset)
  const days = daysOf(same, side)
  const on = days.length === block.days.length ? '' : ` on ${daysText(days)}`
  if (offset > 0) {
    return {
      label: `Shorten ${block.name} to ${timeLabel(from + offset)}${on}`,
      apply: (known) => withHours(known, block, days, from, from + offset),
    }
  }
  if (from + end < to) {
    return {
      label: `Start ${block.name} at ${timeLabel(from + end)}${on}`,
      apply: (known) => withHours(known, block, days, from + end, to),
    }
  }
  return undefined
}

/** Gives a block other hours (minutes since midnight) on some of its days, where it becomes a block of its own. */
function withHours(
  blocks: Blocks,
  block: Block,
  days: readonly Weekday[],
  from: number,
  to: number,
): Block[] {
  const late = from >= DAY_MINUTES ? 1 : 0
  const minutes = late * DAY_MINUTES
  const changed: Block = {
    ...block,
    days: days.map((day) => dayAfter(day, late)),
    ...{ from: timeText(from - minutes), to: timeText(to - minutes) },
  }
  const rest = block.days.filter((day) => !days.includes(day))
  const next =
    rest.length === 0
      ? [changed]
      : [
          { ...block, days: rest },
          { ...changed, id: newId(block.id, blocks) },
        ]
  return blocks.flatMap((one) => (one.id === block.id ? next : [one]))
}

/** A stretch of a day that one block programmes. */
interface Run {
  block: OverrideBlock
  from: number
  to: number
}

/**
 * Blocks of a day as they air: of those that overlap, the one that starts later is on, and the other one goes on after it
 * as a block of its own. Blocks without a clash are as they were.
 */
export function withoutClashes(blocks: readonly OverrideBlock[]): OverrideBlock[] {
  if (clashesOf(blocks).length === 0) return [...blocks]
  const kept: OverrideBlock[] = []
  for (const { block, from, to } of runsOf(blocks)) {
    const times = { from: timeText(from % DAY_MINUTES), to: timeText(to) }
    const isFirst = from % DAY_MINUTES === blockMinutes(block).from % DAY_MINUTES
    const { start: _start, ...rest } = block
    kept.push(
      isFirst ? { ...block, ...times } : { ...rest, ...times, id: newId(block.id, [...blocks, ...kept]) },
    )
  }
  return kept
}

/** The stretches of a day that repeats, in minutes since midnight; one may end on the next day. */
function runsOf(blocks: readonly OverrideBlock[]): Run[] {
  const startOf = (block: OverrideBlock, minute: number): number | undefined => {
    const { from, to } = blockMinutes(block)
    if (from <= minute && minute < to) return from
    return minute + DAY_MINUTES < to ? from - DAY_MINUTES : undefined
  }
  const runs: Run[] = []
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    let on: { block: OverrideBlock; start: number } | undefined
    for (const block of blocks) {
      const start = startOf(block, minute)
      if (start !== undefined && (on === undefined || start >= on.start)) on = { block, start }
    }
    const last = runs.at(-1)
    if (on === undefined) continue
    if (last?.block === on.block && last.to === minute) last.to = minute + 1
    else runs.push({ block: on.block, from: minute, to: minute + 1 })
  }
  const [first, last] = [runs[0], runs.at(-1)]
  if (
    first &&
    last &&
    first !== last &&
    first.from === 0 &&
    last.to === DAY_MINUTES &&
    first.block === last.block
  ) {
    last.to += first.to
    runs.shift()
  }
  return runs
}
