import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { TurnRequest, TurnState } from '@looptide/fairness/turns'
import type { CastBallot } from '@looptide/fairness/votes'

const [compress, expand] = [promisify(gzip), promisify(gunzip)]

/** A voter who counts in a queue, without the network, whose limit has been applied. One in debt may approve nothing. */
export type NamedBallot = Pick<CastBallot, 'account' | 'approved'> & { load: number }

/** A request of a queue. */
export type NamedRequest = TurnRequest & { isPinned: boolean }

/** A published queue with the accounts that its events leave out: what its decisions are charged and explained with. */
export interface QueueBody {
  /** When it was made, epoch ms. */
  nowMs: number
  requests: readonly NamedRequest[]
  /** With the accounts that wait in it. */
  turns: TurnState
  votes: readonly NamedBallot[]
}

/** JSON in which approved requests are indexes, compressed: ids of requests would be most of it. */
export function packBody(body: QueueBody): Promise<Buffer> {
  const indexes = new Map(body.requests.map(({ id }, index) => [id, index]))
  const votes = body.votes.map(({ account, load, approved }) => [
    account,
    load,
    approved.flatMap((id) => indexes.get(id) ?? []),
  ])
  return compress(JSON.stringify({ ...body, votes }))
}

/** The queue of {@link packBody}. */
export async function unpackBody(packed: Buffer): Promise<QueueBody> {
  const { votes, ...rest } = JSON.parse(String(await expand(packed))) as Omit<QueueBody, 'votes'> & {
    votes: [account: string, load: number, approved: number[]][]
  }
  const ids = rest.requests.map(({ id }) => id)
  return {
    ...rest,
    votes: votes.map(([account, load, approved]) => ({
      account,
      load,
      approved: approved.flatMap((index) => ids[index] ?? []),
    })),
  }
}
