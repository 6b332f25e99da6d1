import type { AuditEntry } from '@looptide/contracts/http/admin'
import { type MouseEvent, useState } from 'react'
import { allPages, allVersionedPages } from '../../../lib/api/all-pages.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'
import { useAction } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { capitalised } from '../audit-labels.ts'
import { undoOf } from './undo-of.ts'

/** Time for which a change can be undone from its entry, in ms. */
const UNDO_MS = 86_400_000

/** What the server answers when the target is gone, or has changed between reading and writing. */
const CHANGED_SINCE = new Set(['not_found', 'precondition_failed'])

/** Undoes the change of an entry, or says that it was undone; nothing if it cannot be undone. */
export function UndoButton(props: {
  entry: AuditEntry
  /** The loaded entries after this one. */
  later: readonly AuditEntry[]
  nowMs: number
  /** What the entry says, without the name of its actor. */
  sentence: string
}) {
  const { entry, later, nowMs, sentence } = props
  const { isBusy, run } = useAction()
  // The entry of the undo arrives a moment after its answer.
  const [isUndone, setUndone] = useState(false)
  const undo = nowMs - Date.parse(entry.createdAt) < UNDO_MS ? undoOf(entry) : undefined
  if (undo === undefined) return null
  if (isUndone || undo.isDone(later)) return <UndoneMark>Undone</UndoneMark>
  const send = async () => {
    const isSent = await undo.send({ api, allPages, allVersionedPages }).catch((failure: unknown) => {
      if (failure instanceof ApiError && CHANGED_SINCE.has(failure.code)) return false
      throw failure
    })
    const description = `${capitalised(sentence)}.`
    setUndone(isSent)
    if (isSent) toast({ title: 'Change undone', description, tone: 'success' })
    else toast({ title: 'Not undone', description: 'It was changed or removed since, and stays as it is.' })
  }
  const press = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button is removed when the log has the entry of the undo; the focus stays in this line.
    currentTarget.closest('li')?.querySelector<HTMLElement>('[aria-expanded]')?.focus()
    void run(send, { title: 'Error undoing the change', text: 'Please try again.' })
  }
  return (
    <Button icon="undo" className="shrink-0" isBusy={isBusy} onClick={press}>
      Undo
    </Button>
  )
}

/** Says in the place of the button that a change was undone. */
export const UndoneMark = ({ children }: { children: string }) => (
  <span className="shrink-0 text-sm text-muted">{children}</span>
)
