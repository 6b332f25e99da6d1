import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSession } from '../../../lib/session/session.tsx'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { useServerNow } from '../../../lib/time/use-server-now.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { usePastTakeovers, useTakeover } from '../../takeover/api.ts'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { mondayOf, type RealDay, realWeek, type ShownTakeover, takeoversOn } from '../model/real-week.ts'
import { addDays, dateIn } from '../model/zoned-time.ts'
import { type OpenItem, RealWeekDialog } from './real-week-dialog.tsx'
import { RealWeekGrid } from './real-week-grid.tsx'
import { RealWeekList } from './real-week-list.tsx'

const MINUTE_MS = 60_000
const WEEK_DAYS = 7

/** The dates of one week with what the draft puts on the air at them, and the takeover that is on. */
export function RealWeek(
  props: TabProps & {
    isGrid: boolean
    controls: ReactNode
    /** The first date of the week. */
    monday: string
    onShow: (monday: string | undefined) => void
  },
) {
  const { editor, problems, isGrid, monday, onShow } = props
  const { document, channel } = editor
  const { timeZone } = document
  const [open, setOpen] = useState<OpenItem>()
  const content = useRef<HTMLDivElement>(null)
  const nowMs = useServerNow(MINUTE_MS)
  const today = dateIn(timeZone, nowMs)
  const days = realWeek(document, monday)
  const takeovers = useTakeovers(channel.id, days, nowMs)
  const shared = {
    days: days.map((day) => ({ ...day, takeovers: takeoversOn(day, timeZone, takeovers) })),
    ...{ today, nowMs, timeZone },
    onOpen: setOpen,
  }
  const scrollToNow = (block: ScrollLogicalPosition) =>
    content.current?.querySelector('[data-now]')?.scrollIntoView({ block })
  // It opens at the present time, and scrolls as little as possible: its controls are above it.
  useEffect(() => void scrollToNow('nearest'), [])
  const showToday = () => {
    onShow(mondayOf(today))
    scrollToNow('center')
  }
  return (
    <section data-print aria-label="Week" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex items-center gap-1 print:hidden">
          <IconButton icon="back" label="Previous week" onClick={() => onShow(addDays(monday, -WEEK_DAYS))} />
          <Button onClick={showToday}>Today</Button>
          <IconButton icon="forward" label="Next week" onClick={() => onShow(addDays(monday, WEEK_DAYS))} />
        </div>
        <h3 aria-live="polite" className="mr-auto text-lg font-semibold">
          <span className="hidden print:inline">{channel.name}: </span>
          {weekText(days)}
        </h3>
        {props.controls}
      </div>
      <div ref={content}>{isGrid ? <RealWeekGrid {...shared} /> : <RealWeekList {...shared} />}</div>
      <p className="text-sm text-muted">
        {editor.hasChanges
          ? 'This is the draft. Viewers do not see its changes until you publish.'
          : 'This is what is published.'}{' '}
        Outside blocks the channel plays {document.defaultSource}. Times are local times of {timeZone}.
      </p>
      {open && (
        <RealWeekDialog
          document={document}
          open={open}
          problems={problems}
          change={editor.change}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/**
 * The takeovers of these days: those of the past, and the one that is on, up to its end if it has one, for those who may see
 * it.
 */
function useTakeovers(channelId: string, days: readonly RealDay[], nowMs: number): ShownTakeover[] {
  const { may } = useSession()
  const current = useTakeover(may('takeovers:run') ? channelId : undefined).data?.takeover
  const [fromMs, toMs] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 0]
  const { data } = usePastTakeovers(fromMs < nowMs ? channelId : undefined, { fromMs, toMs })
  const past = (data?.items ?? []).map((one) => ({
    ...{ title: one.title, startMs: one.startsAtMs, endMs: one.endsAtMs },
  }))
  if (!current) return past
  const { title, startsAtMs, endsAtMs } = current
  const endMs = endsAtMs ?? Math.max(nowMs, startsAtMs + MINUTE_MS)
  return [...past.filter(({ endMs: overMs }) => overMs <= startsAtMs), { title, startMs: startsAtMs, endMs }]
}

/** The dates of a week: "November 23 – 29, 2026". */
function weekText(days: readonly RealDay[]): string {
  const format = new Intl.DateTimeFormat(dateLocale, { timeZone: 'UTC', dateStyle: 'long' })
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  return format.formatRange(Date.parse(first.date), Date.parse(last.date))
}
