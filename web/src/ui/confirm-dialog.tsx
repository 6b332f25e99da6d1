import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Asks for confirmation of a destructive action. The first field of `children` is focused, else Cancel: Enter alone
 * destroys nothing.
 */
export function ConfirmDialog(props: {
  title: string
  /** The label of the confirm button: the action, never "OK". */
  confirmLabel: string
  /** Default: `danger`. */
  tone?: 'primary' | 'danger'
  /** A non-destructive alternative, offered first. */
  alternative?: { label: string; onChosen: () => void } | undefined
  isBusy?: boolean
  /** Disables the confirm button. */
  isBlocked?: boolean
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={props.title} isOpen onClose={props.onCancel} width="narrow">
      <div className="grid gap-5">
        <div className="grid gap-3 text-muted">{props.children}</div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onCancel}>Cancel</Button>
          {props.alternative && (
            <Button tone="primary" onClick={props.alternative.onChosen}>
              {props.alternative.label}
            </Button>
          )}
          <Button
            tone={props.tone ?? 'danger'}
            isBusy={props.isBusy}
            disabled={props.isBlocked}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
