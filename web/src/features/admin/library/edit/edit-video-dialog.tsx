import type { Video } from '@looptide/contracts/http/videos'
import { type SubmitEvent, useEffect, useRef } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { ErrorNotice } from '../../../../ui/notice.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../../ui/thumbnail.tsx'
import { CATEGORIES } from '../categories.ts'
import { useVideoEdit } from './use-video-edit.ts'
import { FIELD_LABELS, fieldsOf, type VideoFields } from './video-fields.ts'

/** Edits title, artist, genre, category and thumbnail of one video. */
export function EditVideoDialog(props: {
  videoId: string
  onSaved: (video: Video) => void
  onClose: () => void
}) {
  const edit = useVideoEdit(props.videoId, props.onSaved, props.onClose)
  const { editing } = edit
  const title = useRef<HTMLInputElement>(null)
  const isLoaded = editing !== null
  useEffect(() => {
    if (isLoaded) title.current?.focus()
  }, [isLoaded])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void edit.save()
  }
  return (
    <Dialog title="Edit video" isOpen onClose={props.onClose}>
      {editing ? (
        <form onSubmit={submit} noValidate className="grid gap-4">
          {editing.theirs.length > 0 && (
            <ChangedNotice
              theirs={editing.theirs}
              conflicts={editing.conflicts}
              latest={fieldsOf(editing.base.body)}
            />
          )}
          <TextField
            ref={title}
            label={FIELD_LABELS.title}
            required
            maxLength={300}
            value={editing.form.title}
            onChange={(event) => edit.change({ title: event.target.value })}
          />
          <OtherFields form={editing.form} onChange={edit.change} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={props.onClose}>Cancel</Button>
            <Button type="submit" tone="primary" disabled={edit.isBusy || editing.form.title.trim() === ''}>
              {editing.conflicts.length > 0 ? 'Overwrite' : 'Save'}
            </Button>
          </div>
        </form>
      ) : edit.hasFailed ? (
        <ErrorNotice text="Failed to load the video." onRetry={edit.retry} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </Dialog>
  )
}

function OtherFields(props: { form: VideoFields; onChange: (part: Partial<VideoFields>) => void }) {
  const { form, onChange } = props
  const choices = [...new Set([form.category, ...CATEGORIES])].map((value) => ({
    value,
    label: value || 'None',
  }))
  return (
    <>
      <TextField
        label={FIELD_LABELS.artistName}
        maxLength={200}
        value={form.artistName}
        onChange={(event) => onChange({ artistName: event.target.value })}
      />
      <TextField
        label={FIELD_LABELS.genre}
        maxLength={100}
        value={form.genre}
        onChange={(event) => onChange({ genre: event.target.value })}
      />
      <SelectField
        label={FIELD_LABELS.category}
        choices={choices}
        value={form.category}
        onChange={(category) => onChange({ category })}
      />
      <div className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            label={FIELD_LABELS.thumbnailUrl}
            hint="From YouTube, this site or an allowed origin. Leave empty for the default thumbnail."
            inputMode="url"
            maxLength={2048}
            value={form.thumbnailUrl}
            onChange={(event) => onChange({ thumbnailUrl: event.target.value })}
          />
        </div>
        <Thumbnail url={form.thumbnailUrl.trim() || null} className="w-28 shrink-0 rounded-sm" />
      </div>
    </>
  )
}

/** Lists what another admin changed while the dialog was open. */
function ChangedNotice(props: {
  theirs: (keyof VideoFields)[]
  conflicts: (keyof VideoFields)[]
  latest: VideoFields
}) {
  const { theirs, conflicts, latest } = props
  return (
    <div role="alert" className="grid gap-1 rounded-md border border-accent px-3 py-2 text-sm">
      <p className="font-medium">Someone else changed this video. Your changes are not saved yet.</p>
      <ul className="list-inside list-disc">
        {theirs.map((field) => (
          <li key={field} className="break-words">
            {FIELD_LABELS[field]} is now “{latest[field] || 'none'}”.
            {conflicts.includes(field) && ' Saving overwrites it.'}
          </li>
        ))}
      </ul>
    </div>
  )
}
