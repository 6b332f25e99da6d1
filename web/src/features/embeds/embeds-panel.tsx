import { type EmbedSettings, MAX_EMBED_ORIGINS } from '@looptide/contracts/http/embeds'
import { useState } from 'react'
import { isVersionConflict } from '../../lib/api/api-error.ts'
import { failureText } from '../../lib/failures.ts'
import { Choice } from '../../ui/choice.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { useEmbedSettings } from './api.ts'
import { readOrigins } from './embed-origins.ts'

type Scope = 'all' | 'some'
const SCOPES: readonly { id: Scope; label: string }[] = [
  { id: 'all', label: 'All sites' },
  { id: 'some', label: 'Only these sites' },
]

/** Whose pages may show the player, the strip and the chat. */
export function EmbedsPanel() {
  const { data, error, mutate, save } = useEmbedSettings()
  return (
    <section aria-labelledby="embeds" className="grid max-w-2xl gap-5">
      <div>
        <h2 id="embeds" className="text-xl font-semibold">
          Embeds
        </h2>
        <p className="text-sm text-muted">
          Other sites can show the player, what is on, or the chat of a channel. Viewers find the code under
          Share on the live page.
        </p>
      </div>
      {data ? (
        <SettingsForm
          key={data.etag}
          settings={data.body}
          save={(settings) => save(settings, data.etag)}
          reload={() => void mutate()}
        />
      ) : error === undefined ? (
        <div role="status" aria-label="Loading the settings of embeds">
          <Skeleton className="h-28" />
        </div>
      ) : (
        <ErrorNotice text="Failed to load the settings of embeds." onRetry={() => void mutate()} />
      )}
    </section>
  )
}

function SettingsForm(props: {
  settings: EmbedSettings
  save: (settings: EmbedSettings) => Promise<void>
  reload: () => void
}) {
  const { settings, save, reload } = props
  const [scope, setScope] = useState<Scope>(settings.origins === null ? 'all' : 'some')
  const [text, setText] = useState(settings.origins?.join('\n') ?? '')
  const form = useForm({
    check: () => {
      if (scope === 'all') return undefined
      const { origins, wrong } = readOrigins(text)
      if (wrong !== undefined)
        return { field: 'sites', description: `“${wrong}” is not the address of a site` }
      if (origins.length > MAX_EMBED_ORIGINS)
        return { field: 'sites', description: `Please list at most ${MAX_EMBED_ORIGINS} sites` }
      return undefined
    },
    send: async () => {
      await save({ origins: scope === 'all' ? null : readOrigins(text).origins })
      toast({
        title: 'Saved',
        description: 'Embeds that are open stay until they are loaded again.',
        tone: 'success',
      })
    },
    onFailure: (failure, point) => {
      if (isVersionConflict(failure)) reload()
      const description = isVersionConflict(failure)
        ? 'Another admin has changed this meanwhile. Please check it again.'
        : failureText(failure, 'The settings could not be saved.')
      if (scope === 'some') point({ field: 'sites', description })
      else toast({ title: 'Not saved', description, tone: 'error' })
    },
  })
  return (
    <Form form={form} className="grid gap-5">
      <Choice label="Who may show embeds" options={SCOPES} value={scope} onChange={setScope} />
      {scope === 'some' && (
        <TextArea
          label="Sites"
          hint="One a line, such as https://blog.example. Without any, no other site may."
          rows={5}
          spellCheck={false}
          {...form.field('sites')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <SubmitButton form={form} busyLabel="Saving..." className="justify-self-start">
        Save
      </SubmitButton>
    </Form>
  )
}
