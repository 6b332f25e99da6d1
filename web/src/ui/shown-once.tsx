import { Button } from './button.tsx'

/** A secret that is never shown again, to be copied. */
export function ShownOnce(props: {
  /** The accessible name of the secret. */
  label: string
  /** What it is for. */
  text: string
  secret: string
  onCopy: () => void
  onDone: () => void
}) {
  const { label, text, secret, onCopy, onDone } = props
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm text-muted">
        {text}
      </p>
      <output
        aria-label={label}
        className="block rounded-md bg-deep/60 p-4 font-mono text-sm break-all select-all"
      >
        {secret}
      </output>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCopy}>Copy</Button>
        <Button tone="primary" onClick={onDone}>
          I Have Saved It
        </Button>
      </div>
    </div>
  )
}
