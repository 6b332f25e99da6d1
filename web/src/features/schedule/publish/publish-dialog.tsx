import type { PublishPreview } from '@looptide/contracts/http/schedules'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { DialogActions } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.ts'
import { scheduleActions } from '../api.ts'
import { ChangeList } from '../draft/change-list.tsx'
import type { OpenEditor } from '../draft/use-schedule-editor.ts'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { changesBetween, changesGuideTexts } from '../model/compare.ts'
import { effectText } from '../model/sentences.ts'
import { dateTimeIn } from '../model/zoned-time.ts'
import { ProgrammeList } from '../preview/programme-list.tsx'

const MAX_NOTE = 500
/** Number of programmes shown of those that change. */
const SHOWN = 6

type State = { preview: PublishPreview; etag: string } | 'loading' | 'failed'

/** Shows what publishing the draft changes on the air, and publishes it, or submits it for approval. */
export function PublishDialog({ editor, onClose }: { editor: OpenEditor; onClose: () => void }) {
  const { channel, document, needsApproval, submission } = editor
  const [note, setNote] = useState(submission?.note ?? '')
  const [state, setState] = useState<State>('loading')
  const { isBusy, run } = useAction()
  const load = useEffectEvent(async () => {
    setState('loading')
    try {
      const etag = await editor.saveNow()
      setState({ preview: await scheduleActions.previewPublication(channel.id, etag), etag })
    } catch {
      setState('failed')
    }
  })
  useEffect(() => void load(), [])
  const publish = async (etag: string) => {
    const action = needsApproval ? 'submit' : 'publish'
    const failed = { title: `Failed to ${action} the schedule`, text: 'Please try again.' }
    const isDone = await run(async () => {
      if (needsApproval) {
        await scheduleActions.submit(channel.id, etag, note)
        toast({ title: 'Submitted for approval', tone: 'success' })
        return
      }
      const { version, ...effect } = await scheduleActions.publish(channel.id, etag, note)
      toast({
        title: `Version ${version} is published`,
        description: effectText(effect, document.timeZone),
        tone: 'success',
        durationMs: 8_000,
      })
    }, failed)
    if (isDone) onClose()
    else setState('failed')
  }
  return (
    <Dialog
      title={
        needsApproval
          ? `Submit the schedule of ${channel.name} for approval`
          : `Publish the schedule of ${channel.name}`
      }
      isOpen
      onClose={onClose}
      width="wide"
    >
      {state === 'loading' ? (
        <Spinner text="Planning what changes..." className="py-12 text-muted" />
      ) : state === 'failed' ? (
        <ErrorNotice
          text="The draft could not be compared with what is on the air."
          onRetry={() => void load()}
        />
      ) : (
        <div className="grid gap-5">
          <ProblemLines problems={state.preview.problems.map(({ message }) => message)} />
          <section aria-label="Changes of the draft" className="grid gap-1 text-sm">
            <h3 className="text-base font-semibold">
              {editor.published?.document ? 'Since the published version' : 'The first version'}
            </h3>
            <ChangeList changes={changesBetween(editor.published?.document ?? null, document)} />
          </section>
          <TextArea
            label="Note (optional)"
            hint="What the version changes, and why."
            rows={2}
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <Effect preview={state.preview} editor={editor} />
          <DialogActions onCancel={onClose}>
            <Button
              tone="primary"
              isBusy={isBusy}
              disabled={state.preview.problems.length > 0}
              onClick={() => void publish(state.etag)}
            >
              {needsApproval ? 'Submit for approval' : 'Publish'}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

/** What changes on the air, with the first programmes before and after. */
function Effect({ preview, editor }: { preview: PublishPreview; editor: OpenEditor }) {
  const { document } = editor
  const { changesFrom, changes, before, after } = preview
  if (changesFrom === null) {
    const isGuideChanged = changesGuideTexts(editor.published?.document ?? null, document)
    return (
      <p className="text-sm">
        Nothing that is already planned changes.
        {isGuideChanged && ' The guide shows the new names, descriptions and colours at once.'}
      </p>
    )
  }
  return (
    <section aria-label="Changes on the air" className="grid gap-3 text-sm">
      <h3 className="text-base font-semibold">On the air</h3>
      <p>
        {changes === 1 ? '1 planned programme changes' : `${changes} planned programmes change`}, the first on{' '}
        {dateTimeIn(document.timeZone, Date.parse(changesFrom))}.
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {[
          { label: 'Now planned', programmes: before, of: editor.published?.document ?? document },
          { label: 'After publishing', programmes: after, of: document },
        ].map(({ label, programmes, of }) => (
          <div key={label} className="grid min-w-0 gap-1.5">
            <h4 className="font-medium">{label}</h4>
            <ProgrammeList label={label} document={of} programmes={programmes.slice(0, SHOWN)} />
          </div>
        ))}
      </div>
    </section>
  )
}
