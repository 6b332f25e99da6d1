import type { Channel } from '@looptide/contracts/http/channels'
import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { failureText } from '../../lib/failures.ts'
import { stateText } from '../../lib/requests/request-times.ts'
import { RequesterLink } from '../../lib/requests/requester-link.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { countsVotes, requestVideo, useRequestSettings, useWaitingFor } from './api.ts'
import { refusalText } from './request-texts.ts'
import { VoteButton } from './vote-button.tsx'

/** Asks on which channel a video is requested, and says what becomes of the request or why it is not possible. */
export function RequestDialog(props: {
  video: { id: string; title: string }
  channels: readonly Channel[]
  channelId?: string
  onClose: () => void
}) {
  const { video, channels, onClose } = props
  const [channelId, setChannelId] = useState(props.channelId ?? channels[0]?.id ?? '')
  const [refusal, setRefusal] = useState<string>()
  const channel = channels.find(({ id }) => id === channelId) ?? channels[0]
  const { userId } = useSession()
  const waiting = useWaitingFor(channel?.id, video.id)
  const own = waiting.items.find(({ requestedBy }) => requestedBy?.userId === userId)
  const [other] = waiting.items
  const form = useForm({
    send: async () => {
      if (channel === undefined) return
      setRefusal(undefined)
      const request = await requestVideo(channel.id, video.id)
      toast({
        title: `Requested on ${channel.name}`,
        description: `“${video.title}”: ${sentence(request)}`,
        tone: 'success',
      })
      onClose()
    },
    onFailure: (failure) =>
      setRefusal(
        refusalText(failure, serverClock.nowMs()) ??
          failureText(failure, 'The request was not sent. Please try again.'),
      ),
  })
  return (
    <Dialog title="Request this video?" isOpen onClose={onClose} width="narrow">
      <Form form={form} className="grid gap-5">
        <p className="line-clamp-2 font-medium wrap-anywhere">
          <bdi>{video.title}</bdi>
        </p>
        {channels.length > 1 && (
          <SelectField
            label="Channel"
            choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
            value={channel?.id ?? ''}
            onChange={(id) => {
              setRefusal(undefined)
              setChannelId(id)
            }}
          />
        )}
        {channel &&
          (own ? (
            <p className="text-sm">You have requested it already: {sentence(own)}</p>
          ) : other ? (
            <Waiting request={other} channel={channel} onVoted={(vote) => waiting.replace(other.id, vote)} />
          ) : (
            <Terms channel={channel} />
          ))}
        {refusal && (
          <p role="alert" className="rounded-md border border-accent px-3 py-2 text-sm font-medium">
            {refusal}
          </p>
        )}
        <DialogActions onCancel={onClose} {...((own ?? other) && { cancelLabel: 'Close' })}>
          {!own && (
            <SubmitButton
              form={form}
              busyLabel="Requesting..."
              tone={other ? 'plain' : 'primary'}
              disabled={waiting.isLoading}
            >
              {other ? 'Request Anyway' : 'Request'}
            </SubmitButton>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const sentence = (request: ViewerRequest): string =>
  `${stateText(request, serverClock.nowMs()).replace(/\.$/, '')}.`

/** A request of another viewer for the same video: a vote brings it forward, a second one waits behind it. */
function Waiting(props: {
  request: ViewerRequest
  channel: Channel
  onVoted: (vote: Pick<ViewerRequest, 'votes' | 'hasVoted'>) => void
}) {
  const { request, channel, onVoted } = props
  return (
    <div className="grid justify-items-start gap-3 text-sm">
      <p>
        Already requested by <RequesterLink requestedBy={request.requestedBy} />. {sentence(request)}
        {countsVotes(channel) && !request.hasVoted && ' Vote for it?'}
      </p>
      {countsVotes(channel) && <VoteButton request={request} onVoted={onVoted} />}
    </div>
  )
}

/** What a request on a channel means. */
function Terms({ channel }: { channel: Channel }) {
  const isClosed = useRequestSettings(channel.id).data?.isOpen === false
  return (
    <p className="text-sm text-muted">
      {isClosed ? (
        <>
          <bdi>{channel.name}</bdi> accepts no requests at present.
        </>
      ) : (
        <>
          It waits on <bdi>{channel.name}</bdi> until it is its turn and the rules of the channel allow it.
          {countsVotes(channel) && ' Others can vote for it.'}
        </>
      )}
    </p>
  )
}
