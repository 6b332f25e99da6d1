import type { LogAction, LogEdit, LogEditResult, LogProgramme, LogRule } from '@looptide/contracts/http/log'
import { programmeTitle } from '../model/sentences.ts'
import { exactTimeIn } from '../model/zoned-time.ts'
import type { LogChangeRequest, OpenChange } from './log-change.ts'

/** What an edit has done to its programme. */
export const ACTION_LABELS: Record<LogAction, string> = {
  insert: 'Inserted',
  skip: 'Skipped',
  swap: 'Swapped',
  move: 'Moved',
}

/** What is wrong with a programme that breaks a rule. */
export const BREACH_TEXTS: Record<LogRule, string> = {
  artistSeparationMinutes: 'the artist airs again too soon',
  videoSeparationHours: 'the video airs again too soon',
  maxAiringsPerDay: 'the video airs too often that day',
  maxDurationMinutes: 'the video is too long',
  excludedArtists: 'the artist is excluded',
  exclusions: 'the song is excluded',
  tagWindows: 'a tag airs outside its hours',
}

type Texts = Parameters<typeof programmeTitle>[0] & { startsAt: string }

/** A programme with its time: "Night Drive at 8:15:00 PM". */
export const programmeAt = (programme: Texts, timeZone: string): string =>
  `${programmeTitle(programme)} at ${exactTimeIn(timeZone, Date.parse(programme.startsAt))}`

/** The title of the dialog in which a change is chosen and confirmed. */
export function changeTitle(change: OpenChange | LogChangeRequest, timeZone: string): string {
  const before = 'before' in change && change.before ? programmeAt(change.before, timeZone) : undefined
  switch (change.action) {
    case 'insert': {
      if (!('video' in change)) return before ? `Insert before ${before}` : 'Play next'
      return before ? `Insert ${change.video.title} before ${before}` : `Play ${change.video.title} next`
    }
    case 'skip':
      return `Skip ${programmeAt(change.programme, timeZone)}`
    case 'swap':
      return 'other' in change
        ? `Swap ${programmeAt(change.programme, timeZone)} and ${programmeAt(change.other, timeZone)}`
        : `Swap ${programmeAt(change.programme, timeZone)}`
    case 'move': {
      const what = programmeAt(change.programme, timeZone)
      if (!('before' in change)) return `Move ${what}`
      return before ? `Move ${what} before ${before}` : `Play ${what} next`
    }
  }
}

/** What a change has done, for its toast. */
export function doneText(change: LogChangeRequest): string {
  if (change.action === 'insert') return `${change.video.title} inserted`
  if (change.action === 'swap') {
    return `${programmeTitle(change.programme)} and ${programmeTitle(change.other)} swapped`
  }
  return `${programmeTitle(change.programme)} ${change.action === 'skip' ? 'skipped' : 'moved'}`
}

/** How many programmes an edit changes. */
export function effectSummary({ changesCount }: Pick<LogEditResult, 'changesCount'>): string {
  if (changesCount === 0) return 'No programme of the next 24 hours changes.'
  return changesCount === 1 ? '1 programme changes.' : `${changesCount} programmes change.`
}

/** An edit in one line, for the name of its Undo. */
export const editText = ({ action, title }: Pick<LogEdit, 'action' | 'title'>): string =>
  `${ACTION_LABELS[action]} ${title}`

/** A remark about a programme of the log. */
export interface LogNote {
  text: string
  kind: 'air' | 'start' | 'edit' | 'warning'
}

/** What is special about a programme: it is on, starts exactly, was edited, is cut short, or breaks rules. */
export function notesOf(programme: LogProgramme, edit: LogEdit | undefined, isOnAir: boolean): LogNote[] {
  const { isFixed, isHardStart, editId, cut, breaks, reason } = programme
  const rules = [...new Set([...breaks, ...reason.relaxed])]
  return [
    ...(isOnAir ? [{ text: 'On the air', kind: 'air' } as const] : []),
    ...(isFixed && !isOnAir ? [{ text: 'About to start', kind: 'air' } as const] : []),
    ...(isHardStart ? [{ text: 'Exact start', kind: 'start' } as const] : []),
    ...(editId === null
      ? []
      : [{ text: edit ? ACTION_LABELS[edit.action] : 'Edited', kind: 'edit' } as const]),
    ...(cut ? [{ text: 'Cut short', kind: 'warning' } as const] : []),
    ...rules.map((rule) => ({ text: BREACH_TEXTS[rule], kind: 'warning' }) as const),
  ]
}
