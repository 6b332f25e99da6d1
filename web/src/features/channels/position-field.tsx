import { typedNumber } from '@looptide/contracts/typed-text'
import { type KeyboardEvent, useState } from 'react'

const SHAPE = 'w-12 shrink-0 rounded-sm border px-1 py-1 text-right text-sm tabular-nums'

// Defined outside the component, so that React calls them only once per element.
const focus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true })
const focusAndSelect = (field: HTMLInputElement | null): void => {
  field?.focus({ preventScroll: true })
  field?.select()
}

/**
 * A row's position, from 1. It is a button, so that arrow keys skip it; a click turns it into a text field. Enter moves
 * the row to the typed position; Escape and blur cancel.
 */
export function PositionField(props: {
  title: string
  /** From 0. */
  place: number
  disabled: boolean
  /** Receives the position from 0; it may exceed the list, which means the end. */
  onPlace: (place: number) => void
}) {
  const { title, place, disabled, onPlace } = props
  /** `returned`: the field was closed with a key, so the button regains the focus. */
  const [mode, setMode] = useState<'closed' | 'open' | 'returned'>('closed')
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setMode('returned')
    const position = typedNumber(event.currentTarget.value)
    if (event.key === 'Enter' && Number.isInteger(position) && position >= 1) onPlace(position - 1)
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
      title="Change position"
      disabled={disabled}
      onClick={() => setMode('open')}
      className={`${SHAPE} border-transparent text-muted enabled:hover:border-line`}
    >
      {place + 1}
    </button>
  )
}
