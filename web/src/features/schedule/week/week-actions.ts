import type { Block, Weekday } from '@looptide/contracts/schedule'

/** What grid and list can do with the blocks of the week. */
export interface WeekActions {
  /** Opens the dialog of a new block at these days and times. */
  create: (place: { days: readonly Weekday[]; from: string; to: string }) => void
  edit: (block: Block) => void
  /** Removes a block, or takes it off one day. */
  remove: (block: Block, day?: Weekday) => void
  /** Opens the dialog that copies a day to others. */
  copy: (day: Weekday) => void
  change: (apply: (blocks: readonly Block[]) => Block[], part?: string) => void
}
