import { MAX_REPEATED_AIRINGS, type ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { serverClock } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { paths } from '../../../lib/paths.ts'
import { clockTime } from '../../../lib/time/date-locale.ts'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
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
import { type Evening, eveningMs, plannedAgain, withEvening } from '../model/evening.ts'
import { completeDraft } from '../model/new-schedule.ts'
import { dateOf, startLabel } from '../model/specials.ts'
import { durationText } from '../model/times.ts'
import { addDays, browserZone, dateIn, dateText, instantOf, timeIn } from '../model/zoned-time.ts'
import { ProgrammeList } from '../preview/programme-list.tsx'
import { type PastRange, usePastEvening } from './use-past-evening.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 360

/** What the form says; times and dates are local ones of the channel. */
interface Fields {
  day: string
  from: string
  minutes: number | undefined
  date: string
  time: string
  /** Undefined: the title follows the day and the time. */
  name: string | undefined
}

/** Airs a past evening again: adds a special with its programmes to the draft of the channel's schedule. */
export function EveningDialog(props: { channelId: string; startedAtMs: number; onClose: () => void }) {
  const { channelId, startedAtMs, onClose } = props
  const { data: draft, error, mutate } = useSavedDraft(channelId)
  const [openedMs] = useState(() => serverClock.nowMs())
  const [changes, setChanges] = useState<Partial<Fields>>({})
  const document = draft?.document ? completeDraft(draft.document, browserZone()) : undefined
  const before = document && fieldsOf(document.timeZone, startedAtMs, openedMs)
  const now = before && { ...before, ...changes }
  return (
    <EditDialog title="Watch together again" before={before} now={now} isOpen onClose={onClose} width="wide">
      {document && now ? (
        <EveningForm
          {...{ channelId, document, onClose }}
          fields={now}
          onChange={(changed) => setChanges({ ...changes, ...changed })}
        />
      ) : draft ? (
        <EmptyNotice title="This channel has no schedule">
          A past evening is aired again as a special of the schedule. Create a schedule first.
        </EmptyNotice>
      ) : error ? (
        <ErrorNotice text="The schedule could not be loaded." onRetry={() => void mutate()} />
      ) : (
        <Spinner text="Loading the schedule..." className="py-12 text-muted" />
      )}
    </EditDialog>
  )
}

/** An hour from a programme on, tomorrow at the same time. */
function fieldsOf(timeZone: string, startedAtMs: number, openedMs: number): Fields {
  const from = timeIn(timeZone, startedAtMs)
  const date = addDays(dateIn(timeZone, openedMs), 1)
  return { day: dateIn(timeZone, startedAtMs), from, minutes: 60, date, time: from, name: undefined }
}

function EveningForm(props: {
  channelId: string
  document: ScheduleDocument
  fields: Fields
  onChange: (changed: Partial<Fields>) => void
  onClose: () => void
}) {
  const { channelId, document, fields, onChange, onClose } = props
  const { timeZone } = document
  const { day, from, minutes, date, time, name } = fields
  const navigate = useNavigate()
  const range = rangeOf(timeZone, fields)
  const past = usePastEvening(channelId, range)
  const title = name ?? (day === '' ? '' : `Again: ${dateText(day)}, ${from}`)
  const airings = past.data?.airings ?? []
  const evening: Evening = { channelId, airings, name: title.trim(), at: `${date}T${time}` }
  const form = useForm({
    check: () => problemOf(evening, document, range),
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
  const input = (field: 'day' | 'from' | 'date' | 'time') => ({
    field: form.field(field),
    value: fields[field],
    onChange: (value: string) => onChange({ [field]: value }),
  })
  return (
    <Form form={form}>
      <p className="text-sm text-muted">Times are local times of {timeZone}.</p>
      <fieldset className="grid items-start gap-4 sm:grid-cols-3">
        <legend className="pb-1 font-semibold">What was on</legend>
        <TimeField label="Day" type="date" {...input('day')} />
        <TimeField label="From" type="time" {...input('from')} />
        <NumberField
          label="Minutes"
          min={1}
          max={MAX_MINUTES}
          step={1}
          {...form.field('minutes')}
          value={minutes}
          onChange={(value) => onChange({ minutes: value })}
        />
      </fieldset>
      <fieldset className="grid items-start gap-4 sm:grid-cols-3">
        <legend className="pb-1 font-semibold">When it is on again</legend>
        <TimeField label="Date" type="date" {...input('date')} />
        <TimeField label="Time" type="time" {...input('time')} />
        <TextField
          label="Title"
          maxLength={80}
          {...form.field('name')}
          value={title}
          onChange={(event) => onChange({ name: event.target.value })}
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
  { day, from, minutes }: Pick<Fields, 'day' | 'from' | 'minutes'>,
): PastRange | undefined {
  if (day === '' || from === '' || minutes === undefined) return undefined
  const fromMs = instantOf(timeZone, day, from)
  return { fromMs, toMs: fromMs + minutes * MINUTE_MS }
}

/** The first thing that keeps an evening from being added. */
function problemOf(
  evening: Evening,
  document: ScheduleDocument,
  range: PastRange | undefined,
): FieldProblem | undefined {
  const { airings, name, at } = evening
  const { timeZone } = document
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
  if (plannedAgain(document, evening, nowMs).some((special) => special.at.slice(0, 16) === at))
    return { field: 'date', description: 'The draft airs this evening at this time already' }
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
      <PlannedAlready document={document} evening={evening} />
      <LeftOut entries={past.data.leftOut} />
      {airings.length > 0 && airings.length <= MAX_REPEATED_AIRINGS && hasStart && (
        <EveningPreview channelId={channelId} document={document} evening={evening} />
      )}
    </>
  )
}

/** The specials of the draft that air something of the evening already. */
function PlannedAlready({ document, evening }: { document: ScheduleDocument; evening: Evening }) {
  const specials = plannedAgain(document, evening, serverClock.nowMs())
  if (specials.length === 0) return null
  return (
    <section aria-label="Already in the draft" className="grid gap-1 text-sm">
      <h3 className="font-semibold">Already in the draft of the schedule</h3>
      <ul>
        {specials.map((special) => (
          <li key={special.id} className="wrap-anywhere">
            {special.name}{' '}
            <span className="text-muted tabular-nums">
              on {dateText(dateOf(special))}, {startLabel(special)}
            </span>
          </li>
        ))}
      </ul>
    </section>
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
