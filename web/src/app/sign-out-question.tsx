import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Asks before a sign-out that loses unsaved changes. */
export function SignOutQuestion(props: {
  /** What the changes are of. */
  unsaved: readonly string[]
  onConfirm: () => void
  onCancel: () => void
}) {
  return (
    <ConfirmDialog
      title="Sign out and lose unsaved changes?"
      confirmLabel="Sign Out"
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p>Unsaved: {props.unsaved.join(', ')}</p>
    </ConfirmDialog>
  )
}
