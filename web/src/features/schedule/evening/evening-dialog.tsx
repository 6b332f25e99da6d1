import { MAX_REPEATED_AIRINGS, type ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { serverClock } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { paths } from '../../../lib/paths.ts'
import { clockTime } from '../../../lib/time/date-locale.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { type FieldProblem, useForm } from '../../../ui/use-form.ts'
import { scheduleActions, usePreview, useSavedDraft } from '../api.ts'
import { saveSchedule } from '../draft/unsaved-schedule.ts'
import { NumberField } from '../fields/number-field.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { TimeField } from '../fields/time-field.tsx'
import { type Evening, eveningMs, withEvening } from '../model/evening.ts'
import { completeDraft } from '../model/new-schedule.ts'
import { durationText } from '../model/times.ts'
import { addDays, browserZone, dateIn, dateText, instantOf, timeIn } from '../model/zoned-time.ts'
import { ProgrammeList } from '../preview/programme-list.tsx'
import { type PastRange, usePastEvening } from './use-past-evening.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 360

/** Airs a past evening again: adds a special with its programmes to the draft of the channel's schedule. */
export function EveningDialog(props: { channelId: string; startedAtMs: number; onClose: () => void }) {
  const { channelId, onClose } = props
  const { data: draft, error, mutate } = useSavedDraft(channelId)
  return (
    <Dialog title="Watch together again" isOpen onClose={onClose} width="wide">
      {draft?.document ? (
        <EveningForm {...props} document={completeDraft(draft.document, browserZone())} />
      ) : draft ? (
        <EmptyNotice title="This channel has no schedule">
          A past evening is aired again as a special of the schedule. Create a schedule first.
        </EmptyNotice>
      ) : error ? (
        <ErrorNotice text="The schedule could not be loaded." onRetry={() => void mutate()} />
      ) : (
        <Spinner text="Loading the schedule..." className="py-12 text-muted" />
      )}
    </Dialog>
  )
}

function EveningForm(props: {
  channelId: string
  startedAtMs: number
  document: ScheduleDocument
  onClose: () => void
}) {
  const { channelId, document, onClose } = props
  const { timeZone } = document
  const navigate = useNavigate()
  const [day, setDay] = useState(dateIn(timeZone, props.startedAtMs))
  const [from, setFrom] = useState(timeIn(timeZone, props.startedAtMs))
  const [minutes, setMinutes] = useState<number | undefined>(60)
  const [date, setDate] = useState(() => addDays(dateIn(timeZone, serverClock.nowMs()), 1))
  const [time, setTime] = useState(from)
  const [name, setName] = useState<string>()
  const range = rangeOf(timeZone, { day, from, minutes })
  const past = usePastEvening(channelId, range)
  const title = name ?? (day === '' ? '' : `Again: ${dateText(day)}, ${from}`)
  const airings = past.data?.airings ?? []
  const evening: Evening = { channelId, airings, name: title.trim(), at: `${date}T${time}` }
  const form = useForm({
    check: () => problemOf(evening, timeZone, range),
    send: async () => {
      await addToDraft(evening, timeZone)
      toast({
        title: 'Added to the draft of the schedule',
        description: 'Publish the draft to announce the special.',
        tone: 'success',
      })
      onClose()
      void navigate(`${paths.schedule({ channel: channelId })}&tab=calendar`)
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to save the schedule', text: 'Please try again.' }),
  })
  return (
    <Form form={form}>
      <p className="text-sm text-muted">Times are local times of {timeZone}.</p>
      <fieldset className="grid items-start gap-4 sm:grid-cols-3">
        <legend className="pb-1 font-semibold">What was on</legend>
        <TimeField label="Day" type="date" field={form.field('day')} value={day} onChange={setDay} />
        <TimeField label="From" type="time" field={form.field('from')} value={from} onChange={setFrom} />
        <NumberField
          label="Minutes"
          min={1}
          max={MAX_MINUTES}
          step={1}
          {...form.field('minutes')}
          value={minutes}
          onChange={setMinutes}
        />
      </fieldset>
      <fieldset className="grid items-start gap-4 sm:grid-cols-3">
        <legend className="pb-1 font-semibold">When it is on again</legend>
        <TimeField label="Date" type="date" field={form.field('date')} value={date} onChange={setDate} />
        <TimeField label="Time" type="time" field={form.field('time')} value={time} onChange={setTime} />
        <TextField
          label="Title"
          maxLength={80}
          {...form.field('name')}
          value={title}
          onChange={(event) => setName(event.target.value)}
        />
      </fieldset>
      {range && (
        <Programmes {...{ channelId, document, evening, past }} hasStart={date !== '' && time !== ''} />
      )}
      <DialogActions onCancel={onClose}>
        <SubmitButton form={form}>Add to the schedule</SubmitButton>
      </DialogActions>
    </Form>
  )
}

/** The past time that the fields say; undefined while one of them is empty. */
function rangeOf(
  timeZone: string,
  { day, from, minutes }: { day: string; from: string; minutes: number | undefined },
): PastRange | undefined {
  if (day === '' || from === '' || minutes === undefined) return undefined
  const fromMs = instantOf(timeZone, day, from)
  return { fromMs, toMs: fromMs + minutes * MINUTE_MS }
}

/** The first thing that keeps an evening from being added. */
function problemOf(
  { airings, name, at }: Evening,
  timeZone: string,
  range: PastRange | undefined,
): FieldProblem | undefined {
  const [date = '', time = ''] = at.split('T')
  const nowMs = serverClock.nowMs()
  if (range === undefined) return { field: 'day', description: 'Enter a day, a time and a length' }
  if (range.fromMs >= nowMs) return { field: 'day', description: 'Choose a time that has passed' }
  if (airings.length === 0) return { field: 'day', description: 'Nothing of this time can be aired again' }
  if (airings.length > MAX_REPEATED_AIRINGS)
    return { field: 'minutes', description: `Choose at most ${MAX_REPEATED_AIRINGS} programmes` }
  if (date === '' || time === '') return { field: 'date', description: 'Enter a date and a time' }
  if (instantOf(timeZone, date, time) <= nowMs)
    return { field: 'date', description: 'Choose a time in the future' }
  return name === '' ? { field: 'name', description: 'Enter a title' } : undefined
}

/** Adds the special to the saved draft. Changes of an open editor are saved first. Throws ApiError. */
async function addToDraft(evening: Evening, timeZone: string): Promise<void> {
  const { channelId } = evening
  await saveSchedule(channelId)
  const saved = await scheduleActions.reloadDraft(channelId)
  if (!saved?.document) throw new Error('The channel has no schedule')
  const next = withEvening(completeDraft(saved.document, timeZone), evening)
  await scheduleActions.saveDraft(channelId, next, saved.etag)
}

/** What of the evening is aired again, what is left out, and what would be on. */
function Programmes(props: {
  channelId: string
  document: ScheduleDocument
  evening: Evening
  past: ReturnType<typeof usePastEvening>
  hasStart: boolean
}) {
  const { channelId, document, evening, past, hasStart } = props
  const { airings } = evening
  if (past.error)
    return <ErrorNotice text="The evening could not be loaded." onRetry={() => void past.mutate()} />
  if (!past.data) return <Spinner text="Loading the evening..." className="py-6 text-muted" />
  return (
    <>
      <p role="status" className="text-sm">
        {airings.length === 0
          ? 'Nothing of this time can be aired again.'
          : `${airings.length} ${airings.length === 1 ? 'programme' : 'programmes'}, ${durationText(eveningMs(airings))}.`}
      </p>
      <LeftOut entries={past.data.leftOut} />
      {airings.length > 0 && airings.length <= MAX_REPEATED_AIRINGS && hasStart && (
        <EveningPreview channelId={channelId} document={document} evening={evening} />
      )}
    </>
  )
}

function LeftOut({ entries }: { entries: readonly { id: string; startedAtMs: number; title: string }[] }) {
  if (entries.length === 0) return null
  return (
    <section aria-label="Left out" className="grid gap-1 text-sm">
      <h3 className="font-semibold">Left out, because the video cannot be played any longer</h3>
      <ul className="max-h-40 overflow-y-auto">
        {entries.map(({ id, startedAtMs, title }) => (
          <li key={id} className="wrap-anywhere">
            <span className="text-muted tabular-nums">{clockTime(startedAtMs)}</span> {title}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What would be on at the new time, and what keeps the special from being planned. */
function EveningPreview(props: { channelId: string; document: ScheduleDocument; evening: Evening }) {
  const { channelId, document, evening } = props
  const planned = withEvening(document, evening)
  const [date = '', time = ''] = evening.at.split('T')
  const startMs = instantOf(document.timeZone, date, time)
  const { data } = usePreview(channelId, planned, startMs, startMs + eveningMs(evening.airings))
  if (!data) return <Spinner text="Planning what changes..." className="py-6 text-muted" />
  return (
    <div className="grid max-h-80 gap-2 overflow-y-auto">
      <ProblemLines problems={data.problems.map(({ message }) => message)} />
      <ProgrammeList label="Preview" document={planned} programmes={data.programmes} />
    </div>
  )
}
