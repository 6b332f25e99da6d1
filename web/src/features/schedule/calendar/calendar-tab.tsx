import type { Override, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { toast } from '../../../ui/toast.ts'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { putBlock } from '../model/block-edits.ts'
import { newId } from '../model/names.ts'
import { problemsAt } from '../model/problem-place.ts'
import { dateOf, repeatOn } from '../model/specials.ts'
import { dateIn } from '../model/zoned-time.ts'
import type { CalendarActions } from './calendar-actions.ts'
import { DayPanel } from './day-panel.tsx'
import { HolidayDialog } from './holiday-dialog.tsx'
import { MonthGrid } from './month-grid.tsx'
import { RepeatDialog } from './repeat-dialog.tsx'
import { SpecialDialog } from './special-dialog.tsx'
import { UpcomingList } from './upcoming-list.tsx'

/** What is open in a dialog. */
type Open =
  | { kind: 'special'; special: Special; isNew: boolean }
  | { kind: 'repeat'; special: Special }
  | { kind: 'holiday'; holiday: Override; isNew: boolean }

/** Specials and holidays on a month calendar, with the details of a day, and as a list. */
export function CalendarTab({ editor, problems }: TabProps) {
  const { document } = editor
  const { specials = [], overrides = [] } = document
  const today = dateIn(document.timeZone, serverClock.nowMs())
  const [date, setDate] = useState(today)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const set = (change: (known: ScheduleDocument) => Partial<ScheduleDocument>) =>
    editor.change((known) => ({ ...known, ...change(known) }))
  const remove = (collection: 'specials' | 'overrides', { id, name = id }: { id: string; name?: string }) => {
    set((known) => ({ [collection]: (known[collection] ?? []).filter((one) => one.id !== id) }))
    toast({ title: collection === 'specials' ? 'Special removed' : 'Holiday removed', description: name })
  }
  const actions: CalendarActions = {
    addSpecial: (on) => setOpen({ kind: 'special', special: newSpecial(document, on), isNew: true }),
    editSpecial: (special) => setOpen({ kind: 'special', special, isNew: false }),
    repeatSpecial: (special) => setOpen({ kind: 'repeat', special }),
    removeSpecial: (special) => remove('specials', special),
    addHoliday: (on) =>
      setOpen({
        kind: 'holiday',
        holiday: { id: newId('holiday', overrides), from: on, to: on, blocks: [] },
        isNew: true,
      }),
    editHoliday: (holiday) => setOpen({ kind: 'holiday', holiday, isNew: false }),
    removeHoliday: (holiday) => remove('overrides', holiday),
    saveHoliday: (holiday) => set((known) => ({ overrides: putBlock(known.overrides ?? [], holiday) })),
  }
  const indexOf = (items: readonly { id: string }[], id: string) => items.findIndex((item) => item.id === id)
  return (
    <section aria-label="Calendar" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <MonthGrid document={document} today={today} selected={date} onSelect={setDate} />
        <DayPanel document={document} problems={problems} date={date} actions={actions} />
      </div>
      <UpcomingList document={document} today={today} actions={actions} onSelect={setDate} />
      {open?.kind === 'special' && (
        <SpecialDialog
          document={document}
          special={open.special}
          isNew={open.isNew}
          problems={problemsAt(problems, `/specials/${indexOf(specials, open.special.id)}`)}
          onSave={(special) => {
            set((known) => ({ specials: putBlock(known.specials ?? [], special) }))
            setDate(dateOf(special))
          }}
          onRemove={() => remove('specials', open.special)}
          onClose={close}
        />
      )}
      {open?.kind === 'repeat' && (
        <RepeatDialog
          special={open.special}
          onRepeat={(dates) => {
            set((known) => ({ specials: repeatOn(known.specials ?? [], open.special, dates) }))
            toast({
              title: 'Special repeated',
              description: `${open.special.name}: ${dates.length === 1 ? '1 date' : `${dates.length} dates`} added`,
              tone: 'success',
            })
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'holiday' && (
        <HolidayDialog
          document={document}
          holiday={open.holiday}
          isNew={open.isNew}
          problems={problemsAt(problems, `/overrides/${indexOf(overrides, open.holiday.id)}`)}
          onSave={(holiday) => {
            actions.saveHoliday(holiday)
            setDate(holiday.from)
          }}
          onRemove={() => remove('overrides', open.holiday)}
          onClose={close}
        />
      )}
    </section>
  )
}

const HOUR_MS = 3_600_000

const newSpecial = ({ specials = [], defaultSource }: ScheduleDocument, date: string): Special => ({
  id: newId('special', specials),
  name: 'New special',
  at: `${date}T20:00`,
  durationMs: HOUR_MS,
  start: 'hard',
  source: defaultSource,
})
