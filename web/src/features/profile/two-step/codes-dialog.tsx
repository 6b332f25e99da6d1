import { Dialog } from '../../../ui/dialog.tsx'
import { NewCodes } from './new-codes.tsx'

/** Creates recovery codes and shows them once. */
export function CodesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Recovery Codes" width="narrow" isOpen onClose={onClose}>
      <NewCodes onDone={onClose} />
    </Dialog>
  )
}
