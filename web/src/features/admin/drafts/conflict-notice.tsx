import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'

/**
 * Shows that another admin has saved changes since the draft was started; `children` lists them. Merge keeps the
 * changes of both sides, Overwrite only those of the draft. Both only update the draft; nothing is saved.
 */
export function ConflictNotice(props: {
  title: string
  isBusy: boolean
  onMerge: () => void
  onOverwrite: () => void
  children: ReactNode
}) {
  return (
    <section
      aria-label={props.title}
      className="grid gap-3 rounded-md border border-accent bg-panel px-4 py-3 text-sm"
    >
      <div role="alert" className="grid gap-1">
        <p className="font-semibold">
          <span aria-hidden="true">⚠ </span>
          {props.title}
        </p>
        {props.children}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" disabled={props.isBusy} onClick={props.onMerge}>
          Merge
        </Button>
        <Button disabled={props.isBusy} onClick={props.onOverwrite}>
          Overwrite
        </Button>
        <p className="text-muted">
          Merge keeps both sets of changes, Overwrite only yours. Nothing is saved yet.
        </p>
      </div>
    </section>
  )
}
