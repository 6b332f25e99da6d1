import { TextArea, TextField } from '../../../ui/field.tsx'

/** What an admin types about a channel; an empty position is none. */
export type ChannelFacts = { name: string; description: string; position: string }

/** The fields of a channel, new or renamed. */
export function ChannelFields(props: {
  facts: ChannelFacts
  /** The position that none stands for. */
  placeholder?: string | undefined
  onChange: (facts: ChannelFacts) => void
}) {
  const { facts, onChange } = props
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        value={facts.name}
        onChange={(event) => onChange({ ...facts, name: event.target.value })}
      />
      <TextArea
        label="Description (optional)"
        maxLength={1000}
        rows={2}
        value={facts.description}
        onChange={(event) => onChange({ ...facts, description: event.target.value })}
      />
      <TextField
        label="Position"
        type="number"
        inputMode="numeric"
        min={1}
        max={10_000}
        placeholder={props.placeholder}
        value={facts.position}
        onChange={(event) => onChange({ ...facts, position: event.target.value })}
      />
    </>
  )
}
