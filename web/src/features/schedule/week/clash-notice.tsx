import type { Block } from '@looptide/contracts/schedule'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import type { BlockClash } from '../model/clash-edits.ts'

/** Number of clashes that are shown. */
const SHOWN = 3

/** The blocks that overlap, each pair with the edits that end it. */
export function ClashNotice(props: {
  clashes: readonly BlockClash[]
  /** Takes back the last change of the draft. */
  onCancel: (() => void) | undefined
  onChange: (apply: (blocks: readonly Block[]) => Block[]) => void
  /** The button that was pressed is gone. */
  onDone: () => void
}) {
  const { clashes, onCancel, onChange, onDone } = props
  const more = clashes.length - SHOWN
  if (clashes.length === 0) return null
  return (
    <section
      aria-label="Clashes"
      className="grid gap-3 rounded-md border border-dashed border-accent bg-panel px-4 py-3 text-sm print:hidden"
    >
      <ul className="grid gap-3">
        {clashes.slice(0, SHOWN).map(({ key, text, shorten, replace, isNew }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-72 font-medium wrap-anywhere">
              <span aria-hidden="true">⚠ </span>
              {text}
            </p>
            <div className="flex flex-wrap gap-2">
              {shorten && (
                <Button
                  onClick={() => {
                    onChange(shorten.apply)
                    onDone()
                  }}
                >
                  {shorten.label}
                </Button>
              )}
              <Button
                onClick={() => {
                  onChange(replace.apply)
                  toast({ title: 'Block removed', description: replace.removed })
                  onDone()
                }}
              >
                {replace.label}
              </Button>
              {isNew && onCancel && (
                <Button
                  onClick={() => {
                    onCancel()
                    onDone()
                  }}
                >
                  Cancel
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-muted">And {more === 1 ? '1 more clash' : `${more} more clashes`}.</p>}
    </section>
  )
}
