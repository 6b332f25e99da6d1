import { copyText } from '../../lib/browser/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Shows the secret of a webhook once, to be copied. `isReplaced`: the previous one still signs. */
export function SecretDialog(props: { secret: string; isReplaced: boolean; onClose: () => void }) {
  const { secret, isReplaced, onClose } = props
  return (
    <Dialog title={isReplaced ? 'The New Secret' : 'The Secret of Your Webhook'} isOpen onClose={onClose}>
      <div className="grid gap-4">
        <p role="status" className="text-sm text-muted">
          Your program verifies with it that deliveries come from this station. Copy it now: it is shown only
          this once.
          {isReplaced && ' For 24 hours deliveries are signed with the previous secret too.'}
        </p>
        <output
          aria-label="Secret"
          className="block rounded-md bg-deep/60 p-4 font-mono text-sm break-all select-all"
        >
          {secret}
        </output>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => void copyText(secret, 'The secret')}>Copy</Button>
          <Button tone="primary" onClick={onClose}>
            I Have Saved It
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
