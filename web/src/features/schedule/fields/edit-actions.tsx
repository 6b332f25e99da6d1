import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'

/** The last row of a dialog that creates or edits a part: Delete, other actions, Cancel, and the one that submits. */
export function EditActions(props: {
  /** Without it, the part is new. */
  onRemove: (() => void) | undefined
  /** Where the part is used, as texts; it can be deleted only if there are none. */
  uses?: readonly string[]
  onClose: () => void
  children: ReactNode
}) {
  const { onRemove, uses = [], onClose } = props
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {onRemove && (
        <div className="mr-auto flex flex-wrap items-center gap-2">
          <Button
            icon="remove"
            disabled={uses.length > 0}
            onClick={() => {
              onRemove()
              onClose()
            }}
          >
            Delete
          </Button>
          {uses.length > 0 && <p className="text-sm text-muted">Used by {uses.join(', ')}</p>}
        </div>
      )}
      <Button onClick={onClose}>Cancel</Button>
      {props.children}
    </div>
  )
}
