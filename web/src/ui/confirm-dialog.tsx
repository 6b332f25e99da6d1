import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Asks for confirmation of a destructive action. Cancel is focused first, so that Enter alone destroys nothing. */
export function ConfirmDialog(props: {
  title: string
  /** The label of the confirm button: the action, never "OK". */
  confirmLabel: string
  /** Default: `danger`. */
  tone?: 'primary' | 'danger'
  /** A way that destroys nothing, offered first. */
  alternative?: { label: string; onChosen: () => void } | undefined
  isBusy?: boolean
  /** Disables the confirm button. */
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
          {props.alternative && (
            <Button tone="primary" onClick={props.alternative.onChosen}>
              {props.alternative.label}
            </Button>
          )}
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
