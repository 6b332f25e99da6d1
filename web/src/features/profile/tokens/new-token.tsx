import { Button } from '../../../ui/button.tsx'
import { copyText } from '../two-step/copy-text.ts'

/** A token that was just created, to be copied. */
export function NewToken({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm text-muted">
        Copy this token now and keep it like a password. It is shown only this once.
      </p>
      <output
        aria-label="Access token"
        className="block rounded-md bg-deep/60 p-4 font-mono text-sm break-all select-all"
      >
        {token}
      </output>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copyText(token, 'The token')}>Copy</Button>
        <Button tone="primary" onClick={onDone}>
          I Have Saved It
        </Button>
      </div>
    </div>
  )
}
