import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { ListDifference } from '../list-difference.ts'

/**
 * Says that another admin has changed something; `children` lists the changes, `actions` are the buttons. If it is removed
 * with the focus, the focus moves to the section that contains it.
 */
export function ChangeNotice(props: {
  title: string
  /** Name of the other admin, if it is known. */
  changedBy: string | undefined
  children: ReactNode
  actions: ReactNode
}) {
  const notice = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = notice.current
    return () => {
      if (element?.contains(document.activeElement)) focusParent(element)
    }
  }, [])
  return (
    <section
      ref={notice}
      aria-label={props.title}
      className="grid gap-3 rounded-md border border-accent bg-panel px-4 py-3 text-sm"
    >
      <div role="alert" className="grid gap-1">
        <p className="font-semibold">
          <span aria-hidden="true">⚠ </span>
          {props.title}
        </p>
        {props.changedBy && <p className="[overflow-wrap:anywhere]">Changed by {props.changedBy}.</p>}
        {props.children}
      </div>
      <div className="flex flex-wrap items-center gap-2">{props.actions}</div>
    </section>
  )
}

function focusParent(element: HTMLElement): void {
  const parent = element.parentElement?.closest<HTMLElement>('section, [role="dialog"], main')
  if (!parent) return
  parent.tabIndex = -1
  parent.focus({ preventScroll: true })
}

/**
 * Shows that another admin has saved changes since the draft was started. Merge keeps the changes of both sides,
 * Overwrite only those of the draft. Both only update the draft; nothing is saved.
 */
export function ConflictNotice(props: {
  title: string
  changedBy: string | undefined
  isBusy: boolean
  onMerge: () => void
  onOverwrite: () => void
  children: ReactNode
}) {
  return (
    <ChangeNotice
      title={props.title}
      changedBy={props.changedBy}
      actions={
        <>
          <Button tone="primary" isBusy={props.isBusy} onClick={props.onMerge}>
            Merge
          </Button>
          <Button isBusy={props.isBusy} onClick={props.onOverwrite}>
            Overwrite
          </Button>
          <p className="text-muted">
            Merge keeps both sets of changes, Overwrite only yours. Nothing is saved yet.
          </p>
        </>
      }
    >
      {props.children}
    </ChangeNotice>
  )
}

const SHOWN_TITLES = 5

/** Lists what was added to, removed from and moved in an ordered list. */
export function DifferenceLines<T>(props: { difference: ListDifference<T>; titleOf: (item: T) => string }) {
  const { added, removed, moved } = props.difference
  const lines = [
    { label: 'Added', items: added },
    { label: 'Removed', items: removed },
    { label: 'Moved', items: moved },
  ]
  return (
    <ul className="grid gap-0.5">
      {lines.map(({ label, items }) => {
        const more = items.length - SHOWN_TITLES
        return items.length === 0 ? null : (
          <li key={label} className="break-words">
            <span className="text-muted">{label}: </span>
            {items.slice(0, SHOWN_TITLES).map(props.titleOf).join(', ')}
            {more > 0 && ` and ${more} more`}
          </li>
        )
      })}
    </ul>
  )
}
