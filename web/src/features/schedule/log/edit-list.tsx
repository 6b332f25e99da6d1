import type { LogEdit } from '@looptide/contracts/http/log'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useProfiles } from '../../audit/api.ts'
import { dateTimeIn } from '../model/zoned-time.ts'
import { ACTION_LABELS, editText } from './log-texts.ts'

/** The edits of a log that are still to come, newest first, each with Undo. */
export function EditList(props: {
  edits: readonly LogEdit[]
  timeZone: string
  onUndo: (editId: string) => Promise<void>
}) {
  const { edits, timeZone } = props
  const profiles = useProfiles(edits.map(({ createdBy }) => ({ adminUserId: createdBy, targetUserId: null })))
  return (
    <section
      aria-labelledby="log-edits"
      className="grid content-start gap-2 rounded-lg border border-line/70 bg-panel p-4"
    >
      <h3 id="log-edits" className="font-semibold">
        Edits still to come
      </h3>
      {edits.length === 0 ? (
        <p className="text-sm text-muted">None. An edit is listed here until its programme has aired.</p>
      ) : (
        <ol
          aria-labelledby="log-edits"
          className="grid max-h-[60dvh] divide-y divide-line/50 overflow-y-auto"
        >
          {edits.map((edit) => (
            <EditLine
              key={edit.id}
              edit={edit}
              timeZone={timeZone}
              author={profiles.get(edit.createdBy ?? '')?.handle ?? undefined}
              onUndo={() => props.onUndo(edit.id)}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

function EditLine(props: {
  edit: LogEdit
  timeZone: string
  author: string | undefined
  onUndo: () => Promise<void>
}) {
  const { edit, timeZone, author, onUndo } = props
  const [isBusy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    await onUndo()
    setBusy(false)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <div className="min-w-0 flex-1 basis-40">
        <p className="wrap-anywhere">
          {ACTION_LABELS[edit.action]} <span className="font-medium">{edit.title}</span>{' '}
          <span className="text-muted">{edit.artistName}</span>
        </p>
        <p className="text-muted">
          {dateTimeIn(timeZone, Date.parse(edit.startsAt))}
          {author && ` · @${author}`}
        </p>
        {!edit.isUndoable && <p className="text-muted">A later edit builds on it. Undo that one first.</p>}
      </div>
      {edit.isUndoable && (
        <Button
          icon="undo"
          isBusy={isBusy}
          aria-label={`Undo: ${editText(edit)}`}
          onClick={() => void undo()}
        >
          Undo
        </Button>
      )}
    </li>
  )
}
