import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks before something is lost. Cancel has the focus first: Enter alone never loses anything. */
export function ConfirmDialog(props: {
  title: string
  /** What the yes is called: the deed, never "OK". */
  confirmLabel: string
  /** Unless told, that of a deed that loses something. */
  tone?: 'primary' | 'danger'
  isBusy?: boolean
  /** It can be thought over, but not done as things stand. */
  isBlocked?: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog title={props.title} isOpen onClose={props.onCancel} width="narrow" initialFocus={cancel}>
      <div className="grid gap-5">
        <div className="grid gap-3 text-muted">{props.children}</div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button ref={cancel} onClick={props.onCancel}>
            Cancel
          </Button>
          <Button
            tone={props.tone ?? 'danger'}
            disabled={props.isBusy || props.isBlocked}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
