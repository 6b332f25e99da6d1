import type { Video } from '@looptide/contracts/http/videos'
import type { Exclusion, ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { VideoPicker } from '../../admin/video-picker.tsx'
import { useSourceMatches } from '../api.ts'
import type { OpenEditor, TabProps } from '../draft/use-schedule-editor.ts'
import { NumberField } from '../fields/number-field.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { TimeZoneField } from '../fields/time-zone-field.tsx'
import { nextMonday, withExclusion } from '../model/exclusions.ts'
import { problemsAt } from '../model/problem-place.ts'
import { dateIn, dateText } from '../model/zoned-time.ts'
import { RulesFields } from './rules-fields.tsx'

const DEFAULT_FREEZE_MINUTES = 10

/** The rules of the channel, the excluded songs, and the settings of the whole schedule. */
export function RulesTab({ editor, problems }: TabProps) {
  const { document } = editor
  const set = (change: Partial<ScheduleDocument>, part: string) =>
    editor.change((known) => ({ ...known, ...change }), part)
  const sources = Object.keys(document.sources)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Rules of the channel">
        <ProblemLines problems={problemsAt(problems, '/rules')} />
        <RulesFields rules={document.rules ?? {}} onChange={(rules) => set({ rules }, 'rules')} />
      </Card>
      <div className="grid gap-4">
        <Card title="Excluded songs">
          <ExcludedSongs editor={editor} />
          <ProblemLines problems={problemsAt(problems, '/exclusions')} />
        </Card>
        <Card title="Settings">
          <TimeZoneField
            value={document.timeZone}
            problem={problemsAt(problems, '/timeZone')[0]}
            onChange={(timeZone) => set({ timeZone }, 'time zone')}
          />
          <div className="grid gap-1.5">
            <SelectField
              label="Default source"
              choices={[...new Set([...sources, document.defaultSource])].map((value) => ({
                value,
                label: value,
              }))}
              value={document.defaultSource}
              onChange={(defaultSource) => set({ defaultSource }, 'default source')}
            />
            <p className="text-sm text-muted">
              Plays outside blocks, and whenever a block has nothing to play.
            </p>
            <ProblemLines problems={problemsAt(problems, '/defaultSource')} />
          </div>
          <NumberField
            label="Protected minutes"
            hint="Publishing changes nothing that starts within this time."
            min={0}
            max={1440}
            step={1}
            value={document.freezeMinutes ?? DEFAULT_FREEZE_MINUTES}
            onChange={(minutes) =>
              minutes !== undefined && set({ freezeMinutes: Math.round(minutes) }, 'protected minutes')
            }
          />
        </Card>
      </div>
    </div>
  )
}

function Card({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-4 rounded-lg border border-line/70 bg-panel p-4">
      <h3 className="text-lg font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** The songs excluded until a date. Exclusions whose date has passed have no effect and are not shown. */
function ExcludedSongs({ editor }: { editor: OpenEditor }) {
  const { document, channel, change } = editor
  const [isAdding, setAdding] = useState(false)
  const today = dateIn(document.timeZone, serverClock.nowMs())
  const current = (document.exclusions ?? []).filter(({ untilDate }) => untilDate > today)
  const remove = (videoId: string) =>
    change((known) => ({
      ...known,
      exclusions: (known.exclusions ?? []).filter((exclusion) => exclusion.videoId !== videoId),
    }))
  return (
    <>
      {current.length === 0 ? (
        <p className="text-sm text-muted">
          No excluded songs. An excluded song airs again from the date that you choose.
        </p>
      ) : (
        <ul aria-label="Excluded songs" className="grid gap-1">
          {current.map((exclusion) => (
            <Row
              key={exclusion.videoId}
              channelId={channel.id}
              exclusion={exclusion}
              onRemove={() => remove(exclusion.videoId)}
            />
          ))}
        </ul>
      )}
      <Button icon="ban" className="justify-self-start" onClick={() => setAdding(true)}>
        Exclude a song
      </Button>
      {isAdding && (
        <ExcludeSongDialog
          today={today}
          onSave={(exclusion) => change((known) => withExclusion(known, exclusion))}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

function Row(props: { channelId: string; exclusion: Exclusion; onRemove: () => void }) {
  const { videoId, untilDate } = props.exclusion
  const { data } = useSourceMatches(props.channelId, { kind: 'video', videoId })
  const title = data?.items[0]?.title ?? (data ? 'Deleted video' : 'Loading...')
  return (
    <li className="flex items-center gap-2 rounded-md bg-raised/60 pl-3">
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm text-muted">Airs again from {dateText(untilDate)}</p>
      </div>
      <IconButton icon="remove" label={`Let ${title} air again`} onClick={props.onRemove} />
    </li>
  )
}

/** Asks for a song and the date on which it may air again; next Monday is suggested. */
function ExcludeSongDialog(props: {
  today: string
  onSave: (exclusion: Exclusion) => void
  onClose: () => void
}) {
  const { today, onSave, onClose } = props
  const [video, setVideo] = useState<Video | null>(null)
  const [date, setDate] = useState(nextMonday(today))
  const form = useForm({
    check: () => (date > today ? undefined : { field: 'until', description: 'Choose a date in the future' }),
    send: async () => {
      if (video) onSave({ videoId: video.id, untilDate: date })
      onClose()
    },
  })
  return (
    <Dialog title="Exclude a song" isOpen onClose={onClose}>
      <Form form={form}>
        <VideoPicker chosen={video} onChoose={setVideo} />
        <TextField
          label="Airs again from"
          type="date"
          {...form.field('until')}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={video === null}>
            Exclude song
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
