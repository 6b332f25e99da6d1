import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useRecordedActions } from './api.ts'
import type { AuditFilter, FilterWish } from './audit-filter.ts'
import { actionChoices } from './audit-labels.ts'
import { PersonField } from './person-field.tsx'

const KINDS = [
  { id: 'all', label: 'Everything' },
  { id: 'security', label: 'Security' },
  { id: 'changes', label: 'Changes' },
] as const
type Kind = (typeof KINDS)[number]['id']

const kindOf = ({ security }: AuditFilter): Kind =>
  security === undefined ? 'all' : security ? 'security' : 'changes'

/** By whom, to whom, what, of which kind, and when. */
export function AuditFilters(props: {
  filter: AuditFilter
  /** What a person is called, as soon as it is known. */
  handleOf: (userId: string) => string | undefined
  onChange: (filter: FilterWish) => void
}) {
  const { filter, handleOf } = props
  const recorded = useRecordedActions()
  const actions = filter.action ? [...recorded, filter.action] : recorded
  const change = (part: FilterWish) => props.onChange({ ...filter, ...part })
  const named = (id: string | undefined) => (id === undefined ? undefined : handleOf(id))
  return (
    <section aria-label="Filter" className="grid gap-4 rounded-lg border border-line/70 bg-panel p-4">
      <Choice
        label="Kind"
        isLabelHidden
        options={KINDS}
        value={kindOf(filter)}
        onChange={(kind) =>
          change({ security: kind === 'all' ? undefined : kind === 'security', action: undefined })
        }
      />
      <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-[repeat(3,minmax(0,1fr))_auto_auto]">
        <PersonField
          label="Who"
          chosenId={filter.adminUserId}
          name={named(filter.adminUserId)}
          onChoose={(adminUserId) => change({ adminUserId })}
        />
        <PersonField
          label="Whom"
          chosenId={filter.targetUserId}
          name={named(filter.targetUserId)}
          onChoose={(targetUserId) => change({ targetUserId })}
        />
        <SelectField
          label="What"
          choices={[{ value: '', label: 'Anything' }, ...actionChoices(actions)]}
          value={filter.action ?? ''}
          onChange={(action) => change({ action: action || undefined })}
        />
        <InstantField label="From" value={filter.since} onChange={(since) => change({ since })} />
        <InstantField label="To" value={filter.until} onChange={(until) => change({ until })} />
      </div>
      {Object.keys(filter).length > 0 && (
        <Button tone="plain" className="justify-self-start" onClick={() => props.onChange({})}>
          Clear filter
        </Button>
      )}
    </section>
  )
}

/** An instant as a date and time input holds it, in the viewer's zone. */
function toInput(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function InstantField(props: {
  label: string
  value: string | undefined
  onChange: (instant: string | undefined) => void
}) {
  return (
    <TextField
      label={props.label}
      type="datetime-local"
      defaultValue={props.value ? toInput(props.value) : ''}
      key={props.value ?? 'none'}
      onBlur={(event) => {
        const epochMs = Date.parse(event.target.value)
        const instant = Number.isNaN(epochMs) ? undefined : new Date(epochMs).toISOString()
        if (toInput(instant ?? '') !== toInput(props.value ?? '')) props.onChange(instant)
      }}
    />
  )
}
