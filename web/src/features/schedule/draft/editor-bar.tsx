import { useState } from 'react'
import { useAction } from '../../../lib/failures.ts'
import { undoKeys, usePageKeys } from '../../../lib/keys/page-keys.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { lazyDialog } from '../../admin/lazy-part.ts'
import { SentBackLine, SubmissionLine } from './approval-lines.tsx'
import type { OpenEditor } from './use-schedule-editor.ts'

const PublishDialog = lazyDialog(async () => (await import('../publish/publish-dialog.tsx')).PublishDialog)

/** The state of the draft, with buttons to undo, redo, discard and publish it. */
export function EditorBar({ editor, problemCount }: { editor: OpenEditor; problemCount: number }) {
  const { undo, redo, hasChanges, published, needsApproval, submission, sentBack } = editor
  const [isPublishing, setPublishing] = useState(false)
  const { isBusy, run } = useAction()
  const { confirm, confirmation } = useConfirm()
  usePageKeys({ title: 'Schedule', keys: undoKeys(undo, redo) })
  const mayDiscard = hasChanges && Boolean(published?.document)
  const discard = () =>
    confirm({
      title: 'Discard the draft?',
      confirmLabel: 'Discard draft',
      text: <p>The editor shows version {published?.version} again. What is on the air does not change.</p>,
      onConfirm: async () => {
        const failed = { title: 'Failed to discard the draft', text: 'Please try again.' }
        if (await run(editor.discard, failed)) toast({ title: 'Draft discarded', tone: 'success' })
      },
    })
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 rounded-md border border-line/70 bg-panel px-3 py-2">
      <StatusLine editor={editor} />
      <IconButton
        icon="undo"
        label="Undo"
        aria-disabled={undo === undefined}
        onClick={() => undo?.()}
        className="aria-disabled:opacity-40"
      />
      <IconButton
        icon="redo"
        label="Redo"
        aria-disabled={redo === undefined}
        onClick={() => redo?.()}
        className="aria-disabled:opacity-40"
      />
      {mayDiscard && (
        <Button isBusy={isBusy} onClick={discard}>
          Discard
        </Button>
      )}
      <Button
        tone="primary"
        disabled={!hasChanges || problemCount > 0 || (needsApproval && submission !== undefined)}
        onClick={() => setPublishing(true)}
      >
        {needsApproval ? 'Submit for approval' : 'Publish'}
      </Button>
      {submission && <SubmissionLine editor={editor} submission={submission} />}
      {sentBack && <SentBackLine editor={editor} sentBack={sentBack} />}
      {confirmation}
      {isPublishing && <PublishDialog editor={editor} onClose={() => setPublishing(false)} />}
    </div>
  )
}

function StatusLine({ editor }: { editor: OpenEditor }) {
  const { published, failure, isSaving, isUnsaved, hasChanges } = editor
  const version = published?.document ? `Version ${published.version} is on the air.` : 'Not published yet.'
  const draft =
    isSaving || isUnsaved ? 'Saving the draft...' : hasChanges ? 'Draft saved.' : 'The draft has no changes.'
  return (
    <div className="grid min-w-0 flex-1 text-sm max-sm:basis-full">
      <p role="status" className="font-medium break-words">
        {failure ?? draft}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-muted">
        {version}
        {failure && (
          <Button
            tone="plain"
            className="min-h-8 py-0"
            onClick={() => void editor.save().catch(() => undefined)}
          >
            Save again
          </Button>
        )}
      </p>
    </div>
  )
}
