import type { Video } from '@looptide/contracts/http/videos'
import { useEffect, useRef, useState } from 'react'
import { isVersionConflict } from '../../../lib/api/api-error.ts'
import { showFailure } from '../../../lib/failures.ts'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { CATEGORIES } from '../../admin/categories.ts'
import { ConflictNotice } from '../../admin/drafts/conflict-notice.tsx'
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
    <EditDialog
      title="Edit video"
      before={editing && fieldsOf(editing.base.body)}
      now={editing ? editing.values : null}
      isOpen
      onClose={props.onClose}
    >
      {editing ? (
        <Form form={edit.form}>
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
          {editing.latest ? (
            <VideoConflict editing={editing} latest={editing.latest} onChoose={edit.rebase} />
          ) : (
            <DialogActions onCancel={props.onClose}>
              <SubmitButton form={edit.form} disabled={!isValid(editing.values, editing.base.body)}>
                Save
              </SubmitButton>
            </DialogActions>
          )}
        </Form>
      ) : edit.hasFailed ? (
        <ErrorNotice text="Failed to load the video." onRetry={edit.retry} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </EditDialog>
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

/** Lists what another admin changed while the dialog was open, and offers to merge or to overwrite it. */
function VideoConflict(props: {
  editing: Editing
  latest: VersionedVideo
  /** Continues with these values, based on the latest version. */
  onChoose: (values: VideoFields) => void
}) {
  const { base, values } = props.editing
  const [before, now] = [fieldsOf(base.body), fieldsOf(props.latest.body)]
  const merged = mergeFields(before, values, now)
  return (
    <ConflictNotice
      title="Another admin has changed this video."
      changedBy={useLastEditor('video', base.body.id)}
      onMerge={() => props.onChoose(merged.values)}
      onOverwrite={() => props.onChoose(values)}
    >
      <ul className="grid gap-0.5">
        {merged.theirs.map((field) => (
          <li key={field} className="wrap-anywhere">
            <span className="text-muted">{FIELD_LABELS[field]}: </span>
            {before[field] || 'none'} → {now[field] || 'none'}
            {merged.conflicts.includes(field) && ' (you have changed it too: yours is kept)'}
          </li>
        ))}
      </ul>
    </ConflictNotice>
  )
}

interface Editing {
  base: VersionedVideo
  values: VideoFields
  /** The version that another admin has saved while the dialog was open, until the admin has decided. */
  latest?: VersionedVideo
}

const FAILED = { title: 'Failed to update video', text: 'Please try again.' }

/**
 * Edits one video: loads it, holds the form values and saves the changed fields. If another admin changed the video in
 * the meantime, nothing is saved until the admin has decided what happens to their changes.
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
        if (isCurrent) setEditing({ base, values: fieldsOf(base.body) })
      })
      .catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
    }
  }, [videoId, attempt])

  const showConflict = async () => {
    const latest = await readVideo(videoId)
    setEditing((known) => known && { ...known, latest })
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
      if (isVersionConflict(failure)) void showConflict().catch(() => showFailure(failure, FAILED))
      else showFailure(failure, FAILED)
    },
  })

  return {
    editing,
    form,
    hasFailed,
    retry: () => setAttempt((count) => count + 1),
    rebase: (values: VideoFields) =>
      setEditing((known) => (known?.latest ? { base: known.latest, values } : known)),
    change: (part: Partial<VideoFields>) =>
      setEditing((known) => known && { ...known, values: { ...known.values, ...part } }),
  }
}
