import { copyText } from '../../lib/browser/copy-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

const PURPOSE =
  'Your program verifies with it that deliveries come from this station. Copy it now: it is shown only this once.'
const OVERLAP = ' For 24 hours deliveries are signed with the previous secret too.'

/** Shows the secret of a webhook once, to be copied. `isReplaced`: the previous one still signs. */
export function SecretDialog(props: { secret: string; isReplaced: boolean; onClose: () => void }) {
  const { secret, isReplaced, onClose } = props
  return (
    <Dialog title={isReplaced ? 'The New Secret' : 'The Secret of Your Webhook'} isOpen onClose={onClose}>
      <ShownOnce
        label="Secret"
        text={isReplaced ? PURPOSE + OVERLAP : PURPOSE}
        secret={secret}
        onCopy={() => void copyText(secret, 'The secret')}
        onDone={onClose}
      />
    </Dialog>
  )
}
