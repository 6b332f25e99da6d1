import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export interface Tab<T extends string> {
  id: T
  label: string
  content: ReactNode
}

/** The index of the tab selected by an arrow, Home or End (WAI-ARIA authoring practices, "Tabs"). */
function tabAfterKey(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count
  if (key === 'ArrowLeft') return (index + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/**
 * Tabs; only the selected panel is rendered. Our own implementation, because Radix's tabs would add 7 % to the sign-in
 * screen, the first page of a visitor.
 */
export function Tabs<T extends string>(props: {
  label: string
  tabs: Tab<T>[]
  value: T
  onChange: (tab: T) => void
  listClassName?: string
  /** Content next to the panel that stays when the tab changes; `className` lays out both. */
  beside?: { content: ReactNode; className: string }
}) {
  const id = useId()
  const shown = props.tabs.find((tab) => tab.id === props.value)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const next = props.tabs[tabAfterKey(event.key, index, props.tabs.length) ?? -1]
    if (!next) return
    event.preventDefault()
    props.onChange(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }

  return (
    <div>
      <div
        role="tablist"
        aria-label={props.label}
        className={classNames('flex gap-1 rounded-md bg-deep p-1', props.listClassName)}
      >
        {props.tabs.map((tab, index) => {
          const isShown = tab.id === props.value
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={isShown}
              aria-controls={isShown ? `${id}-panel` : undefined}
              tabIndex={isShown ? 0 : -1}
              onClick={() => props.onChange(tab.id)}
              onKeyDown={(event) => onKeyDown(event, index)}
              className={classNames(
                'lift min-h-11 flex-auto rounded-sm px-1.5 text-sm font-semibold whitespace-nowrap',
                isShown ? 'bg-raised text-text' : 'text-muted hover:text-text',
              )}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      <div className={classNames('pt-6', props.beside?.className)}>
        {props.beside?.content}
        <div
          key={props.value}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${props.value}`}
          className="min-w-0"
        >
          {shown?.content}
        </div>
      </div>
    </div>
  )
}
