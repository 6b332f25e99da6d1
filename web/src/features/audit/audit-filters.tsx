import { useEffect, useEffectEvent, useId, useState } from 'react'
import { dateLocale, localInputValue } from '../../lib/time/date-locale.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useRecordedActions, useUserSuggestions } from './api.ts'
import type { AuditFilter, FilterInput } from './audit-filter.ts'
import { actionChoices, capitalised, labelOf } from './audit-labels.ts'

const KINDS = [
  { id: 'all', label: 'All' },
  { id: 'security', label: 'Security' },
  { id: 'changes', label: 'Changes' },
] as const
type Kind = (typeof KINDS)[number]['id']

const kindOf = ({ security }: AuditFilter): Kind =>
  security === undefined ? 'all' : security ? 'security' : 'changes'

/**
 * Filters by kind of entry, acting user, affected user, action and time. Conditions that are set are chips; a button opens
 * the fields.
 */
export function AuditFilters(props: {
  filter: AuditFilter
  /** A user's handle; undefined until the profile is loaded. */
  handleOf: (userId: string) => string | undefined
  onChange: (filter: FilterInput) => void
}) {
  const { filter, handleOf, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const fieldsId = useId()
  const change = (part: FilterInput) => onChange({ ...filter, ...part })
  return (
    <section aria-label="Filter" className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Choice
          label="Kind"
          isLabelHidden
          options={KINDS}
          value={kindOf(filter)}
          onChange={(kind) =>
            change({ security: kind === 'all' ? undefined : kind === 'security', action: undefined })
          }
        />
        <Button icon="plus" aria-expanded={isOpen} aria-controls={fieldsId} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
        <FilterChips filter={filter} handleOf={handleOf} onRemove={(name) => change({ [name]: undefined })} />
        {Object.keys(filter).length > 0 && (
          <Button tone="plain" onClick={() => onChange({})}>
            Clear filter
          </Button>
        )}
      </div>
      <div id={fieldsId} hidden={!isOpen} className="rounded-lg border border-line/70 bg-panel p-4">
        {isOpen && <FilterFields filter={filter} handleOf={handleOf} onChange={change} />}
      </div>
    </section>
  )
}

const timeText = (instant: string): string =>
  new Date(instant).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })

/** The conditions that are set, each with a button that removes it. The kind of entry has its own control. */
function FilterChips(props: {
  filter: AuditFilter
  handleOf: (userId: string) => string | undefined
  onRemove: (name: keyof AuditFilter) => void
}) {
  const { filter, handleOf } = props
  const { id, adminUserId, targetUserId, action, since, until } = filter
  const user = (userId: string) => handleOf(userId) ?? 'a user'
  const chips: readonly [keyof AuditFilter, string | undefined][] = [
    ['id', id && 'One entry'],
    ['adminUserId', adminUserId && `By ${user(adminUserId)}`],
    ['targetUserId', targetUserId && `About ${user(targetUserId)}`],
    ['action', action && capitalised(labelOf(action))],
    ['since', since && `From ${timeText(since)}`],
    ['until', until && `To ${timeText(until)}`],
  ]
  return chips.map(
    ([name, text]) =>
      text !== undefined && (
        <button
          key={name}
          type="button"
          aria-label={`Remove filter: ${text}`}
          onClick={() => props.onRemove(name)}
          className="lift flex min-h-9 max-w-full items-center gap-2 rounded-full border border-accent bg-raised px-3 text-sm hover:bg-line"
        >
          <span className="truncate">{text}</span>
          <Icon name="close" className="size-4 shrink-0" />
        </button>
      ),
  )
}

function FilterFields(props: {
  filter: AuditFilter
  handleOf: (userId: string) => string | undefined
  onChange: (part: FilterInput) => void
}) {
  const { filter, handleOf, onChange } = props
  const recorded = useRecordedActions()
  const actions = filter.action ? [...recorded, filter.action] : recorded
  const named = (id: string | undefined) => (id === undefined ? undefined : handleOf(id))
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-[repeat(3,minmax(0,1fr))_auto_auto]">
      <UserField
        label="Performed by"
        chosenId={filter.adminUserId}
        name={named(filter.adminUserId)}
        onChoose={(adminUserId) => onChange({ adminUserId })}
      />
      <UserField
        label="Affected user"
        chosenId={filter.targetUserId}
        name={named(filter.targetUserId)}
        onChoose={(targetUserId) => onChange({ targetUserId })}
      />
      <SelectField
        label="Action"
        choices={[{ value: '', label: 'Any action' }, ...actionChoices(actions)]}
        value={filter.action ?? ''}
        onChange={(action) => onChange({ action: action || undefined })}
      />
      <InstantField label="From" value={filter.since} onChange={(since) => onChange({ since })} />
      <InstantField label="To" value={filter.until} onChange={(until) => onChange({ until })} />
    </div>
  )
}

const inputValue = (instant: string | undefined): string => localInputValue(Date.parse(instant ?? ''))

function InstantField(props: {
  label: string
  value: string | undefined
  onChange: (instant: string | undefined) => void
}) {
  return (
    <TextField
      label={props.label}
      type="datetime-local"
      defaultValue={inputValue(props.value)}
      key={props.value ?? 'none'}
      onBlur={(event) => {
        const epochMs = Date.parse(event.target.value)
        const instant = Number.isNaN(epochMs) ? undefined : new Date(epochMs).toISOString()
        if (inputValue(instant) !== inputValue(props.value)) props.onChange(instant)
      }}
    />
  )
}

const DEBOUNCE_MS = 250

/** Chooses a user by handle, with suggestions. No user is chosen while the text is not an existing handle. */
function UserField(props: {
  label: string
  chosenId: string | undefined
  /** The chosen user's handle; undefined until the profile is loaded. */
  name: string | undefined
  onChoose: (userId: string | undefined) => void
}) {
  const { chosenId, name } = props
  const [text, setText] = useState(name ?? '')
  const [knownName, setKnownName] = useState(name)
  if (name !== knownName) {
    setKnownName(name)
    if (name !== undefined) setText(name)
    else if (text === knownName) setText('')
  }
  const query = text.trim().toLowerCase()
  const debouncedQuery = useDebounced(query, DEBOUNCE_MS)
  const { data } = useUserSuggestions(debouncedQuery)
  const users = query === '' ? [] : (data?.items ?? [])
  const match = users.find(({ profile }) => profile.handle?.toLowerCase() === query)
  const isUnknown = query !== '' && debouncedQuery === query && data !== undefined && users.length === 0
  const listId = useId()

  // The search response arrives after the text was typed.
  const choose = useEffectEvent((userId: string) => {
    if (userId !== chosenId) props.onChoose(userId)
  })
  useEffect(() => {
    if (match) choose(match.id)
  }, [match])

  return (
    <>
      <TextField
        label={props.label}
        type="search"
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Handle"
        maxLength={100}
        error={isUnknown ? 'No user found' : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (chosenId !== undefined) props.onChoose(undefined)
        }}
      />
      <datalist id={listId}>
        {users.map(({ id, profile }) => (
          <option key={id} value={profile.handle ?? ''}>
            {profile.artistName ?? ''}
          </option>
        ))}
      </datalist>
    </>
  )
}
