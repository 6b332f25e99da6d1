import type { RequestExclusion } from '@looptide/contracts/http/requests'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure, useAction } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useVideo } from '../videos/api.ts'
import { useRequestExclusions } from './api.ts'

/** What cannot be requested on a channel. Requests that wait already are not changed. */
export function RequestExclusions({ channelId }: { channelId: string }) {
  const { data, error, mutate } = useRequestExclusions(channelId)
  const { run } = useAction()
  const remove = (exclusionId: string) =>
    run(
      async () => {
        const input = { params: { id: channelId, exclusionId } }
        await api.call('DELETE /api/channels/:id/requests/exclusions/:exclusionId', input)
        await mutate()
      },
      { title: 'Not changed', text: 'It still cannot be requested. Please try again.' },
    )
  return (
    <section aria-labelledby="request-exclusions" className="grid gap-3">
      <h3 id="request-exclusions" className="text-lg font-semibold">
        Cannot be requested
      </h3>
      <AddArtist channelId={channelId} onAdded={() => void mutate()} />
      {data === undefined && error !== undefined && (
        <ErrorNotice text="Failed to fetch exclusions" onRetry={() => void mutate()} />
      )}
      {data && data.items.length > 0 && (
        <ul aria-labelledby="request-exclusions" className="grid divide-y divide-line/60">
          {data.items.map((exclusion) => (
            <li key={exclusion.id} className="flex items-center gap-3 py-2">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <ExclusionName exclusion={exclusion} />
              </span>
              <Button onClick={() => void remove(exclusion.id)}>Allow</Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ExclusionName({ exclusion: { artistName, videoId } }: { exclusion: RequestExclusion }) {
  const { data } = useVideo(videoId)
  if (artistName !== null) {
    return (
      <>
        Everything by <bdi className="font-medium">{artistName}</bdi>
      </>
    )
  }
  return <bdi className="font-medium">{data ? `${data.title} – ${data.artistName}` : 'A video'}</bdi>
}

function AddArtist({ channelId, onAdded }: { channelId: string; onAdded: () => void }) {
  const [artistName, setArtistName] = useState('')
  const form = useForm({
    send: async () => {
      const input = { params: { id: channelId }, body: { artistName: artistName.trim() } }
      await api.call('POST /api/channels/:id/requests/exclusions', input)
      setArtistName('')
      onAdded()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Not excluded', text: 'Nothing was changed. Please try again.' }),
  })
  return (
    <Form form={form} className="flex flex-wrap items-end gap-3">
      <TextField
        {...form.field('artistName')}
        label="Artist"
        maxLength={200}
        className="min-w-0 flex-1 basis-60"
        value={artistName}
        onChange={(event) => setArtistName(event.target.value)}
      />
      <SubmitButton form={form} busyLabel="Excluding..." disabled={artistName.trim() === ''}>
        Exclude
      </SubmitButton>
    </Form>
  )
}
