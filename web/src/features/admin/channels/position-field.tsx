import { type KeyboardEvent, useState } from 'react'

const SHAPE = 'w-12 shrink-0 rounded-sm border px-1 py-1 text-right text-sm tabular-nums'

// Of the module, so that React calls them once for an element.
const focus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true })
const focusAndSelect = (field: HTMLInputElement | null): void => {
  field?.focus({ preventScroll: true })
  field?.select()
}

/**
 * A row's place, counted from 1. It is a button, so that arrow keys walk past it; pressed, it becomes a field: Enter
 * moves the row to the typed place, Escape and leaving the field do nothing.
 */
export function PositionField(props: {
  title: string
  /** From 0. */
  place: number
  disabled: boolean
  /** With the place from 0; larger than the list means its end. */
  onPlace: (place: number) => void
}) {
  const { title, place, disabled, onPlace } = props
  /** `returned`: the field was left by a key, so the button gets the focus back. */
  const [mode, setMode] = useState<'closed' | 'open' | 'returned'>('closed')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setMode('returned')
    const wanted = Number(event.currentTarget.value)
    if (event.key === 'Enter' && Number.isInteger(wanted) && wanted >= 1) onPlace(wanted - 1)
  }
  if (mode === 'open') {
    return (
      <input
        ref={focusAndSelect}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        aria-label={`New position of ${title}`}
        defaultValue={place + 1}
        onBlur={() => setMode('closed')}
        onKeyDown={onKeyDown}
        className={`${SHAPE} border-line bg-deep`}
      />
    )
  }
  return (
    <button
      ref={mode === 'returned' ? focus : undefined}
      type="button"
      aria-label={`Position ${place + 1}: ${title}`}
      title="Type another position"
      disabled={disabled}
      onClick={() => setMode('open')}
      className={`${SHAPE} border-transparent text-muted enabled:hover:border-line`}
    >
      {place + 1}
    </button>
  )
}
