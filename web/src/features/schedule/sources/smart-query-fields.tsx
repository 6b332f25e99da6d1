import type { VideoCategory } from '@looptide/contracts/common'
import type { SmartQuery } from '@looptide/contracts/schedule'
import { TextField } from '../../../ui/field.tsx'
import { CATEGORIES, PLAYLIST_CATEGORY } from '../../admin/categories.ts'
import { NumberField } from '../fields/number-field.tsx'
import { TokenField } from '../fields/token-field.tsx'

type ListField = 'tags' | 'genres' | 'artists' | 'excludedArtists'
const LISTS: readonly { field: ListField; label: string }[] = [
  { field: 'artists', label: 'Artists' },
  { field: 'excludedArtists', label: 'Excluded artists' },
  { field: 'genres', label: 'Genres' },
  { field: 'tags', label: 'Tags' },
]

type QuantityField = 'minDurationMs' | 'maxDurationMs' | 'addedWithinDays' | 'notAiredForHours'
/** `unit`: how much of the document's unit one of the field's is. */
const NUMBERS: readonly { field: QuantityField; label: string; unit: number; max: number }[] = [
  { field: 'minDurationMs', label: 'At least (minutes)', unit: 60_000, max: 1440 },
  { field: 'maxDurationMs', label: 'At most (minutes)', unit: 60_000, max: 1440 },
  { field: 'addedWithinDays', label: 'Added within (days)', unit: 1, max: 3650 },
  { field: 'notAiredForHours', label: 'Not aired for (hours)', unit: 1, max: 8760 },
]

/** A library query. Empty fields match everything. */
export function SmartQueryFields(props: { where: SmartQuery; onChange: (where: SmartQuery) => void }) {
  const { where, onChange } = props
  /** Sets a field; an undefined one is removed. */
  const set = (field: keyof SmartQuery, value: unknown) => {
    const { [field]: _before, ...rest } = where
    onChange(value === undefined ? rest : { ...rest, [field]: value })
  }
  const toggle = (category: VideoCategory) => {
    const known = where.categories ?? []
    const next = known.includes(category) ? known.filter((one) => one !== category) : [...known, category]
    set('categories', next.length > 0 ? next : undefined)
  }
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1.5 text-sm font-medium">Categories</legend>
        <div className="flex flex-wrap gap-x-5">
          {[...CATEGORIES, PLAYLIST_CATEGORY].map((category) => (
            <label key={category} className="flex min-h-11 items-center gap-2.5 text-sm">
              <input
                type="checkbox"
                className="size-5 accent-accent"
                checked={where.categories?.includes(category) ?? false}
                onChange={() => toggle(category)}
              />
              {category}
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        label="Words in title or artist"
        maxLength={100}
        autoComplete="off"
        value={where.text ?? ''}
        onChange={(event) => set('text', event.target.value || undefined)}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {LISTS.map(({ field, label }) => (
          <TokenField
            key={field}
            label={label}
            hint="Press Enter after each entry."
            values={where[field] ?? []}
            onChange={(values) => set(field, values.length > 0 ? values : undefined)}
          />
        ))}
        {NUMBERS.map(({ field, label, unit, max }) => {
          const value = where[field]
          return (
            <NumberField
              key={field}
              label={label}
              min={unit === 1 ? 1 : 0.5}
              max={max}
              step={unit === 1 ? 1 : 0.5}
              value={value === undefined ? undefined : value / unit}
              onChange={(number) => set(field, number === undefined ? undefined : Math.round(number * unit))}
            />
          )
        })}
      </div>
    </>
  )
}
