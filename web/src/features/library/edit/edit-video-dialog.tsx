import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { showFailure } from '../../../lib/failures.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { CATEGORIES } from '../../admin/categories.ts'
import { useLastEditor } from '../../audit/api.ts'
import { reloadTags } from '../api.ts'
import { TagField } from '../tags/tag-field.tsx'
import { tagProblem, tagsOf } from '../tags/tag-text.ts'
import { editVideo, readVideo, type VersionedVideo } from './api.ts'
import { TrimEditor } from './trim-editor.tsx'
import { trimProblem } from './trim-problem.ts'
import { editBody, FIELD_LABELS, fieldsOf, mergeFields, type VideoFields } from './video-fields.ts'

/** Edits the texts, category, tags, thumbnail and trim points of one video. */
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
  return (
    <Dialog title="Edit video" isOpen onClose={props.onClose}>
      {editing ? (
        <Form form={edit.form}>
          {editing.theirs.length > 0 && (
            <ChangedNotice
              videoId={props.videoId}
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
            value={editing.values.title}
            onChange={(event) => edit.change({ title: event.target.value })}
          />
          <OtherFields values={editing.values} onChange={edit.change} />
          <TrimEditor video={editing.base.body} values={editing.values} onChange={edit.change} />
          <DialogActions onCancel={props.onClose}>
            <SubmitButton form={edit.form} disabled={!isValid(editing.values, editing.base.body)}>
              {editing.conflicts.length > 0 ? 'Overwrite' : 'Save'}
            </SubmitButton>
          </DialogActions>
        </Form>
      ) : edit.hasFailed ? (
        <ErrorNotice text="Failed to load the video." onRetry={edit.retry} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </Dialog>
  )
}

const isValid = (values: VideoFields, video: Video): boolean =>
  values.title.trim() !== '' &&
  tagProblem(tagsOf(values.tags)) === undefined &&
  trimProblem(values, video) === undefined

function OtherFields(props: { values: VideoFields; onChange: (part: Partial<VideoFields>) => void }) {
  const { values, onChange } = props
  const choices = [...new Set([values.category, ...CATEGORIES])].map((value) => ({
    value,
    label: value || 'None',
  }))
  return (
    <>
      <TextField
        label={FIELD_LABELS.artistName}
        maxLength={200}
        value={values.artistName}
        onChange={(event) => onChange({ artistName: event.target.value })}
      />
      <TextField
        label={FIELD_LABELS.genre}
        maxLength={100}
        value={values.genre}
        onChange={(event) => onChange({ genre: event.target.value })}
      />
      <SelectField
        label={FIELD_LABELS.category}
        choices={choices}
        value={values.category}
        onChange={(category) => onChange({ category })}
      />
      <TagField
        label={FIELD_LABELS.tags}
        hint="Press Enter or type a comma to add a tag."
        value={values.tags}
        onChange={(tags) => onChange({ tags })}
      />
      <div className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            label={FIELD_LABELS.thumbnailUrl}
            hint="From YouTube, this site or an allowed origin. Leave empty for the default thumbnail."
            inputMode="url"
            maxLength={2048}
            value={values.thumbnailUrl}
            onChange={(event) => onChange({ thumbnailUrl: event.target.value })}
          />
        </div>
        <Thumbnail url={values.thumbnailUrl.trim() || null} className="w-28 shrink-0 rounded-sm" />
      </div>
    </>
  )
}

/** Lists what another admin changed while the dialog was open. */
function ChangedNotice(props: {
  videoId: string
  theirs: (keyof VideoFields)[]
  conflicts: (keyof VideoFields)[]
  latest: VideoFields
}) {
  const { theirs, conflicts, latest } = props
  const changedBy = useLastEditor('video', props.videoId)
  return (
    <div role="alert" className="grid gap-1 rounded-md border border-accent px-3 py-2 text-sm">
      <p className="font-medium">Someone else changed this video. Your changes are not saved yet.</p>
      {changedBy && <p className="[overflow-wrap:anywhere]">Changed by {changedBy}.</p>}
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

interface Editing {
  base: VersionedVideo
  values: VideoFields
  /** Fields that another admin changed while the dialog was open. */
  theirs: (keyof VideoFields)[]
  /** Fields that both changed: saving overwrites the other admin's value. */
  conflicts: (keyof VideoFields)[]
}

/**
 * Edits one video: loads it, holds the form values and saves the changed fields. If another admin changed the video in
 * the meantime, nothing is saved: their changes are merged into the form, and the admin decides again.
 */
function useVideoEdit(videoId: string, onSaved: (video: Video) => void, onClose: () => void) {
  const [editing, setEditing] = useState<Editing | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    readVideo(videoId)
      .then((base) => {
        if (isCurrent) setEditing({ base, values: fieldsOf(base.body), theirs: [], conflicts: [] })
      })
      .catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
    }
  }, [videoId, attempt])

  const merge = async (known: Editing) => {
    const latest = await readVideo(videoId)
    setEditing({
      base: latest,
      ...mergeFields(fieldsOf(known.base.body), known.values, fieldsOf(latest.body)),
    })
  }

  const form = useForm({
    send: async () => {
      if (editing === null) return
      const { base, values } = editing
      const body = editBody(fieldsOf(base.body), values)
      if (body === undefined) return onClose()
      const video = await editVideo(videoId, body, base.etag)
      onSaved(video)
      if (body.tags) reloadTags()
      toast({ title: 'Video updated', description: video.title, tone: 'success' })
      onClose()
    },
    onFailure: (failure) => {
      const isOutdated = failure instanceof ApiError && failure.code === 'precondition_failed'
      if (isOutdated && editing) void merge(editing).catch(() => setFailed(true))
      else showFailure(failure, { title: 'Failed to update video', text: 'Please try again.' })
    },
  })

  return {
    editing,
    form,
    hasFailed,
    retry: () => setAttempt((count) => count + 1),
    change: (part: Partial<VideoFields>) =>
      setEditing((known) => known && { ...known, values: { ...known.values, ...part } }),
  }
}
