import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/form.tsx'

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
    <DialogActions
      onCancel={onClose}
      start={
        onRemove && (
          <>
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
          </>
        )
      }
    >
      {props.children}
    </DialogActions>
  )
}
