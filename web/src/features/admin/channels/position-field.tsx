import type { FocusEvent, KeyboardEvent } from 'react'

/**
 * A row's place, counted from 1, to be typed over: Enter moves the row there, Escape and leaving the field restore the
 * place it has.
 */
export function PositionField(props: {
  label: string
  /** From 0. */
  place: number
  disabled: boolean
  /** With the place from 0; larger than the list means its end. */
  onPlace: (place: number) => void
}) {
  const shown = String(props.place + 1)
  const reset = (event: FocusEvent<HTMLInputElement>) => {
    event.currentTarget.value = shown
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    if (event.key === 'Escape') field.value = shown
    if (event.key !== 'Enter') return
    event.preventDefault()
    const wanted = Number(field.value)
    if (Number.isInteger(wanted) && wanted >= 1) props.onPlace(wanted - 1)
    field.value = shown
  }
  return (
    <input
      // Another place is another value to begin with.
      key={shown}
      type="text"
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      aria-label={props.label}
      title="Type a position and press Enter"
      disabled={props.disabled}
      defaultValue={shown}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={reset}
      onKeyDown={onKeyDown}
      className="w-12 shrink-0 rounded-sm border border-transparent bg-transparent px-1 py-1 text-right text-sm text-muted tabular-nums hover:border-line focus:border-line"
    />
  )
}
