import type { Rules } from '@looptide/contracts/schedule'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'

type TagWindow = NonNullable<Rules['tagWindows']>[number]
const MAX_WINDOWS = 20

/** Tags whose videos start only between two times of day. */
export function TagWindowFields(props: {
  windows: readonly TagWindow[]
  onChange: (windows: TagWindow[]) => void
}) {
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
