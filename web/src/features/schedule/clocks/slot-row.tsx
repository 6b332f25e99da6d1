import {
  IDENT_MAX_MS,
  IDENT_MIN_MS,
  type IdentKind,
  REQUEST_SOURCES,
  type Slot,
} from '@looptide/contracts/schedule'
import type { HTMLAttributes } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { IDENT_LABELS, sourceLabel } from '../model/sentences.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const MAX_COUNT = 100
const NO_FALLBACK = ''

const IDENTS = (Object.keys(IDENT_LABELS) as IdentKind[]).map((value) => ({
  value,
  label: IDENT_LABELS[value],
}))

/** One slot of a clock: an ident, or videos of a source by number or by time. */
export function SlotRow(props: {
  slot: Slot
  /** Position in the clock, from 1. */
  place: number
  count: number
  sources: readonly string[]
  /** Event handlers of the drag handle. */
  handle: HTMLAttributes<HTMLElement>
  onChange: (slot: Slot) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  const { slot, place, count, onMove } = props
  return (
    <div className="flex items-start gap-1 p-2">
      {/* For pointers only: the keyboard uses the buttons. */}
      <span
        {...props.handle}
        aria-hidden="true"
        title="Drag to reorder"
        className="grid h-11 w-8 shrink-0 cursor-grab touch-none place-items-center text-muted select-none hover:text-text active:cursor-grabbing"
      >
        ⠿
      </span>
      <fieldset className="grid min-w-0 flex-1 gap-2">
        <legend className="sr-only">Slot {place}</legend>
        {'ident' in slot ? <IdentFields {...props} slot={slot} /> : <SourceFields {...props} slot={slot} />}
      </fieldset>
      <div className="flex flex-col sm:flex-row">
        {/* Not disabled at the ends, because a disabled button would lose the focus. */}
        <IconButton
          icon="up"
          label={`Move slot ${place} up`}
          aria-disabled={place === 1}
          onClick={() => onMove(-1)}
          className="aria-disabled:opacity-40"
        />
        <IconButton
          icon="down"
          label={`Move slot ${place} down`}
          aria-disabled={place === count}
          onClick={() => onMove(1)}
          className="aria-disabled:opacity-40"
        />
        <IconButton icon="remove" label={`Remove slot ${place}`} onClick={props.onRemove} />
      </div>
    </div>
  )
}

type IdentSlot = Extract<Slot, { ident: IdentKind }>
type SourceSlot = Exclude<Slot, IdentSlot>

function IdentFields({ slot, onChange }: { slot: IdentSlot; onChange: (slot: Slot) => void }) {
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_7rem]">
      <SelectField
        label="Ident"
        choices={IDENTS}
        value={slot.ident}
        onChange={(ident) => onChange({ ...slot, ident })}
      />
      <NumberField
        label="Seconds"
        min={IDENT_MIN_MS / SECOND_MS}
        max={IDENT_MAX_MS / SECOND_MS}
        step={1}
        value={slot.durationMs / SECOND_MS}
        onChange={(seconds) => seconds && onChange({ ...slot, durationMs: Math.round(seconds * SECOND_MS) })}
      />
    </div>
  )
}

function SourceFields(props: {
  slot: SourceSlot
  sources: readonly string[]
  onChange: (slot: Slot) => void
}) {
  const { slot, onChange } = props
  const names = [...new Set([...props.sources, ...REQUEST_SOURCES, slot.source])]
  const fallback = slot.fallback === undefined ? {} : { fallback: slot.fallback }
  const isTimed = 'durationMs' in slot
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <SelectField
        label="Source"
        choices={names.map((value) => ({ value, label: sourceLabel(value, props.sources) }))}
        value={slot.source}
        onChange={(source) => onChange({ ...slot, source })}
      />
      <SelectField
        label="If nothing can play"
        choices={[
          { value: NO_FALLBACK, label: 'Other sources' },
          ...props.sources.map((value) => ({ value, label: value })),
        ]}
        value={slot.fallback ?? NO_FALLBACK}
        onChange={(name) => {
          const { fallback: _before, ...rest } = slot
          onChange(name === NO_FALLBACK ? rest : { ...rest, fallback: name })
        }}
      />
      <SelectField
        label="Length"
        choices={[
          { value: 'count', label: 'Number of videos' },
          { value: 'time', label: 'Duration' },
        ]}
        value={isTimed ? 'time' : 'count'}
        onChange={(kind) =>
          onChange({
            source: slot.source,
            ...fallback,
            ...(kind === 'time' ? { durationMs: 15 * MINUTE_MS } : { count: 1 }),
          })
        }
      />
      {isTimed ? (
        <NumberField
          label="Minutes"
          min={1}
          max={1440}
          step={1}
          value={slot.durationMs / MINUTE_MS}
          onChange={(minutes) =>
            minutes && onChange({ ...slot, durationMs: Math.round(minutes * MINUTE_MS) })
          }
        />
      ) : (
        <NumberField
          label="Videos"
          min={1}
          max={MAX_COUNT}
          step={1}
          value={slot.count ?? 1}
          onChange={(number) => number && onChange({ ...slot, count: Math.round(number) })}
        />
      )}
    </div>
  )
}
