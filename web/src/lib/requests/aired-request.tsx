import type { AiredRequestAnswer } from '@looptide/contracts/http/requests'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { READ_ONCE, useCall } from '../api/use-call.ts'
import { useConfig } from '../api/use-config.ts'
import { api } from '../clients.ts'
import { useAction } from '../failures.ts'
import { RequesterLink } from './requester-link.tsx'
import { ruleReason } from './rule-texts.ts'

type Aired = NonNullable<AiredRequestAnswer['request']>

/** Who requested a programme that has started, and why it came before other requests. Nothing for one that was no request. */
export function AiredRequest({ channelId, programmeId }: { channelId: string; programmeId: string }) {
  const { requests } = useConfig()
  const input = requests ? { params: { id: channelId, programmeId } } : null
  const { data } = useCall('GET /api/channels/:id/requests/aired/:programmeId', input, {
    anonymous: true,
    ...READ_ONCE,
  })
  const request = data?.request
  if (!request) return null
  return (
    <section aria-label="Request" className="grid gap-3 border-t border-line/60 pt-3">
      <p className="wrap-anywhere">
        Requested by <RequesterLink requestedBy={request.requestedBy} />.{' '}
        {REASONS[request.currency ?? 'pinned']}
      </p>
      <PassedOver passedOver={request.passedOver} />
      {request.hasReceipt && <ReceiptCheck requestId={request.id} />}
    </section>
  )
}

const REASONS = {
  turn: 'It was next by turns: this viewer’s requests had been on for the fewest minutes.',
  vote: 'It was next by votes: the voters who had got the least so far come first.',
  pinned: 'The station put it before all others.',
}

function PassedOver({ passedOver }: Pick<Aired, 'passedOver'>) {
  if (passedOver.length === 0) return null
  return (
    <div className="grid gap-1 text-sm">
      <p id="passed-over">Passed over, because a rule of the channel forbade them then:</p>
      <ul aria-labelledby="passed-over" className="grid list-disc gap-1 pl-5 text-muted">
        {passedOver.map(({ rule, video }, index) => (
          <li key={index} className="wrap-anywhere">
            <bdi>{video ? `${video.title} – ${video.artistName}` : 'A request that is no longer stored'}</bdi>
            : {ruleReason(rule)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The receipt of a request, and a button with which the browser decides again from it. */
function ReceiptCheck({ requestId }: { requestId: string }) {
  const { isBusy, run } = useAction()
  const [result, setResult] = useState<string>()
  const check = () =>
    run(async () => setResult(await resultOf(requestId)), {
      title: 'Not checked',
      text: 'The receipt was not loaded. Please try again.',
    })
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <Button isBusy={isBusy} onClick={() => void check()}>
          Check this decision
        </Button>
        <a
          href={`/api/requests/${requestId}/receipt`}
          target="_blank"
          rel="noreferrer"
          className="rounded-sm underline underline-offset-4"
        >
          Receipt
        </a>
      </div>
      <p role="status">{result}</p>
    </div>
  )
}

async function resultOf(requestId: string): Promise<string> {
  const [{ recompute }, receipt] = await Promise.all([
    import('@looptide/fairness/recompute'),
    api.call('GET /api/requests/:requestId/receipt', { params: { requestId } }, { anonymous: true }),
  ])
  const checked = recompute(receipt)
  if (!checked.isCorrect) return `✘ The receipt contradicts itself. ${checked.reason}`
  return checked.receipt.isConsistent
    ? '✔ Your browser decided again from the receipt: the same request wins.'
    : '✔ Your browser decided again from the receipt: the same request wins. An earlier decision was undone or moved after it, or an account was deleted.'
}
