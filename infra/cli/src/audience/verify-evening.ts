import type { AiredRequestSummary } from '@looptide/contracts/http/requests'
import { EveningCheck, type PlayResult } from '@looptide/fairness/evening-check'
import { count } from '../count.ts'
import { fault, usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { Refusal, type StationApi } from '../station-api.ts'

/**
 * Reads what a channel has aired of its viewers' requests in [from, to) (epoch ms), as a visitor, decides all of it again, and
 * reports each play and a summary. Throws a fault if one is wrong.
 */
export async function verifyEvening(
  session: Session,
  channel: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  if (from >= to) throw usageError('--from must be before --to.')
  const station = await session.visitor()
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const evening = new EveningCheck()
  const plays: { play: AiredRequestSummary; checked: PlayResult }[] = []
  const input = { params: { id: channel }, query: range }
  for await (const play of station.list('GET /api/channels/:id/requests/aired', input)) {
    const receipt = play.digest === null ? null : await readReceipt(station, play.id)
    const { id: requestId, currency, digest } = play
    const startedAtMs = Date.parse(play.startedAt)
    plays.push({ play, checked: evening.check({ requestId, startedAtMs, currency, digest, receipt }) })
  }
  const counts = countsOf(plays.map(({ checked }) => checked))
  session.report(
    { ...counts, plays: plays.map(({ play, checked }) => ({ ...play, ...factsOf(checked) })) },
    [...plays.map(({ play, checked }) => lineOf(play, checked)), summaryOf(counts)].join('\n'),
  )
  if (counts.wrong > 0) throw fault(`${count(counts.wrong, 'play')} of ${plays.length} wrong.`)
}

/** Null for one that the station does not have, which the check reports. */
async function readReceipt(station: StationApi, requestId: string): Promise<unknown> {
  try {
    return await station.call('GET /api/requests/:requestId/receipt', { params: { requestId } })
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

interface Counts {
  decisions: number
  verified: number
  inconsistent: number
  wrong: number
  pinned: number
}

function countsOf(results: readonly PlayResult[]): Counts {
  const of = (kind: PlayResult['result']) => results.filter(({ result }) => result === kind).length
  const [verified, inconsistent, wrong, pinned] = [
    of('verified'),
    of('inconsistent'),
    of('wrong'),
    of('pinned'),
  ]
  return { decisions: results.length - pinned, verified, inconsistent, wrong, pinned }
}

const summaryOf = ({ decisions, verified, inconsistent, wrong, pinned }: Counts): string =>
  `${count(decisions, 'decision')}: ${verified} verified, ${inconsistent} decided with other loads, ${wrong} wrong; ${pinned} pinned by staff.`

/** A result without the receipt, of which the play has the digest. */
function factsOf(checked: PlayResult): object {
  if (!('receipt' in checked)) return checked
  const { receipt, ...facts } = checked
  return { ...facts, ballots: receipt.ballots.length, passedOver: receipt.passedOver.length }
}

function lineOf({ startedAt, id, video, digest }: AiredRequestSummary, checked: PlayResult): string {
  return `${startedAt} ${video.artistName} - ${video.title} (${id}): ${textOf(checked, digest)}`
}

function textOf(checked: PlayResult, digest: string | null): string {
  if (checked.result === 'pinned') return 'pinned by staff'
  if (checked.result === 'wrong') return `wrong (${checked.fault}): ${checked.reason}`
  const { currency, ballots } = checked.receipt
  const facts = `by ${currency}, ${count(ballots.length, 'ballot')}, digest ${digest}`
  if (checked.result === 'inconsistent')
    return `decided with other loads than those at its start, as its receipt says; ${facts}`
  return `verified, ${checked.isLinked ? 'follows from the decision before' : 'no decision before to compare with'}; ${facts}`
}
