import type { ComponentProps } from 'react'
import { Dialog } from './dialog.tsx'
import { useConfirm } from './use-confirm.tsx'

/**
 * A dialog that edits something. If `now` differs from `before`, both as JSON, closing it (Escape, Back, the cross or a
 * click beside it) asks first; its own Cancel and Save do not.
 */
export function EditDialog({
  before,
  now,
  ...dialog
}: ComponentProps<typeof Dialog> & { before: unknown; now: unknown }) {
  const { confirm, confirmation } = useConfirm()
  const close = () => {
    if (JSON.stringify(before) === JSON.stringify(now)) return dialog.onClose()
    confirm({
      title: 'Discard changes?',
      confirmLabel: 'Discard Changes',
      text: <p>What you have changed in “{dialog.title}” is not saved.</p>,
      onConfirm: dialog.onClose,
    })
  }
  return (
    <>
      <Dialog {...dialog} onClose={close} />
      {confirmation}
    </>
  )
}
