import type { Programme } from '@looptide/contracts/http/channels'
import type { ViewerRequest } from '@looptide/contracts/http/requests'
import {
  countsVotes,
  findWaitingFor,
  requestVideo,
  useRequestChannels,
  useRequests,
} from '../features/requests/api.ts'
import { choiceText, refusalText } from '../features/requests/request-texts.ts'
import { api, serverClock } from '../lib/clients.ts'
import { failureText } from '../lib/failures.ts'
import { stateText } from '../lib/requests/request-times.ts'
import { useRequestOf } from '../lib/requests/use-request-of.ts'
import { toast } from '../ui/toast.ts'
import { TvButton, VideoName } from './parts.tsx'
import type { Tv } from './use-tv.ts'

/** Requests that fit without scrolling: the next ones. */
const ROWS = 4

const showRefusal = (title: string, failure: unknown): void =>
  void toast({
    title,
    description: refusalText(failure, serverClock.nowMs()) ?? failureText(failure, 'Please try again.'),
  })

const requesterText = ({ requestedBy }: ViewerRequest): string =>
  requestedBy?.handle == null ? 'a viewer' : `@${requestedBy.handle}`

/** Requests a video on the channel that is watched, unless it waits already. Resolves to whether it waits now. */
export async function requestOn(tv: Tv, video: { id: string; title: string }): Promise<boolean> {
  if (!tv.mayHear) {
    toast({ title: 'Sign in on this TV to request videos' })
    return false
  }
  try {
    const waiting = await findWaitingFor(tv.channelId, video.id)
    if (waiting) {
      toast({
        title: `Already requested by ${requesterText(waiting)}`,
        description: stateText(waiting, serverClock.nowMs()),
      })
      return true
    }
    const request = await requestVideo(tv.channelId, video.id)
    toast({ title: `Requested “${video.title}”`, description: stateText(request, serverClock.nowMs()) })
    return true
  } catch (failure) {
    showRefusal('Not requested', failure)
    return false
  }
}

/** The requests that are next on the channel; OK votes for one, or takes the vote back. */
export function RequestsPanel({ tv }: { tv: Tv }) {
  const channel = useRequestChannels().find(({ id }) => id === tv.channelId)
  const { items, error, replace } = useRequests(tv.channelId)
  const hasVotes = channel !== undefined && countsVotes(channel)
  const vote = async ({ id, hasVoted }: ViewerRequest) => {
    if (!tv.mayHear) {
      toast({ title: 'Sign in on this TV to vote' })
      return
    }
    const input = { params: { requestId: id } }
    try {
      replace(
        id,
        await (hasVoted
          ? api.call('DELETE /api/requests/:requestId/vote', input)
          : api.call('PUT /api/requests/:requestId/vote', input)),
      )
    } catch (failure) {
      showRefusal('Not counted', failure)
    }
  }
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">Requests</h2>
        {!items && <p className="tv-muted">{error ? 'The requests could not be loaded.' : 'Loading …'}</p>}
        {items?.length === 0 && <p>No requests are waiting.</p>}
        {items && items.length > 0 && (
          <ol className="tv-list" aria-label="Requests that wait">
            {items.slice(0, ROWS).map((request) => (
              <li key={request.id}>
                {hasVotes ? (
                  <TvButton className="tv-item" onPress={() => void vote(request)}>
                    <RequestLines request={request} />
                    <span className="tv-left">
                      {request.hasVoted ? 'Voted' : 'Vote'} {request.votes}
                    </span>
                  </TvButton>
                ) : (
                  <p className="tv-item">
                    <RequestLines request={request} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        )}
        <div className="tv-row">
          <TvButton isFirst onPress={() => tv.search('', true)}>
            Request a video
          </TvButton>
          <TvButton onPress={() => tv.setPanel('info')}>Close</TvButton>
        </div>
      </div>
      <div className="tv-aside">
        {channel && <p>{choiceText(channel)}</p>}
        {items && items.length > ROWS && <p className="tv-muted">These are the next {ROWS}.</p>}
      </div>
    </>
  )
}

function RequestLines({ request }: { request: ViewerRequest }) {
  const { video, requestedBy } = request
  return (
    <span className="tv-lines">
      <span className="tv-name">
        <VideoName {...video} />
      </span>
      <span className="tv-line tv-muted">
        {stateText(request, serverClock.nowMs())}
        {requestedBy?.handle != null && ` · by @${requestedBy.handle}`}
      </span>
    </span>
  )
}

/** Who has requested what is on, if anybody has. */
export function RequestedBy({ programme }: { programme: Programme | undefined }) {
  const request = useRequestOf(programme?.kind === 'video' ? programme.reason : null)
  if (!request) return null
  return <p className="tv-line tv-muted">Requested by {requesterText(request)}</p>
}
