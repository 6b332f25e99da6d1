import type { Override, Special } from '@looptide/contracts/schedule'

/** What the parts of the calendar can do. */
export interface CalendarActions {
  addSpecial: (date: string) => void
  editSpecial: (special: Special) => void
  repeatSpecial: (special: Special) => void
  removeSpecial: (special: Special) => void
  addHoliday: (date: string) => void
  editHoliday: (holiday: Override) => void
  removeHoliday: (holiday: Override) => void
  /** Replaces a holiday, for example after a change of its blocks. */
  saveHoliday: (holiday: Override) => void
}
