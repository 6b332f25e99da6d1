import type { RelaxableRule } from '@looptide/contracts/http/schedules'
import type { Rules } from '@looptide/contracts/schedule'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { RULE_LABELS } from '../../admin/rule-labels.ts'
import { NumberField } from '../fields/number-field.tsx'
import { TokenField } from '../fields/token-field.tsx'

const RULES: readonly { rule: RelaxableRule; max: number; step: number }[] = [
  { rule: 'artistSeparationMinutes', max: 1440, step: 1 },
  { rule: 'videoSeparationHours', max: 720, step: 0.5 },
  { rule: 'maxAiringsPerDay', max: 1000, step: 1 },
  { rule: 'maxDurationMinutes', max: 1440, step: 1 },
]

/** The rules of a channel or of a block. `inherited` are those that apply where a field is empty. */
export function RulesFields(props: {
  rules: Rules
  inherited?: Rules | undefined
  onChange: (rules: Rules) => void
}) {
  const { rules, inherited, onChange } = props
  /** Sets a part of the rules; an undefined one is removed. */
  const set = (change: Rules | { [Rule in keyof Rules]: undefined }) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...rules, ...change }).filter(([, value]) => value !== undefined),
      ) as Rules,
    )
  return (
    <>
      <p className="text-sm text-muted">
        “Always” rules are never broken. “If possible” rules are relaxed when nothing else can play; the
        preview shows where.
      </p>
      {RULES.map(({ rule, max, step }) => {
        const own = rules[rule]
        return (
          <div key={rule} className="grid grid-cols-[minmax(0,1fr)_9rem] items-end gap-3">
            <NumberField
              label={RULE_LABELS[rule]}
              min={step}
              max={max}
              step={step}
              placeholder={inherited?.[rule] ? `${inherited[rule].value} (channel)` : 'No limit'}
              value={own?.value}
              onChange={(value) =>
                set({
                  [rule]: value === undefined ? undefined : { value, strength: own?.strength ?? 'soft' },
                })
              }
            />
            <SelectField
              label={`Strength: ${RULE_LABELS[rule]}`}
              isLabelHidden
              choices={[
                { value: 'soft', label: 'If possible' },
                { value: 'hard', label: 'Always' },
              ]}
              value={own?.strength ?? inherited?.[rule]?.strength ?? 'soft'}
              onChange={(strength) => own && set({ [rule]: { value: own.value, strength } })}
            />
          </div>
        )
      })}
      <TokenField
        label="Excluded artists"
        hint="Press Enter after each artist."
        values={rules.excludedArtists ?? []}
        onChange={(artists) => set({ excludedArtists: artists.length > 0 ? artists : undefined })}
      />
      <TagWindowFields
        windows={rules.tagWindows ?? []}
        onChange={(windows) => set({ tagWindows: windows.length > 0 ? windows : undefined })}
      />
    </>
  )
}

type TagWindow = NonNullable<Rules['tagWindows']>[number]
const MAX_WINDOWS = 20

/** Tags whose videos start only between two times of day. */
function TagWindowFields(props: { windows: readonly TagWindow[]; onChange: (windows: TagWindow[]) => void }) {
  const { windows, onChange } = props
  const change = (index: number, part: Partial<TagWindow>) =>
    onChange(windows.map((window, at) => (at === index ? { ...window, ...part } : window)))
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">
        Tags allowed only at certain times (always applies)
      </legend>
      {windows.map((window, index) => (
        // Windows have no identity of their own.
        <div key={String(index)} className="flex flex-wrap items-end gap-2">
          <div className="min-w-32 flex-1">
            <TextField
              label="Tag"
              maxLength={100}
              value={window.tag}
              onChange={(event) => event.target.value && change(index, { tag: event.target.value })}
            />
          </div>
          <TextField
            label="From"
            type="time"
            value={window.from}
            onChange={(event) => event.target.value && change(index, { from: event.target.value })}
          />
          <TextField
            label="To"
            type="time"
            value={window.to}
            onChange={(event) => event.target.value && change(index, { to: event.target.value })}
          />
          <IconButton
            icon="remove"
            label={`Remove tag ${window.tag}`}
            onClick={() => onChange(windows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        icon="plus"
        className="justify-self-start"
        disabled={windows.length >= MAX_WINDOWS}
        onClick={() => onChange([...windows, { tag: 'explicit', from: '22:00', to: '06:00' }])}
      >
        Add tag
      </Button>
    </fieldset>
  )
}
