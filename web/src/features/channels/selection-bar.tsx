import { typedNumber } from '@looptide/contracts/typed-text'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'

/** Bulk actions for the selected videos of a playlist. Renders nothing without a selection. */
export function SelectionBar(props: {
  count: number
  canChange: boolean
  /** Disables "Play next": with shuffle, the list order does not determine what plays next. */
  isShuffled: boolean
  onPlayNext: () => void
  /** Moves the selection to a position, from 0. */
  onPlace: (place: number) => void
  onRemove: () => void
  onClear: () => void
}) {
  const { count, canChange, isShuffled } = props
  if (count === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-wrap items-end gap-2 rounded-md border border-line bg-panel p-3">
      <legend className="sr-only">Selected videos</legend>
      <p role="status" className="mr-auto py-2.5 text-sm font-medium">
        {count} selected
      </p>
      <Button
        disabled={!canChange || isShuffled}
        title={isShuffled ? 'Not available while shuffle is on' : undefined}
        onClick={props.onPlayNext}
      >
        Play next
      </Button>
      <MoveForm canChange={canChange} onPlace={props.onPlace} />
      <Button icon="remove" disabled={!canChange} onClick={props.onRemove}>
        Remove selected
      </Button>
      <Button tone="plain" onClick={props.onClear}>
        Clear selection
      </Button>
    </fieldset>
  )
}

function MoveForm({ canChange, onPlace }: { canChange: boolean; onPlace: (place: number) => void }) {
  const [text, setText] = useState('')
  const position = typedNumber(text)
  const isValid = Number.isInteger(position) && position >= 1
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    onPlace(position - 1)
    setText('')
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-2">
      <label className="flex items-center gap-2 text-sm">
        To position
        <input
          className="field w-20"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={!canChange || !isValid}>
        Move
      </Button>
    </form>
  )
}
