import type { Block, Weekday } from '@looptide/contracts/schedule'
import type { Place } from '../model/free-hours.ts'

/** What grid and list can do with the blocks of the week. */
export interface WeekActions {
  /** Opens the dialog of a new block at these days and times. */
  create: (place: Place) => void
  /** Opens it in the first free hours of a day, or of all days. */
  createFree: (day?: Weekday) => void
  edit: (block: Block) => void
  /** Removes a block, or takes it off one day. */
  remove: (block: Block, day?: Weekday) => void
  /** Opens the dialog that copies a day to others. */
  copy: (day: Weekday) => void
  change: (apply: (blocks: readonly Block[]) => Block[], part?: string) => void
}
