import type { OverrideBlock, Rules, ScheduleDocument } from '@looptide/contracts/schedule'
import { useId } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { FormState } from '../../../ui/use-form.ts'
import { RulesFields } from '../rules/rules-fields.tsx'

interface Props {
  form: Pick<FormState, 'field'>
  document: ScheduleDocument
  values: ProgrammeValues
  onChange: (values: ProgrammeValues) => void
}

/** The name of a block or special. */
export function NameField({ form, values, onChange }: Omit<Props, 'document'>) {
  return (
    <TextField
      label="Name"
      required
      maxLength={80}
      autoComplete="off"
      {...form.field('name')}
      value={values.name}
      onChange={(event) => onChange({ ...values, name: event.target.value })}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}

/** What a block or special plays, how it starts, and how the guide shows it. */
export function ProgrammeFields({ document, values, onChange }: Props) {
  const set = (change: Partial<ProgrammeValues>) => onChange({ ...values, ...change })
  const hasRules = Object.keys(values.rules).length > 0
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Plays"
          choices={contentChoices(document, values.plays)}
          value={values.plays}
          onChange={(plays) => set({ plays })}
        />
        <Choice
          label="Start"
          options={[
            { id: 'soft', label: 'After the current video' },
            { id: 'hard', label: 'At the exact time' },
          ]}
          value={values.start}
          onChange={(start) => set({ start })}
        />
      </div>
      <TextArea
        label="Description for viewers (optional)"
        rows={2}
        maxLength={500}
        value={values.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <ColourField value={values.colour} onChange={(colour) => set({ colour })} />
      <details open={hasRules} className="rounded-md border border-line/70">
        <summary className="min-h-11 cursor-pointer px-4 py-2.5 text-sm font-semibold">
          Rules of this block
        </summary>
        <div className="grid gap-4 border-t border-line/70 p-4">
          <p className="text-sm text-muted">
            Leave a field empty to apply the rule of the channel. Excluded artists are added to those of the
            channel.
          </p>
          <RulesFields rules={values.rules} inherited={document.rules} onChange={(rules) => set({ rules })} />
        </div>
      </details>
    </>
  )
}

/** A colour for the guide, or none. */
function ColourField(props: { value: string | undefined; onChange: (colour: string | undefined) => void }) {
  const name = useId()
  const { value } = props
  const isCustom = value !== undefined && !COLOURS.some((colour) => colour.value === value)
  const choices: { value: string | undefined; name: string }[] = [
    { value: undefined, name: 'No colour' },
    ...COLOURS,
    ...(isCustom ? [{ value, name: `Custom, ${value}` }] : []),
  ]
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Colour in the guide</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.name}
            title={choice.name}
            className={classNames(
              'grid size-11 place-items-center rounded-md border-2 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              choice.value === value ? 'border-text' : 'border-transparent',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              aria-label={choice.name}
              checked={choice.value === value}
              onChange={() => props.onChange(choice.value)}
            />
            <span
              aria-hidden="true"
              className="grid size-7 place-items-center rounded-full border border-edge text-xs text-muted"
              style={choice.value ? { background: choice.value } : undefined}
            >
              {choice.value ? '' : '–'}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** What blocks of the week, blocks of holidays and specials have in common, as the values of a form. */
interface ProgrammeValues {
  name: string
  description: string
  colour: string | undefined
  start: 'soft' | 'hard'
  /** `source:NAME` or `clock:NAME`. */
  plays: string
  rules: Rules
}

type Programme = Pick<
  OverrideBlock,
  'name' | 'description' | 'colour' | 'start' | 'clock' | 'source' | 'rules'
>

/** The fields of the form for a block or special of a document. */
export const valuesOf = (programme: Programme): ProgrammeValues => ({
  name: programme.name,
  description: programme.description ?? '',
  colour: programme.colour,
  start: programme.start ?? 'soft',
  plays: programme.clock === undefined ? `source:${programme.source ?? ''}` : `clock:${programme.clock}`,
  rules: programme.rules ?? {},
})

/** The fields of the document; empty ones are left out. */
export function programmeOf(values: ProgrammeValues): Programme {
  const [kind = '', name = ''] = values.plays.split(':', 2)
  const description = values.description.trim()
  return {
    name: values.name.trim(),
    ...(description && { description }),
    ...(values.colour && { colour: values.colour }),
    start: values.start,
    ...(kind === 'clock' ? { clock: name } : { source: name }),
    ...(Object.keys(values.rules).length > 0 && { rules: values.rules }),
  }
}

/** What can be chosen as the content of a block. A name that does not exist stays a choice until another is chosen. */
function contentChoices(document: ScheduleDocument, current: string): { value: string; label: string }[] {
  const choices = [
    ...Object.keys(document.clocks ?? {}).map((name) => ({
      value: `clock:${name}`,
      label: `Clock: ${name}`,
    })),
    ...Object.keys(document.sources).map((name) => ({ value: `source:${name}`, label: `Source: ${name}` })),
  ]
  if (choices.some(({ value }) => value === current)) return choices
  return [{ value: current, label: `Missing: ${current.split(':', 2)[1] || 'nothing chosen'}` }, ...choices]
}

/** Colours of blocks. Text is never drawn in them, so that they need no contrast to text. */
const COLOURS: readonly { value: string; name: string }[] = [
  { value: '#f59e0b', name: 'Amber' },
  { value: '#ef4444', name: 'Red' },
  { value: '#ec4899', name: 'Pink' },
  { value: '#a855f7', name: 'Purple' },
  { value: '#6366f1', name: 'Indigo' },
  { value: '#0ea5e9', name: 'Blue' },
  { value: '#14b8a6', name: 'Teal' },
  { value: '#22c55e', name: 'Green' },
]
