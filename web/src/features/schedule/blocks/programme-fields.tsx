import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { Choice } from '../../../ui/choice.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { FormState } from '../../../ui/use-form.ts'
import { ColourField } from '../fields/colour-field.tsx'
import { RulesFields } from '../rules/rules-fields.tsx'
import { contentChoices, type ProgrammeValues } from './programme-values.ts'

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
