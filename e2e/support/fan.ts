import type { LikePage, LikeResult } from '@looptide/contracts/http/likes'
import type { RequestPage, VoteResult } from '@looptide/contracts/http/requests'
import { bearerOf, clientOf } from '@looptide/testkit/client'
import { expect } from 'vitest'
import { addVideos, startClipChannel } from './channels.ts'
import { signUp, type Viewer } from './people.ts'
import { publishSchedule } from './schedules.ts'
import { attempt, isGood, type Tally } from './tally.ts'

const TIMEOUT_MS = 15_000
/** Accounts of one network whose votes for a request count. */
const FANS = 5

/** Settings of a station in which new accounts request and vote. */
export const FAN_SETTINGS = { REQUESTS_MIN_ACCOUNT_AGE_HOURS: '0', VOTES_MIN_WATCH_MINUTES: '0' } as const

/** What fans like and vote for. */
interface Favourite {
  videoId: string
  channelId: string
  requestId: string
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Likes a video, votes for its request, and takes both back, again and again; each until it is acknowledged. */
class Fan {
  /** As acknowledged last. */
  likes = false
  votes = false
  /** Answers that do not say what was asked for. */
  readonly nonsense: string[] = []
  readonly viewer: Viewer
  readonly #url: string
  readonly #favourite: Favourite
  readonly #tally: Tally
  #acting: Promise<void> | undefined
  #stopped = false

  constructor(stationUrl: string, viewer: Viewer, favourite: Favourite, tally: Tally) {
    this.#url = stationUrl
    this.viewer = viewer
    this.#favourite = favourite
    this.#tally = tally
  }

  start(everyMs: number): void {
    this.#acting = this.#act(everyMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#acting
  }

  async #act(everyMs: number): Promise<void> {
    const { videoId, requestId } = this.#favourite
    while (!this.#stopped) {
      const like = (await this.#set(`/api/videos/${videoId}/like`, !this.likes)) as LikeResult
      this.likes = !this.likes
      const vote = (await this.#set(`/api/requests/${requestId}/vote`, !this.votes)) as VoteResult
      this.votes = !this.votes
      if (like.liked !== this.likes) this.nonsense.push('a like was acknowledged and not answered')
      if (vote.hasVoted !== this.votes) this.nonsense.push('a vote was acknowledged and not answered')
      await pause(everyMs)
    }
  }

  async #set(path: string, isOn: boolean): Promise<unknown> {
    const startedAtMs = performance.now()
    const init = { method: isOn ? 'PUT' : 'DELETE', headers: bearerOf(this.viewer.accessToken) }
    for (;;) {
      const answer = await attempt(`${this.#url}${path}`, init, TIMEOUT_MS)
      if (isGood(answer)) {
        this.#tally.good(performance.now() - startedAtMs)
        return answer.body
      }
      if (answer.status >= 400 && answer.status < 500) throw new Error(`${path} was refused: ${answer.what}`)
      this.#tally.bad(answer.what)
      await pause(200)
    }
  }
}

/** Five fans of one video, which waits as a request. */
export class Fans {
  readonly #url: string
  readonly #favourite: Favourite
  readonly #fans: readonly Fan[]

  constructor(stationUrl: string, favourite: Favourite, fans: readonly Viewer[], tally: Tally) {
    this.#url = stationUrl
    this.#favourite = favourite
    this.#fans = fans.map((fan) => new Fan(stationUrl, fan, favourite, tally))
  }

  /** Signs them up, and requests a video on a channel that plays it twelve hours later at the earliest. */
  static async create(stationUrl: string, adminToken: string, tally: Tally): Promise<Fans> {
    const [videoId = ''] = await addVideos(stationUrl, adminToken, ['Fan Song'])
    const channelId = await startClipChannel(stationUrl, adminToken, 'Favourites')
    await publishSchedule(stationUrl, adminToken, channelId, {
      timeZone: 'UTC',
      defaultSource: 'clips',
      sources: { clips: { kind: 'playlist' } },
      clocks: { late: [{ source: 'clips', durationMs: 43_200_000 }, { source: 'votes' }] },
      blocks: [
        {
          id: 'all-day',
          name: 'All Day',
          days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
          from: '00:00',
          to: '24:00',
          clock: 'late',
        },
      ],
    })
    const requester = await signUp(stationUrl, 'requester')
    const { id: requestId } = await clientOf(stationUrl, requester.accessToken).call(
      'POST /api/channels/:id/requests',
      { params: { id: channelId }, body: { videoId } },
    )
    const names = Array.from({ length: FANS }, (_, index) => `fan-${index}`)
    const fans = await Promise.all(names.map((name) => signUp(stationUrl, name)))
    return new Fans(stationUrl, { videoId, channelId, requestId }, fans, tally)
  }

  start(everyMs: number): void {
    for (const fan of this.#fans) fan.start(everyMs)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#fans.map((fan) => fan.stop()))
  }

  /** Answers that contradict what was asked for. */
  get nonsense(): string[] {
    return this.#fans.flatMap(({ nonsense }) => nonsense)
  }

  /** Expects every like and vote as it was acknowledged last, and their numbers. Call it after {@link stop}. */
  async expectNothingLost(): Promise<void> {
    const { videoId, channelId, requestId } = this.#favourite
    const seen = await Promise.all(
      this.#fans.map(async ({ viewer }) => {
        const client = clientOf(this.#url, viewer.accessToken)
        const likes: LikePage = await client.call('GET /api/me/likes', { query: { ids: videoId } })
        const params = { id: channelId }
        const requests: RequestPage = await client.call('GET /api/channels/:id/requests', { params })
        const request = requests.items.find(({ id }) => id === requestId)
        return { likes: likes.items.length === 1, votes: request?.hasVoted, allVotes: request?.votes }
      }),
    )
    const allVotes = this.#fans.filter(({ votes }) => votes).length
    expect(seen).toEqual(this.#fans.map(({ likes, votes }) => ({ likes, votes, allVotes })))
    const answers = this.#fans
      .filter(({ likes }) => likes)
      .map(({ viewer }) =>
        clientOf(this.#url, viewer.accessToken).call('PUT /api/videos/:id/like', { params: { id: videoId } }),
      )
    const counts = (await Promise.all(answers)).map(({ likeCount }) => likeCount)
    expect(counts).toEqual(counts.map(() => counts.length))
  }
}
