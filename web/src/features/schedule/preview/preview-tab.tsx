import type { SchedulePreview } from '@looptide/contracts/http/schedules'
import { useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { TextField } from '../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { usePreview } from '../api.ts'
import type { OpenEditor } from '../draft/use-schedule-editor.ts'
import { nextMonday, withExclusion } from '../model/exclusions.ts'
import { dateIn, dateText, instantOf, timeIn } from '../model/zoned-time.ts'
import { ProgrammeList } from './programme-list.tsx'

const HOUR_MS = 3_600_000

const LENGTHS = [
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '24 hours' },
]

/** What the draft would put on the air on any day from any hour, with the reason of each programme. */
export function PreviewTab({ editor }: { editor: OpenEditor }) {
  const { document, channel, change } = editor
  const { timeZone } = document
  const [nowMs] = useState(serverClock.nowMs)
  const today = dateIn(timeZone, nowMs)
  const [date, setDate] = useState(today)
  const [time, setTime] = useState(timeIn(timeZone, nowMs))
  const [hours, setHours] = useState('6')
  const fromMs = instantOf(timeZone, date || today, time || '00:00')
  const { data, error, isValidating, mutate } = usePreview(
    channel.id,
    document,
    fromMs,
    fromMs + Number(hours) * HOUR_MS,
  )
  const excludeThisWeek = (videoId: string, title: string) => {
    const untilDate = nextMonday(today)
    change((known) => withExclusion(known, { videoId, untilDate }))
    toast({ title: `${title} excluded`, description: `It airs again from ${dateText(untilDate)}.` })
  }
  return (
    <section aria-label="Preview" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid items-end gap-4 sm:grid-cols-[repeat(3,minmax(0,12rem))_1fr]">
        <TextField label="Day" type="date" value={date} onChange={(event) => setDate(event.target.value)} />
        <TextField label="From" type="time" value={time} onChange={(event) => setTime(event.target.value)} />
        <SelectField label="Length" choices={LENGTHS} value={hours} onChange={setHours} />
        <p className="self-center text-sm text-muted">
          This is the draft. Times are local times of {timeZone}. Viewers do not see it until you publish.
        </p>
      </div>
      {data ? (
        <Result preview={data} editor={editor} isBusy={isValidating} onExclude={excludeThisWeek} />
      ) : error ? (
        <ErrorNotice text="Failed to plan the preview." onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading preview" className="grid gap-2">
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={String(index)} className="h-14" />
          ))}
        </div>
      )}
    </section>
  )
}

function Result(props: {
  preview: SchedulePreview
  editor: OpenEditor
  isBusy: boolean
  onExclude: (videoId: string, title: string) => void
}) {
  const { preview, editor, isBusy, onExclude } = props
  const { programmes, breaches, problems, isExact } = preview
  if (problems.length > 0 && programmes.length === 0) {
    return (
      <EmptyNotice title="Nothing can be planned yet">
        Fix {problems.length === 1 ? 'the problem' : `the ${problems.length} problems`} listed above first.
      </EmptyNotice>
    )
  }
  const cuts = programmes.filter(({ cut }) => cut).length
  return (
    <>
      <p role="status" className="text-sm font-medium">
        {programmes.length} programmes.{' '}
        {breaches.length === 0
          ? 'All rules are met.'
          : `${breaches.length === 1 ? '1 rule was' : `${breaches.length} rules were`} relaxed.`}{' '}
        {cuts > 0 && `${cuts === 1 ? '1 video is' : `${cuts} videos are`} cut short for an exact start. `}
        {problems.length > 0 && 'Where blocks overlap, the one that starts later is on. '}
        {!isExact && 'This far ahead, the songs are only an example.'}
      </p>
      <ProgrammeList
        label="Programmes"
        document={editor.document}
        programmes={programmes}
        breaches={breaches}
        isBusy={isBusy}
        onExclude={onExclude}
      />
    </>
  )
}
