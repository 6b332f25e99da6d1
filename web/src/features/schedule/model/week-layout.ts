import type { Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from '@looptide/planner/grid'
import { ALL_DAYS, DAY_MINUTES, dayAfter } from './times.ts'

/** The parts of a block that place it in a week. */
export interface PlacedBlock {
  id: string
  days: readonly Weekday[]
  from: string
  to: string
}

/** The part of a block that one day column shows. */
export interface Piece<T> {
  block: T
  /** The day on which the block starts. */
  startDay: Weekday
  /** Minutes since midnight of the column's day. */
  from: number
  to: number
  /** The block began on the day before. */
  isContinuation: boolean
  /** Column of the piece among those that overlap, from 0, and their number. */
  column: number
  columns: number
}

/** The pieces of blocks in the column of a day. A block that crosses midnight has a piece on both days. */
export function piecesOf<T extends PlacedBlock>(blocks: readonly T[], day: Weekday): Piece<T>[] {
  const dayBefore = dayAfter(day, -1)
  const pieces = blocks.flatMap((block): Piece<T>[] => {
    const { from, to } = blockMinutes(block)
    const found: Piece<T>[] = []
    const place = { block, column: 0, columns: 1 }
    if (block.days.includes(dayBefore) && to > DAY_MINUTES)
      found.push({ ...place, startDay: dayBefore, from: 0, to: to - DAY_MINUTES, isContinuation: true })
    if (block.days.includes(day))
      found.push({ ...place, startDay: day, from, to: Math.min(to, DAY_MINUTES), isContinuation: false })
    return found
  })
  return inColumns(pieces.sort((a, b) => a.from - b.from))
}

/** Puts pieces that overlap side by side. Blocks should not overlap, but in a draft they may. */
function inColumns<T>(pieces: Piece<T>[]): Piece<T>[] {
  let group: Piece<T>[] = []
  let groupEnd = 0
  for (const piece of pieces) {
    if (piece.from >= groupEnd) group = []
    const used = new Set(group.filter(({ to }) => to > piece.from).map(({ column }) => column))
    while (used.has(piece.column)) piece.column += 1
    group.push(piece)
    groupEnd = Math.max(...group.map(({ to }) => to))
    const columns = Math.max(...group.map(({ column }) => column)) + 1
    for (const one of group) one.columns = columns
  }
  return pieces
}

/** The days of the week with their pieces. */
export const weekOf = <T extends PlacedBlock>(blocks: readonly T[]): { day: Weekday; pieces: Piece<T>[] }[] =>
  ALL_DAYS.map((day) => ({ day, pieces: piecesOf(blocks, day) }))
