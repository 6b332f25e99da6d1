import type { NewWebhookBody, Webhook, WebhookFormat } from '@looptide/contracts/http/webhooks'
import { type ReactNode, useId, useState } from 'react'
import { failureText } from '../../lib/failures.ts'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useChannels } from '../admin/use-channels.ts'
import { EVENT_LABELS, EVENT_TYPES, FORMAT_HINTS, FORMATS } from './webhook-texts.ts'

type Scope = 'all' | 'some'
const SCOPES: readonly { id: Scope; label: string }[] = [
  { id: 'all', label: 'All channels' },
  { id: 'some', label: 'Some channels' },
]

/** Creates or changes a webhook. */
export function WebhookDialog(props: {
  /** The webhook that is changed; undefined for a new one. */
  webhook: Webhook | undefined
  save: (body: Required<Omit<NewWebhookBody, 'isActive'>>) => Promise<unknown>
  onClose: () => void
}) {
  const { webhook, save, onClose } = props
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'standard')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['programme.started'])
  const [scope, setScope] = useState<Scope>(webhook?.channelIds ? 'some' : 'all')
  const [channelIds, setChannelIds] = useState<readonly string[]>(webhook?.channelIds ?? [])
  const form = useForm({
    check: () => {
      if (url.trim() === '') return { field: 'url', description: 'Please enter an address' }
      if (events.length === 0) return { field: 'events', description: 'Please choose at least one event' }
      if (scope === 'some' && channelIds.length === 0)
        return { field: 'channels', description: 'Please choose at least one channel' }
    },
    send: async () => {
      await save({
        url: url.trim(),
        format,
        events: EVENT_TYPES.filter((type) => events.includes(type)),
        channelIds: scope === 'all' ? null : [...channelIds],
      })
      onClose()
    },
    onFailure: (failure, point) =>
      point({ field: 'url', description: failureText(failure, 'The webhook could not be saved.') }),
  })
  return (
    <Dialog title={webhook ? 'Edit Webhook' : 'New Webhook'} isOpen onClose={onClose}>
      <Form form={form} className="grid gap-5">
        <TextField
          label="Address"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={2048}
          placeholder="https://"
          {...form.field('url')}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <div className="grid gap-1.5">
          <Choice label="Format" options={FORMATS} value={format} onChange={setFormat} />
          <p className="text-sm text-muted">{FORMAT_HINTS[format]}</p>
        </div>
        <Checkboxes
          label="Send when"
          {...form.field('events')}
          options={EVENT_TYPES.map((id) => ({ id, label: EVENT_LABELS[id] }))}
          chosen={events}
          onChange={setEvents}
        />
        <Choice label="Channels" options={SCOPES} value={scope} onChange={setScope} />
        {scope === 'some' && (
          <ChannelBoxes {...form.field('channels')} chosen={channelIds} onChange={setChannelIds} />
        )}
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Saving...">
            {webhook ? 'Save' : 'Create Webhook'}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface BoxesProps {
  name: string
  error: string | undefined
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function ChannelBoxes(props: BoxesProps) {
  const channels = useChannels().data?.items ?? []
  const known = channels.map(({ id, name }) => ({ id, label: name }))
  // A channel that was deleted since stays chosen until somebody clears it.
  const gone = props.chosen.filter((id) => known.every((channel) => channel.id !== id))
  return (
    <Checkboxes
      {...props}
      label="Send for"
      options={[...known, ...gone.map((id) => ({ id, label: id }))]}
      hint="Events that belong to no channel are sent in any case."
    />
  )
}

function Checkboxes(
  props: BoxesProps & { label: string; hint?: ReactNode; options: readonly { id: string; label: string }[] },
) {
  const { label, hint, name, error, options, chosen, onChange } = props
  const errorId = useId()
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="grid sm:grid-cols-2 sm:gap-x-6">
        {options.map((option) => (
          <label key={option.id} className="flex min-h-11 min-w-0 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              name={option === options[0] ? name : `${name}-${option.id}`}
              className="size-5 shrink-0 accent-primary"
              checked={chosen.includes(option.id)}
              onChange={({ target }) => {
                const others = chosen.filter((id) => id !== option.id)
                onChange(target.checked ? [...others, option.id] : others)
              }}
            />
            <span className="min-w-0 text-sm [overflow-wrap:anywhere]">{option.label}</span>
          </label>
        ))}
      </div>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      {error && (
        <p id={errorId} className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {error}
        </p>
      )}
    </fieldset>
  )
}
